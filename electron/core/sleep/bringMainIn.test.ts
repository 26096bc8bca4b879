import { describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import { DISJOINT, PATHS, RUN, stores, type TestRepo } from '../../../e2e/support/index.ts'

const approveParams = { branch: RUN, except: [], bringMainIn: false }
const both = { ...approveParams, bringMainIn: true }
const parents = (repo: TestRepo, commit: string) => repo.git('rev-list', '--parents', '-n1', commit).split(' ').slice(1)

describe('bring main in', () => {
  it('merges main into the branch with parents main and tip in this order; main and its files stay', async () => {
    const repo = stores.mainAdvancedOverlapping()
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    const outcome = await ask('sleep.bringMainIn', { branch: RUN })
    expect(outcome).toMatchObject({ brought: true, from: tip, upToDate: false })
    expect(parents(repo, RUN)).toEqual([main, tip])
    expect(repo.oid('main')).toBe(main)
    expect(repo.show(RUN, PATHS.movedTo).toString()).toContain('The calendar names the week.')
    const trailer = (key: string) => repo.git('log', '-1', `--format=%(trailers:key=${key},valueonly)`, RUN).trim()
    expect(trailer('Daybreak-Brings-In')).toBe(main)
    expect(trailer('Daybreak-Operation')).toBe((outcome as { operationId: string }).operationId)
    expectUntouched(repo, before)
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: true, upToDate: true })
    // main's first-parent line keeps every version.
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(repo.git('rev-list', '--first-parent', 'main').split('\n')).toContain(main)
    await close()
  })

  it('moves the files of a worktree that has the branch, and keeps local edits there', async () => {
    const repo = stores.mainAdvancedDisjoint(undefined, { head: RUN })
    repo.write(PATHS.untouched, 'mine\n')
    const [tip, before] = [repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: true })
    expect(repo.git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${RUN}`)
    expectUntouched(repo, before, { moved: [tip, repo.oid(RUN)], status: [expect.stringContaining(PATHS.untouched)] })
    await close()
  })

  it('lists the conflicts and changes nothing', async () => {
    const repo = stores.mainAdvancedConflicting()
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    // Ours is the branch that would have moved, theirs what would have been brought.
    const blob = (branch: string) => repo.git('rev-parse', `${branch}:${PATHS.claim}`).trim()
    const blobs = [{ path: PATHS.claim, ours: blob(RUN), theirs: blob('main') }]
    const refusal = { refusal: 'unresolved', conflicts: [PATHS.claim], blobs }
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toEqual({ brought: false, refusal })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    await close()
  })

  it('keeps main’s side of a generated list only where the driver is configured, and runs no driver', async () => {
    for (const configured of [true, false]) {
      const list = { message: 'lists', files: { 'index.html': 'a list of main\n' } }
      const repo = stores.clean(undefined, { onMain: [list] })
      if (!configured) repo.git('config', '--unset', 'merge.ours.driver')
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.bringMainIn', { branch: RUN })
      if (configured) {
        expect(outcome).toMatchObject({ brought: true, both: ['index.html'] })
        expect(repo.show(RUN, 'index.html').toString()).toBe('a list of main\n')
      } else expect(outcome).toMatchObject({ refusal: { refusal: 'unresolved', conflicts: ['index.html'] } })
      await close()
    }
  })

  it('never runs a merge driver of the repository', async () => {
    const repo = stores.mainAdvancedConflicting()
    repo.git('config', 'merge.evil.driver', `touch ${repo.dir}/ran; true`)
    repo.write('.git/info/attributes', '*.html merge=evil\n')
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.bringMainIn', { branch: RUN })).toMatchObject({ brought: false })
    expect(repo.status()).toBe('')
    await close()
  })
})

describe('bring main in and approve', () => {
  it('does both where the advance is disjoint, and the night is undone as one', async () => {
    for (const head of ['main', RUN]) {
      const repo = stores.mainAdvancedDisjoint(undefined, { head })
      const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.approve', both)
      expect(outcome).toMatchObject({ approved: true, rounds: 1, branchRemoved: true, marks: { applied: 4 } })
      expect(parents(repo, 'main')).toEqual([main, tip])
      expectUntouched(repo, before, { moved: [head === 'main' ? main : tip, repo.oid('main')], status: [] })
      const { operationId } = outcome as { operationId: string }
      expect(await ask('sleep.undo', { operationId, revert: false })).toMatchObject({ undone: true, restoredAs: RUN })
      expect(repo.refs()).toEqual(before.refs)
      await close()
    }
  })

  it('leaves out against main as it is now', async () => {
    const repo = stores.mainAdvancedDisjoint()
    const main = repo.oid('main')
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', { ...both, except: [PATHS.claim] })).toMatchObject({ approved: true })
    expect(repo.git('diff', '--name-only', main, 'main', '--', PATHS.claim, 'areas/inbox/backup-window.html')).toBe('')
    expect(parents(repo, 'main^')[0]).toBe(main)
    await close()
  })

  it('never where the advance overlaps, and never unasked', async () => {
    const overlapping = stores.mainAdvancedOverlapping()
    const first = await openCore(overlapping)
    const refusal = { refusal: 'main-advanced', overlap: [PATHS.moved] }
    expect(await first.ask('sleep.approve', both)).toMatchObject({ approved: false, refusal })
    await first.close()
    const disjoint = stores.mainAdvancedDisjoint()
    const second = await openCore(disjoint)
    expect(await second.ask('sleep.approve', approveParams)).toMatchObject({ refusal: { refusal: 'main-advanced' } })
    await second.close()
  })

  it('tries again while main keeps moving disjointly, five rounds at most', async () => {
    for (const [moves, rounds] of [
      [3, 4],
      [9, null],
    ] as const) {
      const repo = stores.mainAdvancedDisjoint()
      let moved = 0
      const { ask, close } = await openCore(repo, {
        fault: (point) => {
          if (point !== 'approve:before refs prepare' || moved >= moves) return
          moved += 1
          const tree = repo.git('rev-parse', 'main^{tree}')
          repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', '-p', 'main', '-m', `busy ${moved}`, tree))
        },
      })
      const outcome = await ask('sleep.approve', both)
      if (rounds) expect(outcome).toMatchObject({ approved: true, rounds })
      else expect(outcome).toMatchObject({ approved: false, refusal: { refusal: 'main-advanced' } })
      expect(moved).toBe(rounds ? moves : 5)
      repo.fsck()
      await close()
    }
    expect(DISJOINT.files).toBeTruthy()
  })
})
