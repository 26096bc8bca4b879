import { describe, expect, it } from 'vitest'
import { prepareConflict, stop } from '../../../../e2e/support/conflicts.ts'
import { git, tempDir } from '../../../../e2e/support/index.ts'
import { openTestRepo } from '../../../../e2e/support/repo.ts'
import { draftOf, openStopped, resolveAll, resolveItem, stateOf } from '../../testing/stoppedCore.ts'

const abort = ({ ask, source }: Awaited<ReturnType<typeof openStopped>>) => ask('conflicts.abort', { source })

describe('repositories of an odd make', () => {
  it('a split index, and a sparse one', async () => {
    for (const config of [
      ['core.splitIndex', 'true'],
      ['index.sparse', 'true'],
    ] as const) {
      const repo = prepareConflict({
        base: { 'docs/a.md': 'a\n', 'mem/deep/note.md': 'one\n', 'other/x.md': 'x\n' },
        ours: { 'docs/a.md': 'ours\n' },
        theirs: { 'docs/a.md': 'theirs\n' },
      })
      repo.git('config', ...config)
      if (config[0] === 'index.sparse') repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'docs')
      else repo.git('update-index', '--split-index')
      stop(repo)
      const before = stateOf(repo)
      const stopped = await openStopped(repo)
      const item = await stopped.item('docs/a.md')
      await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
      expect(repo.git('ls-files', '-u')).toBe('')
      expect(repo.git('status', '--porcelain')).toBe('M  docs/a.md\nA  side.md')
      await stopped.ask('conflicts.reopen', { source: stopped.source, item: item.id })
      expect(stateOf(repo)).toEqual(before)
      expect(await abort(stopped)).toMatchObject({ done: true })
      expect(repo.git('status', '--porcelain')).toBe('')
      await stopped.close()
    }
  })

  it('object ids of 64 digits', async () => {
    const dir = tempDir('sha256')
    git('/', ['init', '-q', '-b', 'main', '--object-format=sha256', dir])
    const repo = openTestRepo(dir)
    repo.commit('base', { 'a.md': 'one\n', 'gone.md': 'one\n' })
    repo.git('checkout', '-q', '-b', 'side')
    repo.commit('side', { 'a.md': 'theirs\n', 'gone.md': null })
    repo.git('checkout', '-q', 'main')
    repo.commit('ours', { 'a.md': 'ours\n', 'gone.md': 'two\n' })
    expect(repo.code('merge', 'side')).toBe(1)
    const stopped = await openStopped({
      ...repo,
      main: repo,
      operation: 'merge',
      commits: { base: '', ours: '', theirs: '' },
    })
    const gone = await stopped.item('gone.md')
    const drop = gone.choices.find((one) => one.result.length === 0)
    await resolveItem(stopped, gone, await draftOf(stopped, gone, 'ours', drop?.id))
    expect(repo.git('ls-files', '-s', 'gone.md')).toBe('')
    await resolveAll(stopped)
    expect(await stopped.ask('conflicts.proceed', { source: stopped.source })).toMatchObject({
      done: true,
      ended: true,
    })
    expect(repo.status()).toBe('')
    repo.fsck()
    await stopped.close()
  })
})
