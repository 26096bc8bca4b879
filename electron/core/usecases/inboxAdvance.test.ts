import { afterAll, describe, expect, it } from 'vitest'
import { buildRepo, PATHS, RUN, snapshot, snapshotDiff, stores, type TestRepo } from '../../../e2e/support/index.ts'
import type { SleepBranch } from '../../../shared/model/index.ts'
import { testCore } from '../testing/testCore.ts'

const core = testCore()
afterAll(() => core.dispose())

async function only(repo: TestRepo): Promise<SleepBranch> {
  const { id: repoId } = await core.call('repo.open', { path: repo.dir })
  const { sleepBranches } = await core.call('inbox.get', { repoId })
  expect(sleepBranches).toHaveLength(1)
  return sleepBranches[0] as SleepBranch
}
const blockers = (branch: SleepBranch) => (branch.status.state === 'blocked' ? branch.status.blockers : [])

describe('a sleep branch whose main has moved on', () => {
  it('has no overlap where main moved elsewhere', async () => {
    const branch = await only(stores.mainAdvancedDisjoint())
    expect(branch.readiness).toBe('needs')
    expect(blockers(branch)).toEqual([{ refusal: 'main-advanced', commits: 1, overlap: [], conflicts: null }])
  })

  it('has the overlapping paths, both halves of a moved file counted', async () => {
    const branch = await only(stores.mainAdvancedOverlapping())
    expect(blockers(branch)).toMatchObject([{ refusal: 'main-advanced', commits: 1, overlap: [PATHS.moved] }])
  })

  it('says which of the overlapping paths would conflict, without writing anything', async () => {
    expect(blockers(await only(stores.mainAdvancedOverlapping()))).toMatchObject([{ conflicts: [] }])
    const repo = stores.mainAdvancedConflicting()
    const before = snapshot(repo.dir)
    const conflicting = { overlap: [PATHS.claim], conflicts: [PATHS.claim] }
    expect(blockers(await only(repo))).toMatchObject([conflicting])
    const { id: repoId } = await core.call('repo.open', { path: repo.dir })
    const preview = await core.call('sleep.preview', { repoId, branch: RUN, except: [] })
    expect(preview.blockers).toMatchObject([{ refusal: 'main-advanced', ...conflicting }])
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })

  it.each([
    ['a file that both added', { 'list.md': 'night\n' }, { 'list.md': 'main\n' }],
    ['a file added in the place of a folder', { 'list/a.md': 'night\n' }, { list: 'main\n' }],
    ['a folder added in the place of a file', { list: 'night\n' }, { 'list/a.md': 'main\n' }],
  ])('takes nothing that main has for a local change: %s', async (_, night, day) => {
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { a: '1\n' }, label: 'base' },
        { on: RUN, from: 'base', message: 'Night', files: night },
        { on: 'main', message: 'Main', files: day },
      ],
    })
    const { id: repoId } = await core.call('repo.open', { path: repo.dir })
    const preview = await core.call('sleep.preview', { repoId, branch: RUN, except: [] })
    expect(preview.blockers.map((one) => one.refusal)).toEqual(['main-advanced'])
    repo.write(Object.keys(day)[0] as string, 'a person was here\n')
    const dirty = await core.call('sleep.preview', { repoId, branch: RUN, except: [] })
    expect(dirty.blockers).toMatchObject([
      { refusal: 'dirty-tree', worktrees: [{ paths: Object.keys(day) }] },
      { refusal: 'main-advanced' },
    ])
  })

  it('counts a file of one side and a folder of the other as overlapping', async () => {
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { a: '1\n' }, label: 'base' },
        { on: RUN, from: 'base', message: 'Night', files: { 'thing/x': '1\n' } },
        { on: 'main', message: 'Main', files: { thing: '1\n' } },
      ],
    })
    expect(blockers(await only(repo))).toMatchObject([{ refusal: 'main-advanced', overlap: ['thing/x'] }])
  })
})
