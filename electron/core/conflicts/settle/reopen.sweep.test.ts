import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { joinSides } from '../../../../e2e/support/conflictSides.ts'
import { buildConflict, type ConflictRepo } from '../../../../e2e/support/conflicts.ts'
import { expectNoLocks } from '../../../../e2e/support/core.ts'
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

const reopen = ({ ask, source }: Stopped, item: string) => ask('conflicts.reopen', { source, item })

describe('taking back that something is resolved', () => {
  it('puts stages and files back as they were, whatever was decided', async () => {
    const kinds = [
      'text',
      'crlf',
      'utf16',
      'binary',
      'modifyDelete',
      'deleteModify',
      'renameRename',
      'fileToSymlink',
      'mode',
    ] as const
    const built = buildConflict(joinSides(kinds))
    for (const n of [0, 1]) {
      const repo = copyOf(built)
      const stopped = await openStopped(repo)
      const before = stateOf(repo)
      const items = ((await stopped.set())?.items ?? []).filter((item) => n === 0 || item.choices.length > n)
      for (const item of items)
        await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs', item.choices[n]?.id))
      if (n === 0) expect(repo.git('ls-files', '-u')).toBe('')
      for (const item of items) expect(await reopen(stopped, item.id)).toMatchObject({ reopened: true })
      expect(stateOf(repo)).toEqual(before)
      expectSound(repo)
      // And it can be resolved again.
      if (n === 1) {
        await resolveAll(stopped)
        expect(repo.git('ls-files', '-u')).toBe('')
      }
      await stopped.close()
    }
  })

  it('is an entry of the history that can be undone there, also after a restart, once', async () => {
    const repo = buildConflict('twoFiles')
    const home = withHome()
    const first = await openStopped(repo, { test: home })
    const before = stateOf(repo)
    const item = await first.item('a.md')
    const { operationId } = await resolveItem(first, item, await draftOf(first, item))
    await first.close()
    const stopped = await openStopped(repo, { test: home })
    const [entry] = await stopped.ask('history.list', { limit: 5 })
    expect(entry).toMatchObject({
      operationId,
      verb: 'resolve',
      status: 'done',
      undo: 'undo',
      detail: 'a.md',
      branch: 'main',
    })
    const undone = await stopped.ask('sleep.undo', { operationId, revert: false })
    expect(undone).toMatchObject({ undone: true, of: operationId, verb: 'resolve' })
    expect(stateOf(repo)).toEqual(before)
    const history = await stopped.ask('history.list', { limit: 5 })
    expect(history.map((one) => [one.verb, one.status, one.undo])).toEqual([
      ['reopen', 'done', null],
      ['resolve', 'undone', null],
    ])
    expect(await stopped.ask('sleep.undo', { operationId, revert: false })).toMatchObject({
      undone: false,
      refusal: { refusal: 'cannot-undo' },
    })
    await stopped.close()
  })

  it('is refused where the file was edited since, where it was staged anew, and once the operation has ended', async () => {
    const repo = buildConflict('text')
    const stopped = await openStopped(repo)
    const item = await stopped.item('notes.md')
    await resolveItem(stopped, item, await draftOf(stopped, item))
    repo.write('notes.md', 'edited\n')
    expect(await reopen(stopped, item.id)).toMatchObject({
      refusal: { refusal: 'edited-on-disk', paths: ['notes.md'] },
    })
    repo.git('add', 'notes.md')
    expect(await reopen(stopped, item.id)).toMatchObject({ refusal: { refusal: 'conflict-changed' } })
    expect(repo.read('notes.md').toString()).toBe('edited\n')
    repo.git('commit', '-q', '--no-edit')
    await expect(reopen(stopped, item.id)).rejects.toMatchObject({ code: 'ERR_NO_SUCH_CONFLICT' })
    const entry = (await stopped.ask('history.list', { limit: 50 })).find((one) => one.verb === 'resolve')
    expect(await stopped.ask('sleep.undo', { operationId: entry?.operationId ?? '', revert: false })).toMatchObject({
      refusal: { refusal: 'cannot-undo' },
    })
    expect((await stopped.ask('history.list', { limit: 50 })).find((one) => one.status === 'done')?.undo).toBe(null)
    expectSound(repo)
    await stopped.close()
  })
})

describe('what someone resolved with git itself', () => {
  it('is put back in the index; the file, of which nothing is known, stays', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    const { repo } = stopped
    const item = await stopped.item('a.md')
    const unmerged = repo.git('ls-files', '-u')
    repo.write('a.md', 'by hand\n')
    repo.git('add', 'a.md')
    const listed = (await stopped.set())?.items.find((one) => one.id === item.id)
    expect(listed?.state).toBe('resolved')
    expect(await reopen(stopped, item.id)).toMatchObject({ reopened: true })
    expect(repo.git('ls-files', '-u')).toBe(unmerged)
    expect(repo.read('a.md').toString()).toBe('by hand\n')
    expectSound(repo)
    await stopped.close()
  })
})

