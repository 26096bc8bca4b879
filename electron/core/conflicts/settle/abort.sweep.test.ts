import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conflictSides, joinSides } from '../../../../e2e/support/conflictSides.ts'
import {
  buildConflict,
  buildSubmoduleConflict,
  CONFLICT_OPERATIONS,
  prepareConflict,
  stop,
} from '../../../../e2e/support/conflicts.ts'
import { withHome } from '../../../../e2e/support/index.ts'
import {
  copyOf,
  draftOf,
  expectSound,
  openStopped,
  resolveAll,
  resolveItem,
  type Stopped,
  stateOf,
} from '../../testing/stoppedCore.ts'

const abort = ({ ask, source }: Stopped) => ask('conflicts.abort', { source })

describe('giving up', () => {
  it.each(CONFLICT_OPERATIONS)('a %s goes back to where it began, with or without decisions', async (operation) => {
    const sides = joinSides(['text', 'twoFiles', 'modifyDelete', 'addAdd', 'binary'])
    const ready = prepareConflict(sides, { operation })
    ready.write('untracked.txt', 'mine\n')
    const before = stateOf(ready)
    const branch = ready.git('symbolic-ref', 'HEAD')
    stop(ready)
    for (const decided of operation === 'merge' ? [false, true] : [true]) {
      const repo = copyOf(ready)
      const stopped = await openStopped(repo)
      if (decided)
        await resolveItem(
          stopped,
          await stopped.item('text/notes.md'),
          await draftOf(stopped, await stopped.item('text/notes.md')),
        )
      expect(await abort(stopped)).toMatchObject({ done: true, ended: true, to: repo.oid('HEAD') })
      expect(stateOf(repo)).toEqual(before)
      expect(repo.git('symbolic-ref', 'HEAD')).toBe(branch)
      expect(await stopped.set()).toBe(null)
      for (const file of [
        'MERGE_HEAD',
        'MERGE_MSG',
        'CHERRY_PICK_HEAD',
        'REVERT_HEAD',
        'rebase-merge',
        'rebase-apply',
        'sequencer',
      ])
        expect(existsSync(join(repo.gitDir, file))).toBe(false)
      const [entry] = await stopped.ask('history.list', { limit: 1 })
      expect(entry).toMatchObject({ verb: 'abort-operation', status: 'done', undo: null })
      // What was there is still to be found.
      expect(repo.code('rev-parse', '--verify', '-q', `refs/daybreak/undo/${entry?.operationId}`)).toBe(0)
      if (operation === 'stash') expect(repo.code('rev-parse', '-q', '--verify', 'refs/stash')).toBe(0)
      expectSound(repo)
      await stopped.close()
    }
  })

  it('a sequence of cherry-picks goes back to before its first one', async () => {
    const repo = prepareConflict('twoFiles', { operation: 'cherry-pick', before: [{ 'first.md': 'first\n' }] })
    const before = stateOf(repo)
    expect(repo.code('cherry-pick', 'infra/pg17~2..infra/pg17')).toBe(1)
    expect(repo.refs()['refs/heads/main']).not.toBe(before.refs['refs/heads/main'])
    const stopped = await openStopped(repo)
    await resolveAll(stopped)
    expect(await abort(stopped)).toMatchObject({ done: true, ended: true, to: before.refs['refs/heads/main'] })
    expect(stateOf(repo)).toEqual(before)
    expectSound(repo)
    await stopped.close()
  })

  it("kinds of every sort, and a submodule's working tree stays", async () => {
    const kinds = ['renameRename', 'fileToSymlink', 'symlinks', 'mode', 'fileDirectory', 'crlf', 'names'] as const
    const ready = prepareConflict(joinSides(kinds))
    const before = stateOf(ready)
    stop(ready)
    const stopped = await openStopped(ready)
    expect(await abort(stopped)).toEqual({
      done: true,
      ended: true,
      operationId: expect.any(String),
      to: expect.any(String),
    })
    expect(stateOf(ready)).toEqual(before)
    await stopped.close()
    const repo = buildSubmoduleConflict()
    repo.write('lib/mine.txt', 'mine\n')
    const other = await openStopped(repo)
    expect(await abort(other)).toMatchObject({ done: true })
    expect(repo.read('lib/mine.txt').toString()).toBe('mine\n')
    expect(repo.git('ls-files', '-s', 'lib')).toContain(repo.git('rev-parse', 'HEAD:lib'))
    await other.close()
  })

  it('unrelated edits survive: staged ones are refused, unstaged and untracked ones stay', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    const { repo } = stopped
    repo.write('README.md', 'edited\n')
    repo.write('new.txt', 'new\n')
    expect(await abort(stopped)).toMatchObject({ done: true })
    expect(repo.read('README.md').toString()).toBe('edited\n')
    expect(repo.read('new.txt').toString()).toBe('new\n')
    await stopped.close()
  })
})

