import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectNoLocks, expectUntouched, type OpenedCore, openCore, remember } from '../../../e2e/support/core.ts'
import { copyRepo, dumpStoreDbs, PATHS, RUN, storeSql, stores, type TestRepo } from '../../../e2e/support/index.ts'
import { reportPath } from '../../../shared/model/index.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

const approveParams = { branch: RUN, except: [], bringMainIn: false }

async function approved(repo: TestRepo): Promise<{ opened: OpenedCore; operationId: string }> {
  const opened = await openCore(repo)
  const outcome = await opened.ask('sleep.approve', approveParams)
  if (!outcome.approved) throw new Error(JSON.stringify(outcome))
  return { opened, operationId: outcome.operationId }
}

describe('undo of an approval', () => {
  it('puts back refs, files, marks and the run row, also after a restart', async () => {
    const repo = copyRepo(clean)
    repo.write('notes.txt', 'untracked\n')
    repo.write(PATHS.untouched, 'unstaged\n')
    const [main, tip, before, planes] = [repo.oid('main'), repo.oid(RUN), remember(repo), dumpStoreDbs(repo.dir)]
    const { opened, operationId } = await approved(repo)
    expect(dumpStoreDbs(repo.dir)).not.toEqual(planes)
    await opened.close()

    const again = await openCore(repo, { test: opened.test })
    expect(await again.ask('history.list', { limit: 5 })).toMatchObject([{ operationId, undo: 'undo', files: 27 }])
    const outcome = await again.ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({
      undone: true,
      of: operationId,
      verb: 'approve',
      how: 'undo',
      restoredAs: RUN,
      from: tip,
      to: main,
    })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before, { moved: [main, tip] })
    expect(remember(repo).files).toEqual(before.files)
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    expect(await again.ask('history.list', { limit: 5 })).toMatchObject([
      { verb: 'undo', status: 'done' },
      { operationId, status: 'undone', undo: null },
    ])
    const twice = await again.ask('sleep.undo', { operationId, revert: false })
    expect(twice).toMatchObject({ undone: false, refusal: { refusal: 'cannot-undo' } })
    // What was undone can be approved once more.
    expect(await again.ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: false })
    await again.close()
  })

  it('leaves an untracked file that held what the night brought; so does a revert', async () => {
    for (const revert of [false, true]) {
      const repo = copyRepo(clean)
      repo.write(PATHS.person, repo.show(RUN, PATHS.person))
      const [before, operationTip] = [remember(repo), repo.oid(RUN)]
      const { opened, operationId } = await approved(repo)
      expect(repo.status()).toBe('')
      if (revert) repo.commit('later', { 'areas/inbox/later.html': 'later\n' })
      const outcome = await opened.ask('sleep.undo', { operationId, revert })
      expect(outcome).toMatchObject({ undone: true, how: revert ? 'revert' : 'undo' })
      expect(repo.read(PATHS.person)).toEqual(repo.show(revert ? 'main~1' : RUN, PATHS.person))
      expectUntouched(repo, before, { moved: ['main', operationTip], status: [`? ${PATHS.person}`] })
      if (!revert) expect(remember(repo).files).toEqual(before.files)
      await opened.close()
    }
  })

  it('refuses where someone has changed a row since, and moves nothing', async () => {
    const repo = copyRepo(clean)
    const { opened, operationId } = await approved(repo)
    storeSql(repo.dir, 'state', 'UPDATE edge_corroboration SET detections = 3 RETURNING 1')
    const [before, planes] = [remember(repo), dumpStoreDbs(repo.dir)]
    const outcome = await opened.ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({
      undone: false,
      refusal: { refusal: 'rows-changed', rows: [expect.stringContaining('edge_corroboration')] },
    })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    await opened.close()
  })

  it('refuses over a local change on a path of the night', async () => {
    const repo = copyRepo(clean)
    const { opened, operationId } = await approved(repo)
    repo.write(PATHS.person, 'edited since\n')
    const before = remember(repo)
    const outcome = await opened.ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({
      undone: false,
      refusal: { refusal: 'dirty-tree', worktrees: [{ paths: [PATHS.person] }] },
    })
    expectUntouched(repo, before)
    await opened.close()
  })

  it('offers Revert this night where main has moved on; the revert is one commit and keeps what came later', async () => {
    const repo = copyRepo(clean)
    const main = repo.oid('main')
    const { opened, operationId } = await approved(repo)
    const later = repo.commit('memhtml(write): later', {
      'areas/inbox/later.html': 'later\n',
      [PATHS.untouched]: 'later\n',
    })
    const planes = dumpStoreDbs(clean.dir)
    expect(await opened.ask('history.list', { limit: 1 })).toMatchObject([{ undo: 'revert' }])
    const refused = await opened.ask('sleep.undo', { operationId, revert: false })
    expect(refused).toMatchObject({ undone: false, refusal: { refusal: 'moved-on', now: later } })
    const before = remember(repo)
    const outcome = await opened.ask('sleep.undo', { operationId, revert: true })
    expect(outcome).toMatchObject({ undone: true, how: 'revert', from: later })
    expect(repo.git('rev-list', '--parents', '-n1', 'main').split(' ').slice(1)).toEqual([later])
    expect(repo.git('diff', '--name-status', main, 'main').split('\n')).toEqual([
      'A\tareas/inbox/later.html',
      `M\t${PATHS.untouched}`,
    ])
    expectUntouched(repo, before, { moved: [later, repo.oid('main')], status: [] })
    const after = dumpStoreDbs(repo.dir)
    expect({ ...after, 'index.sleep_runs': [] }).toEqual({ ...planes, 'index.sleep_runs': [] })
    expect(after['index.sleep_runs']).toMatchObject([{ status: 'abandoned' }])
    expect(repo.git('log', '-1', '--format=%(trailers:key=Daybreak-Reverts,valueonly)').trim()).toBe(operationId)
    await opened.close()
  })

  it('reverts also while agents keep committing, and loses none of their commits', async () => {
    const repo = copyRepo(clean)
    const { opened, operationId } = await approved(repo)
    await opened.close()
    repo.commit('later', { 'areas/inbox/later.html': 'later\n' })
    const subjects: string[] = []
    const again = await openCore(repo, {
      test: opened.test,
      fault: (point) => {
        // Whenever a plan has been made, someone is faster.
        if (point !== 'revert:before index lock') return
        subjects.push(`agent ${subjects.length}`)
        repo.commit(subjects.at(-1) ?? '', { 'agent.txt': `${subjects.length}\n` })
      },
    })
    const outcome = await again.ask('sleep.undo', { operationId, revert: true })
    expect(outcome).toMatchObject({ undone: true, how: 'revert', from: repo.oid('main~1'), to: repo.oid('main') })
    expect(await again.ask('history.list', { limit: 1 })).toMatchObject([
      { verb: 'revert', from: repo.oid('main~1'), to: repo.oid('main') },
    ])
    expect(subjects).toHaveLength(2)
    expect(repo.git('log', '-2', '--reverse', '--format=%s', 'main~1').split('\n')).toEqual(subjects)
    expect(repo.code('cat-file', '-e', `main:${PATHS.person}`)).not.toBe(0)
    expect(repo.status()).toBe('')
    repo.fsck()
    expectNoLocks(repo)
    await again.close()
  })

  it('a revert that meets a later change of the same lines is refused with the paths', async () => {
    const repo = copyRepo(clean)
    const { opened, operationId } = await approved(repo)
    repo.commit('later', { [PATHS.claim]: 'rewritten since\n' })
    const before = remember(repo)
    const outcome = await opened.ask('sleep.undo', { operationId, revert: true })
    expect(outcome).toEqual({ undone: false, refusal: { refusal: 'unresolved', conflicts: [PATHS.claim] } })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    await opened.close()
  })
})