/** Runs an act that fails at a point as if the process had died there: nothing is rolled back. True where it was cut. */
async function cutOff(
  repo: ConflictRepo,
  home: ReturnType<typeof withHome>,
  point: string | null,
  act: (stopped: Stopped) => Promise<unknown>,
): Promise<boolean> {
  let cut = false
  const stopped = await openStopped(repo, {
    test: home,
    fault: (at) => {
      if (!cut && at !== point) return
      cut = true
      throw new Error('cut off')
    },
  })
  await act(stopped).catch((error: unknown) => {
    if (!cut) throw error
  })
  await stopped.close()
  return cut
}

describe('cut off in the middle', () => {
  const resolve = async (stopped: Stopped) => {
    const item = await stopped.item('text/notes.md')
    await resolveItem(stopped, item, await draftOf(stopped, item, 'theirs'))
  }

  // The kill suite ends the process at every point; these are the ones around which things change.
  const POINTS = [
    'plan written',
    'after git checkout-index',
    'before index',
    'index in place',
    'stage moved',
    'locks gone',
  ]

  it.each(['resolve', 'reopen'] as const)('%s ends wholly done or as before', async (act) => {
    const home = withHome()
    const start = buildConflict(joinSides(['text', 'twoFiles']))
    start.write('twoFiles/a.md', 'an edit of mine\n')
    const first = await openStopped(start, { test: home })
    if (act === 'reopen') await resolve(first)
    const [done] = await first.ask('history.list', { limit: 1 })
    await first.close()
    const run = (stopped: Stopped) =>
      act === 'resolve'
        ? resolve(stopped)
        : stopped.ask('sleep.undo', { operationId: done?.operationId ?? '', revert: false })
    const before = stateOf(start)
    const whole = copyOf(start)
    await cutOff(whole, home, null, run)
    const after = stateOf(whole)
    expect(after).not.toEqual(before)
    for (const point of POINTS) {
      const repo = copyOf(start)
      const cut = await cutOff(repo, home, `${act}:${point}`, run)
      // Nothing is checked out where the bytes of before are put back.
      if (act === 'reopen' && point === 'after git checkout-index') continue
      expect(cut).toBe(true)
      const next = await openStopped(repo, { test: home })
      const moved = POINTS.indexOf(point) >= POINTS.indexOf('index in place')
      expect(stateOf(repo)).toEqual(moved ? after : before)
      expect(repo.read('twoFiles/a.md').toString()).toBe('an edit of mine\n')
      expectNoLocks(repo)
      if (!moved) await run(next)
      expect(stateOf(repo)).toEqual(after)
      await next.close()
    }
  })

  it('a file that was edited after the process died stays as it is', async () => {
    const home = withHome()
    const repo = buildConflict('text')
    let torn = ''
    const stopped = await openStopped(repo, {
      test: home,
      fault: (point) => {
        if (torn === '' && point !== 'resolve:files written') return
        torn ||= readFileSync(join(repo.dir, 'notes.md'), 'utf8')
        throw new Error('cut off')
      },
    })
    const item = await stopped.item('notes.md')
    await expect(resolveItem(stopped, item, await draftOf(stopped, item))).rejects.toThrow('cut off')
    await stopped.close()
    writeFileSync(join(repo.dir, 'notes.md'), 'edited in the meantime\n')
    const next = await openStopped(repo, { test: home })
    expect(repo.read('notes.md').toString()).toBe('edited in the meantime\n')
    expect(repo.git('ls-files', '-u')).not.toBe('')
    expectSound(repo)
    await next.close()
  })

  it('a torn file is put right', async () => {
    const home = withHome()
    const repo = buildConflict('text')
    const before = stateOf(repo)
    let cut = false
    const stopped = await openStopped(repo, {
      test: home,
      fault: (point) => {
        if (!cut && point !== 'resolve:files written') return
        cut = true
        throw new Error('cut off')
      },
    })
    const item = await stopped.item('notes.md')
    await expect(resolveItem(stopped, item, await draftOf(stopped, item))).rejects.toThrow('cut off')
    await stopped.close()
    const whole = repo.read('notes.md')
    writeFileSync(join(repo.dir, 'notes.md'), whole.subarray(0, 20))
    const next = await openStopped(repo, { test: home })
    expect(stateOf(repo)).toEqual(before)
    expect(existsSync(join(repo.gitDir, 'index.lock'))).toBe(false)
    await next.close()
  })
})
