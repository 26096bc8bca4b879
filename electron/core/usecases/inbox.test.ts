import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildBranch,
  contents,
  copyRepo,
  layouts,
  ODD_PATHS,
  PATHS,
  RUN,
  stores,
  type TestRepo,
  tempDir,
} from '../../../e2e/support/index.ts'
import type { Inbox, RefusalKind, SleepBranch } from '../../../shared/model/index.ts'
import { diffTrees } from '../git/diffTree.ts'
import { createGit } from '../git/process.ts'
import { countItems, reviewItems } from '../sleep/reviewItems.ts'
import { testCore } from '../testing/testCore.ts'

const core = testCore({ clock: () => new Date('2026-11-24T12:00:00Z') })
/** Never opened itself, so that copies of it have no database of ours. */
let unopened: TestRepo
let clean: TestRepo
beforeAll(() => {
  unopened = stores.clean()
  clean = copyRepo(unopened)
})
afterAll(() => core.dispose())

async function inboxOf(repo: TestRepo): Promise<Inbox & { repoId: string }> {
  const { id: repoId } = await core.call('repo.open', { path: repo.dir })
  return { ...(await core.call('inbox.get', { repoId })), repoId }
}
async function only(repo: TestRepo): Promise<SleepBranch> {
  const inbox = await inboxOf(repo)
  expect(inbox.sleepBranches).toHaveLength(1)
  return inbox.sleepBranches[0] as SleepBranch
}
const blockers = (branch: SleepBranch) => (branch.status.state === 'blocked' ? branch.status.blockers : [])
const kinds = (branch: SleepBranch): RefusalKind[] => blockers(branch).map((one) => one.refusal)
const blocker = <K extends RefusalKind>(branch: SleepBranch, kind: K) =>
  blockers(branch).find((b) => b.refusal === kind)