describe('undo of an abort', () => {
  it('brings the branch and the run row back; nothing else moves', async () => {
    const repo = copyRepo(clean)
    const [before, planes] = [remember(repo), dumpStoreDbs(repo.dir)]
    const opened = await openCore(repo)
    const aborted = await opened.ask('sleep.abort', { branch: RUN })
    await opened.close()
    const again = await openCore(repo, { test: opened.test })
    const operationId = (aborted as { operationId: string }).operationId
    const outcome = await again.ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({ undone: true, verb: 'abort', restoredAs: RUN })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    await again.close()
  })

  it('restores as -N when the name is taken again, with a row of its own', async () => {
    const repo = copyRepo(clean)
    const tip = repo.oid(RUN)
    const { ask, close } = await openCore(repo)
    const aborted = await ask('sleep.abort', { branch: RUN })
    repo.git('branch', RUN, 'main')
    repo.git('branch', `${RUN}-2`, 'main')
    storeSql(repo.dir, 'index', `UPDATE sleep_runs SET status = 'running' RETURNING 1`)
    const operationId = (aborted as { operationId: string }).operationId
    const outcome = await ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({ undone: true, branch: RUN, restoredAs: `${RUN}-3`, to: tip })
    expect(repo.oid(`${RUN}-3`)).toBe(tip)
    expect(repo.oid(RUN)).toBe(repo.oid('main'))
    expect(storeSql(repo.dir, 'index', 'SELECT run_id, status FROM sleep_runs ORDER BY run_id')).toEqual([
      { run_id: RUN, status: 'running' },
      { run_id: `${RUN}-3`, status: 'review' },
    ])
    const review = await ask('review.get', { branch: `${RUN}-3` })
    expect(review.ledger?.marks).toHaveLength(4)
    // Its phases are known by the name that it had.
    expect(review.commits.map((commit) => commit.foreign)).toEqual(review.commits.map(() => null))
    expect(review.files.some((file) => file.foreign)).toBe(false)
    expect(review.reportPath).toBe(reportPath(RUN))
    // Its marks are those of the run that its commits name.
    expect(await ask('sleep.approve', { ...approveParams, branch: `${RUN}-3` })).toMatchObject({
      approved: true,
      marks: { pending: 4, applied: 4 },
    })
    await close()
  })

  it('restores as -N also where another night of that name was approved meanwhile', async () => {
    const repo = copyRepo(clean)
    rmSync(join(repo.dir, '.memhtml/index.db'))
    const tip = repo.oid(RUN)
    const { ask, close } = await openCore(repo)
    const aborted = await ask('sleep.abort', { branch: RUN })
    const other = repo.git('commit-tree', `${tip}^{tree}`, '-p', 'main', '-m', `Other\n\nMemhtml-Run: ${RUN}`)
    repo.git('branch', RUN, other)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: other })
    const operationId = (aborted as { operationId: string }).operationId
    const outcome = await ask('sleep.undo', { operationId, revert: false })
    expect(outcome).toMatchObject({ undone: true, restoredAs: `${RUN}-2`, to: tip })
    await close()
  })

  it('does not know what is not in the history', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    const asked = ask('sleep.undo', { operationId: '20200101-000000-approve-00000000', revert: false })
    await expect(asked).rejects.toMatchObject({ code: 'ERR_NO_SUCH_OPERATION' })
    await close()
  })
})

