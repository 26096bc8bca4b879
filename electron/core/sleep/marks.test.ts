import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import {
  copyRepo,
  dumpStoreDbs,
  LEDGER_PATH,
  MALFORMED_LINE,
  MARK_LINES,
  PATHS,
  RUN,
  SESSION_ID,
  sidecars,
  storeDbFile,
  storeSql,
  stores,
  type TestRepo,
  tempDir,
} from '../../../e2e/support/index.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

const approveParams = { branch: RUN, except: [], bringMainIn: false }
const promoted = (dir: string) => ({
  edge: storeSql(dir, 'state', 'SELECT promoted, confirmed, updated_at FROM edge_corroboration'),
  entity: storeSql(dir, 'state', 'SELECT promoted, confirmed FROM entity_corroboration'),
  session: storeSql(dir, 'index', 'SELECT session_id, run_id FROM trace_consolidations'),
})
const APPLIED = {
  edge: [{ promoted: 1, confirmed: 1, updated_at: '2026-11-30T00:00:00Z' }],
  entity: [{ promoted: 1, confirmed: 1 }],
  session: [{ session_id: SESSION_ID, run_id: RUN }],
}
const UNTOUCHED = {
  edge: [{ promoted: 0, confirmed: 0, updated_at: '2026-11-30T03:00:00Z' }],
  entity: [{ promoted: 0, confirmed: 0 }],
  session: [],
}

/** Takes the write lock, says so, and lets go a little later. */
const HOLD = `
  const { DatabaseSync } = require('node:sqlite')
  const db = new DatabaseSync(process.argv[1])
  db.exec('BEGIN IMMEDIATE')
  console.log('locked')
  setTimeout(() => db.exec('ROLLBACK'), 1500)
`