/** Writes rows that a verb would have written. */
function addOperation(repo: TestRepo, row: Record<string, string | null>): void {
  const db = new DatabaseSync(join(repo.gitDir, 'daybreak', 'state.db'))
  const all = { actor: 'me', via: 'test', plan: '{}', pid: 1, process_started: '1', stage: 'done', ...row }
  const names = Object.keys(all)
  db.prepare(`INSERT INTO operations (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
    ...(Object.values(all) as (string | null)[]),
  )
  db.close()
}

describe('the state of a sleep branch', () => {
  it('is ready, with base, tip, commits, files and age', async () => {
    const branch = await only(clean)
    const changes = await diffTrees(createGit({ cwd: clean.dir, env: core.env }), clean.oid('main'), clean.oid(RUN))
    expect(branch).toMatchObject({
      ref: `refs/heads/${RUN}`,
      branch: RUN,
      remote: null,
      tip: clean.oid(RUN),
      base: clean.oid('main'),
      commits: Number(clean.git('rev-list', '--count', `main..${RUN}`)),
      files: countItems(changes),
      committedAt: new Date(Number(clean.git('log', '-1', '--format=%ct', RUN)) * 1000).toISOString(),
      readiness: 'ready',
      status: { state: 'ready' },
      checkedOutIn: null,
      viewed: 0,
    })
    expect(branch.left).toBe(branch.files)
    // An archived or moved memory is one file of the night, not two.
    expect(branch.files).toBeLessThan(changes.length + 1)
  })

  it('is dirty-tree with the touched paths only; changes elsewhere do not matter', async () => {
    const repo = stores.dirtyTree()
    const inbox = await inboxOf(repo)
    expect(inbox.tree).toEqual({
      clean: false,
      changed: [PATHS.claim, PATHS.untouched, 'areas/inbox/untracked.txt'].sort(),
      total: 3,
    })
    expect(blockers(inbox.sleepBranches[0] as SleepBranch)).toEqual([
      { refusal: 'dirty-tree', worktrees: [{ worktree: repo.dir, paths: [PATHS.claim] }] },
    ])
    expect((await only(stores.dirtyElsewhere())).readiness).toBe('ready')
  })

  it('is dirty-tree for staged and deleted files, and with HEAD on the sleep branch too', async () => {
    const repo = stores.headOnSleep()
    expect((await only(repo)).status).toEqual({ state: 'ready' })
    repo.write(PATHS.claim, null)
    repo.write(PATHS.body, 'staged\n')
    repo.git('add', PATHS.body)
    expect(blocker(await only(repo), 'dirty-tree')).toMatchObject({
      worktrees: [{ paths: [PATHS.body, PATHS.claim].sort() }],
    })
  })

  it('is dirty-tree for an ignored file in the way, unless it holds the very bytes', async () => {
    const repo = buildBranch(undefined, { '.gitignore': '*.log\n' }, { 'new.log': 'night\n', 'new.txt': 'night\n' })
    expect((await only(repo)).readiness).toBe('ready')
    repo.write('new.log', 'mine\n')
    repo.write('new.txt', 'night\n')
    expect(blocker(await only(repo), 'dirty-tree')).toMatchObject({ worktrees: [{ paths: ['new.log'] }] })
    repo.write('new.log', 'night\n')
    expect((await only(repo)).readiness).toBe('ready')
  })

  it('compares an untracked file as git would store it', async () => {
    const repo = buildBranch(undefined, { 'a.txt': 'a\n' }, { 'new.txt': 'night\n' })
    repo.git('config', 'core.autocrlf', 'true')
    repo.write('new.txt', 'night\r\n')
    expect((await only(repo)).readiness).toBe('ready')
    repo.write('new.txt', 'mine\r\n')
    expect(blocker(await only(repo), 'dirty-tree')).toMatchObject({ worktrees: [{ paths: ['new.txt'] }] })
  })

  it('carries odd paths through', async () => {
    const repo = contents.oddPathsChanged()
    for (const path of ODD_PATHS) repo.write(path, 'local\n')
    const found = blocker(await only(repo), 'dirty-tree')
    expect(found).toMatchObject({ worktrees: [{ paths: [...ODD_PATHS].sort() }] })
  })

  it('is empty where the tip is the run’s base, and where there is neither row nor commit', async () => {
    expect(blockers(await only(stores.emptyRun()))).toEqual([{ refusal: 'empty-run', branch: RUN }])
    const repo = stores.noNight()
    repo.git('branch', 'sleep/nothing', 'main')
    expect(await only(repo)).toMatchObject({ readiness: 'stop', commits: 0, files: 0 })
    expect(kinds(await only(repo))).toEqual(['empty-run'])
  })

  it('is empty also after main moved on from there', async () => {
    const repo = stores.emptyRun()
    repo.commit('Later', { 'later.txt': 'x\n' })
    expect(kinds(await only(repo))).toEqual(['empty-run'])
  })

  it('is already merged, with or without a row', async () => {
    expect((await only(stores.alreadyMerged())).status).toEqual({ state: 'already-merged' })
    expect((await only(stores.alreadyMerged(undefined, { databases: false }))).status).toEqual({
      state: 'already-merged',
    })
  })

  it('is checked out in a worktree, which approving could not leave', async () => {
    const repo = stores.inWorktree()
    const branch = await only(repo)
    expect(branch.checkedOutIn).toBe(repo.worktree)
    expect(blockers(branch)).toEqual([{ refusal: 'branch-in-use', branch: RUN, worktree: repo.worktree }])
    expect(await only(stores.headOnSleep())).toMatchObject({ readiness: 'ready' })
  })

  it('is blocked by core.worktree that points elsewhere, and does not look at what is there', async () => {
    const repo = copyRepo(unopened)
    const target = tempDir('elsewhere')
    writeFileSync(join(target, 'private.txt'), 'not of this repository\n')
    repo.git('config', 'core.worktree', target)
    const inbox = await inboxOf(repo)
    expect(inbox.tree.changed).toEqual([])
    expect(blockers(inbox.sleepBranches[0] as SleepBranch)).toMatchObject([{ refusal: 'worktree-outside', target }])
  })

  it('names an operation under way, by worktree', async () => {
    const repo = copyRepo(unopened)
    repo.write('.git/MERGE_HEAD', `${repo.oid('main')}\n`)
    expect(blocker(await only(repo), 'operation-in-progress')).toEqual({
      refusal: 'operation-in-progress',
      worktree: repo.dir,
      operation: 'merge',
    })
  })

  it('is a remote one, that only reviewing is offered for', async () => {
    const branch = await only(stores.remoteOnly())
    expect(branch).toMatchObject({ branch: `origin/${RUN}`, remote: 'origin', readiness: 'stop' })
    expect(branch.files).toBeGreaterThan(0)
    expect(blockers(branch)).toEqual([{ refusal: 'remote-branch', branch: `origin/${RUN}`, remote: 'origin' }])
  })

  it('lists a remote branch beside the local one only where they differ', async () => {
    const repo = copyRepo(unopened)
    repo.git('update-ref', `refs/remotes/origin/${RUN}`, RUN)
    expect((await inboxOf(repo)).sleepBranches.map((one) => one.branch)).toEqual([RUN])
    repo.git('update-ref', `refs/remotes/origin/${RUN}`, `${RUN}~1`)
    expect((await inboxOf(repo)).sleepBranches.map((one) => one.branch)).toEqual([RUN, `origin/${RUN}`])
  })

  it('is gone where its commit is missing; the others are listed all the same', async () => {
    const repo = copyRepo(unopened)
    repo.write('.git/refs/heads/sleep/lost', `${'b'.repeat(40)}\n`)
    const { sleepBranches } = await inboxOf(repo)
    expect(sleepBranches.map((one) => one.branch)).toEqual([RUN, 'sleep/lost'])
    expect(blockers(sleepBranches[1] as SleepBranch)).toEqual([{ refusal: 'branch-gone', branch: 'sleep/lost' }])
    expect(sleepBranches[0]?.readiness).toBe('ready')
  })

  it('waits for a gate to be trusted, and again after its text changed', async () => {
    const config = (run: string) => ({ '.daybreak.yml': `gate: { run: "${run}" }\n` })
    const repo = stores.clean(undefined, { files: config('true') })
    const { repoId, sleepBranches } = await inboxOf(repo)
    expect(blockers(sleepBranches[0] as SleepBranch)).toEqual([
      { refusal: 'not-trusted', items: [{ kind: 'gate', name: 'gate', command: 'true' }] },
    ])
    const shown = await core.call('trust.get', { repoId })
    expect((await core.call('trust.accept', { repoId, hash: shown.hash })).state).toBe('trusted')
    expect((await only(repo)).readiness).toBe('ready')
    repo.commit('Other gate', config('false'))
    expect(kinds(await only(repo))).toContain('not-trusted')
    expect((await core.call('trust.get', { repoId })).state).toBe('changed')
  })
})

describe('the list', () => {
  it('is newest first and follows the pattern, a setting', async () => {
    const repo = copyRepo(unopened)
    repo.git('branch', 'night/one', `${RUN}~2`)
    repo.git('branch', 'sleep/older', `${RUN}~1`)
    repo.git('branch', 'sleep/deep/er', RUN)
    const { repoId, sleepBranches } = await inboxOf(repo)
    expect(sleepBranches.map((one) => one.branch)).toEqual([RUN, 'sleep/older'])
    await core.call('config.set', { repoId, key: 'sleep', value: 'night/*' })
    expect((await inboxOf(repo)).sleepBranches.map((one) => one.branch)).toEqual(['night/one'])
    await core.call('config.set', { repoId, key: 'sleep', value: null })
    expect((await inboxOf(repo)).sleepBranches).toHaveLength(2)
  })

  it('follows what changes between two looks', async () => {
    const repo = copyRepo(unopened)
    expect((await only(repo)).readiness).toBe('ready')
    repo.commit('Main moves', { [PATHS.claim]: 'other\n' })
    expect(blocker(await only(repo), 'main-advanced')).toMatchObject({ overlap: [PATHS.claim] })
    repo.git('branch', '-D', RUN)
    expect((await inboxOf(repo)).sleepBranches).toEqual([])
  })

  it('counts what was viewed, by content', async () => {
    const repo = copyRepo(unopened)
    const before = await only(repo)
    const changes = await diffTrees(createGit({ cwd: repo.dir, env: core.env }), repo.oid('main'), repo.oid(RUN))
    const db = new DatabaseSync(join(repo.gitDir, 'daybreak', 'state.db'))
    const mark = db.prepare("INSERT INTO viewed (content_key, path, at) VALUES (?, ?, '2026-11-30T00:00:00Z')")
    for (const item of reviewItems(changes).slice(0, 3)) mark.run(item.contentKey, item.path)
    mark.run('0'.repeat(32), 'another')
    db.close()
    expect(await only(repo)).toMatchObject({ viewed: 3, left: before.files - 3 })
  })

  it('is empty in an unborn, and whole in a bare repository', async () => {
    expect(await inboxOf(layouts.unborn())).toMatchObject({ sleepBranches: [], writers: [], lastRun: null })
    const bare = await inboxOf(layouts.bare())
    expect(bare.tree).toEqual({ clean: true, changed: [], total: 0 })
    expect(bare.sleepBranches).toMatchObject([{ readiness: 'ready' }])
  })

  it('shows at most 200 local changes and counts all', async () => {
    const repo = copyRepo(unopened)
    for (let n = 0; n < 230; n++) repo.write(`many/${n}.txt`, 'x')
    const { tree } = await inboxOf(repo)
    expect([tree.changed.length, tree.total]).toEqual([200, 230])
  })
})

describe('what happened lately', () => {
  it('tells the week, who wrote, and the sums', async () => {
    const repo = copyRepo(unopened)
    await inboxOf(repo)
    const at = '2026-11-24T06:00:00.000Z'
    const outcome = JSON.stringify({ leftOut: ['a', 'b'], marks: null })
    const from = repo.oid('main')
    addOperation(repo, {
      id: 'approve-1',
      verb: 'approve',
      branch: RUN,
      started_at: at,
      ended_at: at,
      from_oid: from,
      to_oid: repo.oid(RUN),
      outcome,
    })
    addOperation(repo, { id: 'abort-1', verb: 'abort', branch: 'sleep/x', started_at: at, ended_at: at })
    addOperation(repo, {
      id: 'abort-2',
      verb: 'abort',
      branch: 'sleep/y',
      started_at: at,
      ended_at: at,
      undone_by: 'abort-1',
    })
    addOperation(repo, {
      id: 'old-1',
      verb: 'abort',
      branch: 'sleep/z',
      started_at: '2026-01-01T00:00:00Z',
      ended_at: '2026-01-01T00:00:00Z',
    })
    const inbox = await inboxOf(repo)
    const files = (await only(repo)).files
    expect(inbox.week.map((day) => day.date).at(-1)).toBe('2026-11-24')
    expect(inbox.week).toHaveLength(7)
    expect(inbox.week.at(-1)).toMatchObject({ approved: files })
    expect(inbox.week.at(-2)?.cameIn).toBeGreaterThan(10)
    expect(inbox.sums).toEqual({ approved: 1, leftOut: 2, aborted: 1, documents: files })
    expect(inbox.writers.map((one) => one.name).sort()).toEqual(['Test Person', 'planner', 'researcher'])
    expect(inbox.writers.reduce((sum, one) => sum + one.commits, 0)).toBe(
      Number(repo.git('rev-list', '--count', 'main')),
    )
  })

  it('leaves a merged night out of what came in', async () => {
    const before = await inboxOf(clean)
    const merged = await inboxOf(stores.alreadyMerged())
    expect(merged.week).toEqual(before.week)
    expect(merged.writers).toEqual(before.writers)
  })

  it('lists runs whose marks were not applied', async () => {
    const repo = copyRepo(unopened)
    await inboxOf(repo)
    const marks = { pending: 4, applied: 0, held: [], malformed: 0, failure: 'the database is locked' }
    const at = '2026-11-24T06:00:00.000Z'
    const row = { verb: 'approve', branch: RUN, started_at: at, ended_at: at }
    addOperation(repo, { ...row, id: 'approve-1', outcome: JSON.stringify({ marks }) })
    addOperation(repo, { ...row, id: 'approve-2', outcome: JSON.stringify({ marks: { ...marks, failure: null } }) })
    addOperation(repo, { ...row, id: 'approve-3', outcome: 'not json' })
    expect((await inboxOf(repo)).marksWaiting).toEqual([
      { branch: RUN, operationId: 'approve-1', pending: 4, failure: 'the database is locked' },
    ])
  })

  it('tells the last run from the store’s row, else from the branch', async () => {
    expect((await inboxOf(clean)).lastRun).toMatchObject({ branch: RUN, status: 'review' })
    const running = stores.clean(undefined, { runStatus: 'failed' })
    expect((await inboxOf(running)).lastRun).toMatchObject({ status: 'failed' })
    const fresh = await inboxOf(stores.noDatabases())
    expect(fresh.lastRun).toEqual({ branch: RUN, at: fresh.sleepBranches[0]?.committedAt, status: 'review' })
  })
})

describe('bad input', () => {
  it('goes on without the store’s database where it is damaged', async () => {
    const repo = copyRepo(unopened)
    writeFileSync(join(repo.dir, '.memhtml', 'index.db'), 'this is no database\n'.repeat(100))
    expect(await inboxOf(repo)).toMatchObject({
      sleepBranches: [{ readiness: 'ready' }],
      lastRun: { status: 'review' },
    })
  })

  it('goes on with a damaged state.db, keeps it, and says so when something is to be written', async () => {
    const repo = copyRepo(unopened)
    repo.write('.git/daybreak/state.db', 'damaged '.repeat(1000))
    const { repoId, sleepBranches } = await inboxOf(repo)
    expect(sleepBranches).toMatchObject([{ readiness: 'ready' }])
    expect(await core.code('config.set', { repoId, key: 'keep', value: 'true' })).toBe('ERR_STORAGE')
    const refs = repo.refs()
    const ask = { repoId, branch: RUN, except: [], bringMainIn: false }
    expect(await core.code('sleep.approve', ask)).toBe('ERR_STORAGE')
    expect(repo.refs()).toEqual(refs)
    expect(repo.read('.git/daybreak/state.db').toString()).toBe('damaged '.repeat(1000))
    rmSync(join(repo.gitDir, 'daybreak', 'state.db'))
    await core.call('repo.open', { path: repo.dir })
    expect(await core.code('config.set', { repoId, key: 'keep', value: 'true' })).toBeNull()
  })

  it('says that a repository is gone, and shows it again when it is back', async () => {
    const repo = copyRepo(unopened)
    const { repoId } = await inboxOf(repo)
    const away = join(tempDir('away'), 'repo')
    renameSync(repo.dir, away)
    expect(await core.code('inbox.get', { repoId })).toBe('ERR_PATH_NOT_FOUND')
    expect((await only(clean)).readiness).toBe('ready')
    renameSync(away, repo.dir)
    expect((await only(repo)).readiness).toBe('ready')
  })

  it('does not know a repository that was never opened', async () => {
    expect(await core.code('inbox.get', { repoId: '0123456789abcdef' })).toBe('ERR_REPOSITORY_NOT_OPEN')
  })
})
