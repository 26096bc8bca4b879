import { beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import {
  copyRepo,
  dumpStoreDbs,
  openTestRepo,
  PATHS,
  RUN,
  storeSql,
  stores,
  type TestRepo,
} from '../../../e2e/support/index.ts'
import { refusalText } from '../../../shared/errors/refusals.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

describe('abort', () => {
  it('case 48: deletes the branch, returns HEAD to main, changes no promotion', async () => {
    for (const head of ['main', RUN]) {
      const repo = copyRepo(clean)
      repo.git('checkout', '-q', head)
      const [main, tip, before, planes] = [repo.oid('main'), repo.oid(RUN), remember(repo), dumpStoreDbs(repo.dir)]
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.abort', { branch: RUN })
      expect(outcome).toMatchObject({ aborted: true, branch: RUN, tip, marksDiscarded: 4 })
      expect(repo.refs()).toEqual({ 'refs/heads/main': main })
      expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
      expectUntouched(repo, before, { moved: [tip, main], status: [] })
      const after = dumpStoreDbs(repo.dir)
      expect(after['index.sleep_runs']).toMatchObject([{ status: 'abandoned' }])
      expect({ ...after, 'index.sleep_runs': [] }).toEqual({ ...planes, 'index.sleep_runs': [] })
      expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/daybreak/kept')).toBe(tip)
      expect(await ask('history.list', { limit: 9 })).toMatchObject([{ verb: 'abort', status: 'done', undo: 'undo' }])
      await close()
    }
  })

  it('a clean linked worktree goes over to the commit of main; a dirty one is a refusal', async () => {
    const repo = stores.inWorktree()
    const there = openTestRepo(repo.worktree)
    there.write(PATHS.untouched, 'mine\n')
    const before = remember(there)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'dirty-tree', worktrees: [{ worktree: repo.worktree, paths: [PATHS.untouched] }] }
    expect(await ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: false, refusal })
    expectUntouched(there, before)
    there.git('checkout', '-q', '--', PATHS.untouched)
    there.write('notes.txt', 'untracked\n')
    const [main, tip, clean] = [repo.oid('main'), repo.oid(RUN), remember(there)]
    expect(await ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true })
    expect(there.oid('HEAD')).toBe(main)
    expect(there.code('symbolic-ref', '-q', 'HEAD')).toBe(1)
    expectUntouched(there, clean, { moved: [tip, main], status: ['? notes.txt'] })
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    await close()
  })

  it('a main that has moved on, an empty run and a merged one can be aborted too; a merged row stays', async () => {
    for (const repo of [stores.mainAdvancedConflicting(), stores.emptyRun()]) {
      const [main, before] = [repo.oid('main'), remember(repo)]
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true })
      expect(repo.refs()).toEqual({ 'refs/heads/main': main })
      expectUntouched(repo, before)
      await close()
    }
    const merged = stores.alreadyMerged(undefined, { runStatus: 'merged' })
    const { ask, close } = await openCore(merged)
    expect(await ask('sleep.abort', { branch: RUN })).toMatchObject({ aborted: true, marksDiscarded: 0 })
    expect(storeSql(merged.dir, 'index', 'SELECT status FROM sleep_runs')).toEqual([{ status: 'merged' }])
    await close()
  })

  it('refuses what is not there', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    const unknown = { refusal: 'unknown-run', branch: 'sleep/2020-01-01' }
    expect(await ask('sleep.abort', { branch: 'sleep/2020-01-01' })).toEqual({ aborted: false, refusal: unknown })
    await ask('sleep.abort', { branch: RUN })
    const gone = { refusal: 'branch-gone', branch: RUN }
    expect(await ask('sleep.abort', { branch: RUN })).toEqual({ aborted: false, refusal: gone })
    await close()
  })

  it('every verb says unknown run of what no branch can be called, and moves nothing', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    const refs = repo.refs()
    for (const branch of ['sleep/x\n', 'sleep/../x', '@{u}']) {
      const no = { refusal: { refusal: 'unknown-run', branch } }
      expect(await ask('sleep.approve', { branch, except: [], bringMainIn: false })).toMatchObject(no)
      expect(await ask('sleep.approve', { branch, except: [], bringMainIn: true })).toMatchObject(no)
      expect(await ask('sleep.abort', { branch })).toMatchObject(no)
      expect(await ask('sleep.bringMainIn', { branch })).toMatchObject(no)
      expect(await ask('sleep.applyMarks', { branch })).toMatchObject({ marks: { pending: 0, applied: 0 } })
      await expect(ask('review.get', { branch })).rejects.toMatchObject({ code: 'ERR_NO_SUCH_BRANCH' })
      await expect(ask('sleep.preview', { branch, except: [] })).rejects.toMatchObject({ code: 'ERR_NO_SUCH_BRANCH' })
    }
    expect(repo.refs()).toEqual(refs)
    await close()
  })

  it('says merged of a night that was approved and whose branch is gone', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    await ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false })
    const merged = { refusal: 'branch-gone', branch: RUN, merged: true } as const
    expect(await ask('sleep.abort', { branch: RUN })).toEqual({ aborted: false, refusal: merged })
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toEqual({ brought: false, refusal: merged })
    expect(refusalText(merged).what).toBe(`${RUN} is merged: all of it is on main, and its branch is gone.`)
    await close()
  })
})