describe('marks', () => {
  it('case 45: are read from the blob that main has, whatever a ledger on disk says', async () => {
    const repo = stores.clean(undefined, { local: {} })
    repo.git('checkout', '-q', '--detach', 'main')
    repo.write(
      LEDGER_PATH,
      '{"kind":"entity-promoted","entityType":"x","aliasName":"y","canonicalName":"z","at":"2026-01-01"}\n',
    )
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({
      marks: { pending: 4, applied: 4, failure: null },
    })
    expect(promoted(repo.dir)).toEqual(APPLIED)
    expectUntouched(repo, before)
    await close()
  })

  it('case 46: all or none, twice equals once, a malformed line counts as pending and leaves the others applicable', async () => {
    const repo = stores.malformedLedger()
    const { ask, close } = await openCore(repo)
    const marks = { pending: 6, applied: 4, malformed: 2, failure: null, held: [] }
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ marks })
    expect(promoted(repo.dir)).toEqual(APPLIED)
    const planes = dumpStoreDbs(repo.dir)
    expect(await ask('sleep.applyMarks', { branch: RUN })).toMatchObject({ marks })
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    expect(MALFORMED_LINE).toContain('edge-promoted')
    await close()
  })

  it.each([
    ['its table is gone', 'DROP TABLE trace_consolidations'],
    [
      'the database refuses it after the others',
      `CREATE TRIGGER closed BEFORE INSERT ON trace_consolidations
       BEGIN SELECT RAISE(ABORT, 'trace_consolidations is closed'); END`,
    ],
  ])('cases 46 and 47: none where one of them cannot be written, and main stays: %s', async (_, sql) => {
    const repo = copyRepo(clean)
    storeSql(repo.dir, 'index', sql)
    const { ask, close } = await openCore(repo)
    const tip = repo.oid(RUN)
    const outcome = await ask('sleep.approve', approveParams)
    expect(outcome).toMatchObject({
      approved: true,
      to: tip,
      marks: { pending: 4, applied: 0, failure: expect.stringContaining('trace_consolidations') },
    })
    expect(repo.oid('main')).toBe(tip)
    expect(storeSql(repo.dir, 'state', 'SELECT promoted FROM edge_corroboration')).toEqual([{ promoted: 0 }])
    expect(storeSql(repo.dir, 'state', 'SELECT promoted FROM entity_corroboration')).toEqual([{ promoted: 0 }])
    expect(storeSql(repo.dir, 'index', 'SELECT status FROM sleep_runs')).toEqual([{ status: 'merged' }])
    await close()
  })

  it.each(['index', 'state'] as const)(
    'names the database that is missing or damaged, and it alone: %s',
    async (plane) => {
      const other = plane === 'index' ? 'state' : 'index'
      for (const damage of [rmSync, (file: string) => writeFileSync(file, 'no database '.repeat(400))]) {
        const repo = copyRepo(clean)
        damage(storeDbFile(repo.dir, plane))
        const { ask, close } = await openCore(repo)
        const outcome = await ask('sleep.approve', approveParams)
        const failure = outcome.approved ? outcome.marks.failure : null
        expect(failure).toContain(`${plane}.db`)
        expect(failure).not.toContain(`${other}.db`)
        await close()
      }
    },
  )

  it('case 47: a failure keeps main, is kept and shown, and is finished later, by the verb or by approving again', async () => {
    for (const finish of ['sleep.applyMarks', 'sleep.approve'] as const) {
      const repo = copyRepo(clean)
      const tip = repo.oid(RUN)
      const aside = `${storeDbFile(repo.dir, 'state')}.aside`
      renameSync(storeDbFile(repo.dir, 'state'), aside)
      const opened = await openCore(repo)
      const outcome = await opened.ask('sleep.approve', approveParams)
      const failure = expect.stringContaining('.memhtml/state.db')
      expect(outcome).toMatchObject({
        approved: true,
        to: tip,
        branchRemoved: true,
        marks: { pending: 4, applied: 0, failure },
      })
      expect(repo.oid('main')).toBe(tip)
      await opened.close()

      const again = await openCore(repo, { test: opened.test })
      const waiting = { branch: RUN, pending: 4, failure }
      expect((await again.ask('inbox.get', {})).marksWaiting).toMatchObject([waiting])
      renameSync(aside, storeDbFile(repo.dir, 'state'))
      const before = remember(repo)
      const params = finish === 'sleep.approve' ? approveParams : { branch: RUN }
      const finished = await again.ask(finish, params as typeof approveParams)
      expect(finished).toMatchObject({ marks: { pending: 4, applied: 4, failure: null } })
      expect(promoted(repo.dir)).toEqual(APPLIED)
      expect((await again.ask('inbox.get', {})).marksWaiting).toEqual([])
      expectUntouched(repo, before)
      // Undoing the approval takes back what was applied later as well.
      const operationId = (outcome as { operationId: string }).operationId
      expect(await again.ask('sleep.undo', { operationId, revert: false })).toMatchObject({ undone: true })
      expect(promoted(repo.dir)).toEqual(UNTOUCHED)
      await again.close()
    }
  })

  it('are not applied, and no row says merged, for a night that is not on main', async () => {
    const repo = copyRepo(clean)
    const planes = dumpStoreDbs(repo.dir)
    const { ask, close } = await openCore(repo)
    for (const branch of [RUN, 'sleep/2020-01-01']) {
      const { marks } = await ask('sleep.applyMarks', { branch })
      expect(marks).toMatchObject({ applied: 0, failure: `${branch} is not on main` })
    }
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    expect(await ask('history.list', { limit: 10 })).toEqual([])
    await close()
  })

  it('wait where the clone has no databases, and none is created', async () => {
    const repo = stores.noDatabases()
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({
      marks: { pending: 4, applied: 0, failure: expect.any(String) },
    })
    expect(repo.status()).toBe('')
    expect(repo.git('status', '--porcelain', '--ignored')).toBe('')
    expect((await ask('inbox.get', {})).marksWaiting).toHaveLength(1)
    await close()
  })

  it('are not written through a link that stands in the place of a database', async () => {
    for (const plane of ['index', 'state'] as const) {
      const repo = copyRepo(clean)
      const elsewhere = join(tempDir('elsewhere'), 'other.db')
      renameSync(storeDbFile(repo.dir, plane), elsewhere)
      symlinkSync(elsewhere, storeDbFile(repo.dir, plane))
      const before = readFileSync(elsewhere)
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.approve', approveParams)
      expect(outcome).toMatchObject({ approved: true, marks: { applied: 0, failure: expect.stringContaining('link') } })
      await close()
      expect(readFileSync(elsewhere).equals(before)).toBe(true)
    }
  })

  it('leave the journal modes and what lies beside the databases as they were', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    await ask('sleep.approve', approveParams)
    expect(storeSql(repo.dir, 'index', 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(storeSql(repo.dir, 'state', 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'delete' }])
    expect(sidecars(repo.dir)).toEqual([])
    await close()
  })

  it('a database that someone else writes to is waited for', async () => {
    const repo = copyRepo(clean)
    const other = spawn(process.execPath, ['-e', HOLD, storeDbFile(repo.dir, 'state')], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(other.stdout, 'data')
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ marks: { applied: 4, failure: null } })
    await close()
  })

  it('in a linked worktree the databases are those of the worktree that has main', async () => {
    const repo = copyRepo(clean)
    repo.git('checkout', '-q', '-b', 'side')
    const linked = `${repo.dir}-main`
    repo.git('worktree', 'add', '-q', linked, 'main')
    for (const plane of ['index', 'state'] as const)
      renameSync(storeDbFile(repo.dir, plane), storeDbFile(linked, plane))
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ marks: { applied: 4 } })
    expect(promoted(linked)).toEqual(APPLIED)
    await close()
    rmSync(linked, { recursive: true })
  })

  it('a mark for a row that is not there counts as applied and creates none', async () => {
    const line = MARK_LINES[1]?.replace(PATHS.link, 'resources/nowhere.html') ?? ''
    const repo = stores.clean(undefined, { ledger: `${line}\n` })
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ marks: { pending: 1, applied: 1 } })
    expect(promoted(repo.dir)).toEqual(UNTOUCHED)
    await close()
  })
})