describe('what giving up would throw away is named, and nothing is touched', () => {
  it.each(CONFLICT_OPERATIONS)('%s: a conflicted file that was edited by hand', async (operation) => {
    const stopped = await openStopped(buildConflict('twoFiles', { operation }))
    const { repo } = stopped
    repo.write('a.md', 'a long evening of work\n')
    const before = stateOf(repo)
    expect(await abort(stopped)).toEqual({
      done: false,
      refusal: { refusal: 'dirty-tree', worktrees: [{ worktree: repo.dir, paths: ['a.md'] }] },
    })
    expect(stateOf(repo)).toEqual(before)
    expectSound(repo)
    await stopped.close()
  })

  it('a file staged by someone, and one that the merge changed and someone edited since', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    const { repo } = stopped
    repo.write('README.md', 'staged\n')
    repo.git('add', 'README.md')
    repo.write('side.md', 'edited\n')
    const before = stateOf(repo)
    expect(await abort(stopped)).toMatchObject({
      refusal: { refusal: 'dirty-tree', worktrees: [{ paths: ['README.md', 'side.md'] }] },
    })
    expect(stateOf(repo)).toEqual(before)
    await stopped.close()
  })

  it('what was staged before a stash was popped onto it', async () => {
    for (const path of ['README.md', 'a.md', 'merges.md']) {
      const base = { 'a.md': 'one\n', 'merges.md': '1\n2\n3\n4\n5\n', 'also.md': 'one\n' }
      const theirs = { 'a.md': 'theirs\n', 'merges.md': '1\n2\n3\n4\ntheirs\n', 'also.md': 'theirs\n' }
      const repo = prepareConflict({ base, ours: { 'also.md': 'ours\n' }, theirs }, { operation: 'stash' })
      const staged = path === 'merges.md' ? 'mine\n2\n3\n4\n5\n' : 'staged\n'
      repo.write(path, staged)
      repo.git('add', path)
      stop(repo)
      const stopped = await openStopped(repo)
      const before = stateOf(repo)
      expect(await abort(stopped)).toMatchObject({ refusal: { refusal: 'dirty-tree', worktrees: [{ paths: [path] }] } })
      expect(stateOf(repo)).toEqual(before)
      await stopped.close()
    }
  })

  it('any edit at all, where git itself would throw all of them away', async () => {
    for (const operation of ['rebase', 'am'] as const) {
      const stopped = await openStopped(buildConflict('twoFiles', { operation }))
      const { repo } = stopped
      repo.write('README.md', 'edited\n')
      const before = stateOf(repo)
      expect(await abort(stopped)).toMatchObject({ refusal: { worktrees: [{ paths: ['README.md'] }] } })
      expect(stateOf(repo)).toEqual(before)
      await stopped.close()
    }
  })

  it('an untracked file where a file is to come back, also inside a folder in its place', async () => {
    const base = { 'a.md': 'a\n', 'old.md': 'old\n' }
    for (const operation of ['merge', 'rebase'] as const) {
      // The side that a rebase goes back to is theirs.
      const gone = { 'a.md': 'b\n', 'old.md': null }
      const kept = { 'a.md': 'c\n' }
      const sides = operation === 'merge' ? { base, ours: kept, theirs: gone } : { base, ours: gone, theirs: kept }
      const stopped = await openStopped(buildConflict(sides, { operation }))
      stopped.repo.write('old.md', 'another one\n')
      expect(await abort(stopped)).toMatchObject({ refusal: { worktrees: [{ paths: ['old.md'] }] } })
      expect(stopped.repo.read('old.md').toString()).toBe('another one\n')
      await stopped.close()
    }
    const stopped = await openStopped(buildConflict('fileDirectory'))
    stopped.repo.write('thing/mine.md', 'mine\n')
    expect(await abort(stopped)).toMatchObject({ refusal: { worktrees: [{ paths: ['thing/mine.md'] }] } })
    expect(stopped.repo.read('thing/mine.md').toString()).toBe('mine\n')
    await stopped.close()
  })

  it('what someone staged in a file that the merge had staged', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    stopped.repo.write('side.md', 'staged over the merge\n')
    stopped.repo.git('add', 'side.md')
    expect(await abort(stopped)).toMatchObject({ refusal: { worktrees: [{ paths: ['side.md'] }] } })
    await stopped.close()
  })

  it('conflicts that no operation of git’s stands behind', async () => {
    const repo = prepareConflict(conflictSides.twoFiles())
    expect(repo.code('merge', '--squash', 'infra/pg17')).toBe(1)
    const stopped = await openStopped(repo)
    const before = stateOf(repo)
    const outcome = await abort(stopped)
    if ((await stopped.set())?.operation !== 'stash')
      expect(outcome).toMatchObject({ refusal: { refusal: 'operation-failed' } })
    expect(stateOf(repo)).toEqual(before)
    await stopped.close()
  })
})

describe('cut off', () => {
  it('giving up a merge ends wholly done or as before', async () => {
    const home = withHome()
    const built = prepareConflict(joinSides(['text', 'twoFiles', 'modifyDelete']))
    const { index, files } = stateOf(built)
    stop(built)
    built.write('mine.txt', 'mine\n')
    const before = stateOf(built)
    const after = { index, files: { ...files, 'mine.txt': before.files['mine.txt'] } }
    for (const point of [
      'plan written',
      'after git checkout-index',
      'index in place',
      'before git merge',
      'stage moved',
    ]) {
      const repo = copyOf(built)
      let cut = false
      const stopped = await openStopped(repo, {
        test: home,
        fault: (at) => {
          if (!cut && at !== `abort-operation:${point}`) return
          cut = true
          throw new Error('cut off')
        },
      })
      await expect(abort(stopped)).rejects.toThrow('cut off')
      await stopped.close()
      const next = await openStopped(repo, { test: home })
      const done = ['index in place', 'before git merge', 'stage moved'].includes(point)
      expect(stateOf(repo)).toMatchObject(done ? after : { index: before.index, files: before.files })
      expect(existsSync(join(repo.gitDir, 'MERGE_HEAD'))).toBe(!done)
      expectSound(repo)
      await next.close()
    }
  })
})
