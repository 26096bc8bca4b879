import { readdirSync, rmSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import {
  copyRepo,
  layouts,
  openTestRepo,
  PATHS,
  RUN,
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

describe('approve', () => {
  it('case 40: unmoved main fast-forwards to the tip without a merge commit', async () => {
    const repo = copyRepo(clean)
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    const outcome = await ask('sleep.approve', approveParams)
    expect(outcome).toMatchObject({ approved: true, alreadyMerged: false, from: main, to: tip, branchRemoved: true })
    expect(repo.refs()).toEqual({ 'refs/heads/main': tip })
    expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expectUntouched(repo, before, { moved: [main, tip], status: [] })
    expect(storeSql(repo.dir, 'index', 'SELECT status, head_sha FROM sleep_runs')).toEqual([
      { status: 'merged', head_sha: tip },
    ])
    await close()
  })

  it('keeps staged, unstaged and untracked edits elsewhere, and HEAD on the sleep branch ends on main', async () => {
    for (const head of ['main', RUN]) {
      const repo = copyRepo(clean)
      const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
      repo.git('checkout', '-q', head)
      repo.write(PATHS.untouched, 'staged\n')
      repo.git('add', PATHS.untouched)
      repo.write('README.html', 'unstaged\n')
      repo.write('notes.txt', 'untracked\n')
      const [before, status] = [remember(repo), repo.status().split('\n')]
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
      expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
      expect(repo.oid('HEAD')).toBe(tip)
      expectUntouched(repo, before, { moved: [main, tip], status })
      await close()
    }
  })
})

describe('refusals of approve move nothing', () => {
  const refused = async (repo: TestRepo, refusal: object, branch = RUN) => {
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', { ...approveParams, branch })).toMatchObject({ approved: false, refusal })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    const [entry] = await ask('history.list', { limit: 1 })
    expect(entry).toMatchObject({ verb: 'approve', branch, status: 'refused', actor: 'Test Person', via: 'test' })
    await close()
  }

  it('case 41: main moved on an overlapping path, and a disjoint move as well', async () => {
    const overlapping = stores.mainAdvancedOverlapping()
    await refused(overlapping, { refusal: 'main-advanced', commits: 1, overlap: [PATHS.moved] })
    await refused(stores.mainAdvancedDisjoint(), { refusal: 'main-advanced', commits: 1, overlap: [] })
  })

  it('case 43: a dirty tree is reported as dirty with the paths that the night touches, never as main-advanced', async () => {
    const repo = stores.dirtyTree()
    await refused(repo, { refusal: 'dirty-tree', worktrees: [{ worktree: repo.dir, paths: [PATHS.claim] }] })
    const advanced = stores.mainAdvancedDisjoint(undefined, { local: { [PATHS.claim]: 'mine' } })
    await refused(advanced, { refusal: 'dirty-tree', worktrees: [{ worktree: advanced.dir, paths: [PATHS.claim] }] })
    const onSleep = stores.headOnSleep(undefined, { local: { [PATHS.claim]: 'mine' } })
    await refused(onSleep, { refusal: 'dirty-tree', worktrees: [{ worktree: onSleep.dir, paths: [PATHS.claim] }] })
  })

  it('every sort of local change on a touched path', async () => {
    const sorts: Record<string, (repo: TestRepo) => readonly string[]> = {
      staged: (repo) => {
        repo.write(PATHS.body, 'staged\n')
        repo.git('add', PATHS.body)
        return [PATHS.body]
      },
      'staged, then put back on disk': (repo) => {
        const was = repo.read(PATHS.body)
        repo.write(PATHS.body, 'staged\n')
        repo.git('add', PATHS.body)
        repo.write(PATHS.body, was)
        return [PATHS.body]
      },
      deleted: (repo) => {
        repo.write(PATHS.body, null)
        return [PATHS.body]
      },
      'removed from the index only': (repo) => {
        repo.git('rm', '-q', '--cached', PATHS.body)
        return [PATHS.body]
      },
      'untracked where a file is to be created': (repo) => {
        repo.write(PATHS.person, 'a person wrote this\n')
        return [PATHS.person]
      },
      'ignored where a file is to be created': (repo) => {
        repo.write('.git/info/exclude', `${PATHS.session}\n`)
        repo.write(PATHS.session, 'ignored bytes\n')
        return [PATHS.session]
      },
      'an ignored folder where a file is to be created': (repo) => {
        repo.write('.git/info/exclude', 'keep.bin\n')
        repo.write(`${PATHS.session}/keep.bin`, 'ignored bytes\n')
        return [`${PATHS.session}/keep.bin`]
      },
      'a file where a folder is to be created': (repo) => {
        repo.write('archive/2026', 'a file\n')
        return ['archive/2026']
      },
      'a link where a folder is to be created': (repo) => {
        repo.write('projects/release', { symlink: '/tmp' })
        return ['projects/release']
      },
      'an edit that git was told not to look at': (repo) => {
        repo.git('update-index', '--assume-unchanged', PATHS.body)
        repo.write(PATHS.body, 'hidden edit\n')
        return [PATHS.body]
      },
      'a skipped file that is there': (repo) => {
        repo.git('update-index', '--skip-worktree', PATHS.claim)
        repo.write(PATHS.claim, 'hidden edit\n')
        return [PATHS.claim]
      },
    }
    for (const [sort, make] of Object.entries(sorts)) {
      const repo = copyRepo(clean)
      const paths = make(repo)
      await refused(repo, { refusal: 'dirty-tree', worktrees: [{ worktree: repo.dir, paths }] }).catch((error) => {
        throw new Error(`${sort}: ${error.message}`)
      })
    }
  })

  it('cases 36 and 42: an unknown run, a branch that is gone and an empty run are three answers; none moves HEAD or main', async () => {
    await refused(copyRepo(clean), { refusal: 'unknown-run', branch: 'sleep/2020-01-01' }, 'sleep/2020-01-01')
    const gone = copyRepo(clean)
    gone.git('update-ref', '-d', `refs/heads/${RUN}`)
    await refused(gone, { refusal: 'branch-gone', branch: RUN })
    await refused(stores.emptyRun(), { refusal: 'empty-run', branch: RUN })
    await refused(stores.emptyRun(undefined, { runStatus: null }), { refusal: 'empty-run', branch: RUN })
  })

  it('a remote branch, main itself, a branch that another worktree holds', async () => {
    const remote = { refusal: 'remote-branch', branch: `origin/${RUN}`, remote: 'origin' }
    await refused(stores.remoteOnly(), remote, `origin/${RUN}`)
    await refused(copyRepo(clean), { refusal: 'unknown-run', branch: 'main' }, 'main')
    const held = stores.inWorktree()
    await refused(held, { refusal: 'branch-in-use', branch: RUN, worktree: held.worktree })
  })

  it('an operation in progress, also a merge whose index is resolved', async () => {
    const repo = copyRepo(clean)
    repo.write('.git/MERGE_HEAD', `${repo.oid('main')}\n`)
    await refused(repo, { refusal: 'operation-in-progress', worktree: repo.dir, operation: 'merge' })
    const rebasing = copyRepo(clean)
    rebasing.git('checkout', '-q', '--detach')
    rebasing.write('.git/rebase-merge/head-name', 'refs/heads/main\n')
    await refused(rebasing, { refusal: 'operation-in-progress', worktree: rebasing.dir, operation: 'rebase' })
  })

  it('core.worktree that points elsewhere', async () => {
    const repo = copyRepo(clean)
    const elsewhere = tempDir('elsewhere')
    repo.git('config', 'core.worktree', elsewhere)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'worktree-outside', target: elsewhere }
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: false, refusal })
    expect(readdirSync(elsewhere)).toEqual([])
    await close()
  })
})