describe('a revert where the store’s database is damaged since', () => {
  it('goes through, says what could not be put back, and holds up nothing after it', async () => {
    const repo = copyRepo(clean)
    const { opened, operationId } = await approved(repo)
    repo.commit('later', { 'areas/inbox/later.html': 'later\n' })
    for (const name of ['index.db', 'index.db-wal', 'index.db-shm'])
      rmSync(join(repo.dir, '.memhtml', name), { force: true })
    writeFileSync(join(repo.dir, '.memhtml/index.db'), 'this is no database\n'.repeat(99))
    const outcome = await opened.ask('sleep.undo', { operationId, revert: true })
    expect(outcome).toMatchObject({ undone: true, how: 'revert' })
    const [entry] = await opened.ask('history.list', { limit: 1 })
    expect(entry).toMatchObject({ verb: 'revert', status: 'done', detail: expect.stringContaining('index.db') })
    repo.git('branch', 'sleep/other', 'main~1')
    expect(await opened.ask('sleep.abort', { branch: 'sleep/other' })).toMatchObject({ aborted: true })
    await opened.close()
  })
})

describe('refs that keep commits alive', () => {
  it('go after 90 days where undo can no longer apply, and stay as long as it can', async () => {
    const repo = copyRepo(clean)
    let now = Date.parse('2026-12-01T08:00:00Z')
    const { ask, close } = await openCore(repo, { clock: () => new Date(now) })
    const kept = () => repo.git('for-each-ref', '--format=%(refname)', 'refs/daybreak').split('\n').filter(Boolean)
    const first = (await ask('sleep.approve', approveParams)) as { operationId: string }
    await ask('sleep.undo', { operationId: first.operationId, revert: false })
    const aborted = (await ask('sleep.abort', { branch: RUN })) as { operationId: string }
    expect(kept()).toHaveLength(4)
    now += 91 * 24 * 60 * 60 * 1000
    repo.git('branch', 'sleep/2027-03-02', 'main')
    await ask('sleep.abort', { branch: 'sleep/2027-03-02' })
    // The approval was undone; the abort of the same branch can still be.
    expect(kept().filter((ref) => !ref.includes('202703'))).toEqual([`refs/daybreak/kept/${aborted.operationId}`])
    expect(await ask('sleep.undo', { operationId: aborted.operationId, revert: false })).toMatchObject({ undone: true })
    await close()
  })
})