describe('approve in every layout', () => {
  it('refs only: detached, on another branch, bare', async () => {
    const detached = copyRepo(clean)
    detached.git('checkout', '-q', '--detach')
    const side = copyRepo(clean)
    side.git('checkout', '-q', '-b', 'side')
    for (const repo of [detached, side]) {
      const before = remember(repo)
      repo.write(PATHS.claim, 'an edit that main does not touch here\n')
      const dirty = remember(repo)
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
      expect(repo.oid('main')).toBe(before.refs[`refs/heads/${RUN}`])
      expectUntouched(repo, dirty)
      await close()
    }
    const bare = stores.bare()
    const tip = bare.oid(RUN)
    const { ask, close } = await openCore(bare)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: tip })
    expect(bare.refs()).toEqual({ 'refs/heads/main': tip })
    await close()
  })

  it("a bare repository's worktree, and several worktrees that hold main", async () => {
    const held = layouts.bareWithWorktree()
    const [main, tip, before] = [held.oid('main'), held.oid(RUN), remember(held)]
    const first = await openCore(held.main)
    expect(await first.ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: tip })
    expectUntouched(held, before, { moved: [main, tip], status: [] })
    await first.close()

    const repo = copyRepo(clean)
    const second = `${repo.dir}-second`
    repo.git('worktree', 'add', '-q', '--force', second, 'main')
    const other = openTestRepo(second)
    const [beforeHere, beforeThere] = [remember(repo), remember(other)]
    const both = await openCore(other)
    expect(await both.ask('sleep.approve', approveParams)).toMatchObject({ approved: true, to: tip })
    expectUntouched(repo, beforeHere, { moved: [main, tip], status: [] })
    expectUntouched(other, beforeThere, { moved: [main, tip], status: [] })
    await both.close()
  })

  it('a dirty one of several worktrees stops all', async () => {
    const repo = copyRepo(clean)
    const second = `${repo.dir}-dirty`
    repo.git('worktree', 'add', '-q', '--force', second, 'main')
    const other = openTestRepo(second)
    other.write(PATHS.claim, 'mine\n')
    const [beforeHere, beforeThere] = [remember(repo), remember(other)]
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'dirty-tree', worktrees: [{ worktree: second, paths: [PATHS.claim] }] }
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: false, refusal })
    expectUntouched(repo, beforeHere)
    expectUntouched(other, beforeThere)
    await close()
  })

  it('a worktree whose folder was deleted holds nothing; a locked one may come back', async () => {
    for (const locked of [false, true]) {
      const repo = copyRepo(clean)
      const away = `${repo.dir}-away`
      repo.git('worktree', 'add', '-q', away, RUN)
      if (locked) repo.git('worktree', 'lock', away)
      rmSync(away, { recursive: true })
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.approve', approveParams)
      if (locked) expect(outcome).toMatchObject({ refusal: { refusal: 'branch-in-use', worktree: away } })
      else expect(outcome).toMatchObject({ approved: true, branchRemoved: true })
      await close()
    }
  })

  it('an untracked file with the very bytes that are to come does not stand in the way', async () => {
    const repo = copyRepo(clean)
    repo.write(PATHS.person, repo.show(RUN, PATHS.person))
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expectUntouched(repo, before, { moved: [main, tip], status: [] })
    await close()
  })

  it('case 44: an already merged run is a success that says so, with or without its branch', async () => {
    const byHand = stores.alreadyMerged(undefined, { runStatus: 'merged' })
    const hand = await openCore(byHand)
    const before = remember(byHand)
    expect(await hand.ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: true })
    expectUntouched(byHand, before)
    expect(byHand.refs()).toEqual(before.refs)
    await hand.close()

    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo)
    const first = await ask('sleep.approve', approveParams)
    const after = remember(repo)
    const again = await ask('sleep.approve', approveParams)
    expect(again).toMatchObject({ approved: true, alreadyMerged: true, marks: (first as { marks: object }).marks })
    expectUntouched(repo, after)
    await close()
  })

  it('case 44: a merged row, or a report on main, comes before the absence of the branch', async () => {
    const byRow = stores.clean(undefined, { runStatus: 'merged' })
    byRow.git('update-ref', '-d', `refs/heads/${RUN}`)
    const byReport = stores.alreadyMerged(undefined, { databases: false })
    byReport.git('update-ref', '-d', `refs/heads/${RUN}`)
    for (const repo of [byRow, byReport]) {
      const before = remember(repo)
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: true })
      expect(repo.refs()).toEqual(before.refs)
      expectUntouched(repo, before)
      await close()
    }
  })

  it('an approval that was taken back with plain git does not count as merged', async () => {
    const repo = copyRepo(clean)
    const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
    const { ask, close } = await openCore(repo)
    await ask('sleep.approve', approveParams)
    repo.git('reset', '-q', '--hard', main)
    storeSql(repo.dir, 'index', "UPDATE sleep_runs SET status = 'review' RETURNING 1")
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ refusal: { refusal: 'branch-gone' } })
    repo.git('branch', RUN, tip)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: false, to: tip })
    await close()
  })

  it('with the setting keep the branch stays', async () => {
    const repo = copyRepo(clean)
    const tip = repo.oid(RUN)
    const { ask, close } = await openCore(repo)
    await ask('config.set', { key: 'keep', value: 'true' })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, branchRemoved: false })
    expect(repo.refs()).toEqual({ 'refs/heads/main': tip, [`refs/heads/${RUN}`]: tip })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: true })
    await close()
  })

  it('another tip than the reviewed one is an error and moves nothing', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    const asked = ask('sleep.approve', { ...approveParams, tip: repo.oid('main') })
    await expect(asked).rejects.toMatchObject({ code: 'ERR_NO_SUCH_BRANCH' })
    expect(repo.refs()).toEqual(before.refs)
    await close()
  })
})
