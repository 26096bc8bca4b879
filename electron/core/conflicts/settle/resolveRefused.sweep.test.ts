import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildConflict } from '../../../../e2e/support/conflicts.ts'
import {
  draftOf,
  droppingLost,
  expectSound,
  openStopped,
  resolveAll,
  resolveItem,
  type Stopped,
  stateOf,
} from '../../testing/stoppedCore.ts'

const refusal = async (stopped: Stopped, path: string, more: { overDisk?: string | null; draft?: 'theirs' } = {}) => {
  const item = await stopped.item(path)
  const outcome = await stopped.ask('conflicts.resolve', {
    source: stopped.source,
    item: item.id,
    fingerprint: item.fingerprint,
    draft: await draftOf(stopped, item, more.draft ?? 'ours'),
    overDisk: more.overDisk ?? null,
  })
  return outcome.resolved ? null : outcome.refusal
}

describe('what stands in the way', () => {
  it('something open, and nothing is written', async () => {
    const stopped = await openStopped(buildConflict('text'))
    const before = stateOf(stopped.repo)
    const item = await stopped.item('notes.md')
    const draft = await draftOf(stopped, item, (at) => (at === 1 ? null : { take: 'ours', by: 'mine' }))
    const outcome = await stopped.ask('conflicts.resolve', {
      source: stopped.source,
      item: item.id,
      fingerprint: item.fingerprint,
      draft,
      overDisk: null,
    })
    expect(outcome).toEqual({ resolved: false, refusal: { refusal: 'unresolved', conflicts: ['notes.md'] } })
    expect(stateOf(stopped.repo)).toEqual(before)
    expectSound(stopped.repo)
    await stopped.close()
  })

  it('other sides than those that were decided about', async () => {
    const stopped = await openStopped(buildConflict('text'))
    const item = await stopped.item('notes.md')
    const draft = await draftOf(stopped, item)
    const given = { source: stopped.source, item: item.id, draft, overDisk: null }
    expect(await stopped.ask('conflicts.resolve', { ...given, fingerprint: 'another' })).toMatchObject({
      refusal: { refusal: 'conflict-changed', path: 'notes.md' },
    })
    await stopped.close()
  })

  it('sides that change between the look and the lock', async () => {
    const repo = buildConflict('text')
    const stopped = await openStopped(repo, {
      fault: (point) => {
        if (point !== 'resolve:before index lock') return
        const oid = repo.gitBytes(['hash-object', '-w', '--stdin'], { input: 'else\n' }).toString().trim()
        repo.gitBytes(['update-index', '--index-info'], { input: `100644 ${oid} 3\tnotes.md\n` })
      },
    })
    expect(await refusal(stopped, 'notes.md')).toEqual({ refusal: 'conflict-changed', path: 'notes.md' })
    expect(repo.git('ls-files', '-u')).not.toBe('')
    expectSound(repo)
    await stopped.close()
  })

  it('an edit on disk since git wrote the file, unless its digest is handed back', async () => {
    const stopped = await openStopped(buildConflict('text'))
    const { repo } = stopped
    repo.write('notes.md', `${repo.read('notes.md')}by an agent\n`)
    const before = stateOf(repo)
    expect(await refusal(stopped, 'notes.md')).toEqual({ refusal: 'edited-on-disk', paths: ['notes.md'] })
    expect(await refusal(stopped, 'notes.md', { overDisk: 'f'.repeat(64) })).toMatchObject({
      refusal: 'edited-on-disk',
    })
    expect(stateOf(repo)).toEqual(before)
    const item = await stopped.item('notes.md')
    const { onDisk } = await stopped.ask('conflicts.get', { source: stopped.source, item: item.id })
    expect(onDisk.state).toBe('edited')
    await resolveItem(stopped, item, await draftOf(stopped, item), onDisk.digest)
    expect(repo.git('ls-files', '-u')).toBe('')
    // What was replaced is kept, and comes back.
    await stopped.ask('conflicts.reopen', { source: stopped.source, item: item.id })
    expect(repo.read('notes.md').toString()).toMatch(/by an agent\n$/)
    await stopped.close()
  })

  it('an edit made while the lock is taken', async () => {
    const repo = buildConflict('text')
    for (const point of ['index locked', 'plan written', 'files begin']) {
      const stopped = await openStopped(repo, {
        fault: (at) => {
          if (at === `resolve:${point}`) repo.write('notes.md', 'by an agent\n')
        },
      })
      expect(await refusal(stopped, 'notes.md')).toEqual({ refusal: 'edited-on-disk', paths: ['notes.md'] })
      expect(repo.read('notes.md').toString()).toBe('by an agent\n')
      expect(repo.git('ls-files', '-u')).not.toBe('')
      repo.git('checkout', '-m', '--', 'notes.md')
      expectSound(repo)
      await stopped.close()
    }
  })

  it("markers in the person's own text, but not in a side's", async () => {
    const stopped = await openStopped(buildConflict('text'))
    const item = await stopped.item('notes.md')
    const text = 'before\n<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> infra/pg17\n'
    const draft = await draftOf(stopped, item, () => ({ take: 'text', text, by: 'mine' }))
    const given = { source: stopped.source, item: item.id, fingerprint: item.fingerprint, overDisk: null }
    const refused = await stopped.ask('conflicts.resolve', { ...given, draft })
    expect(refused).toMatchObject({ refusal: { refusal: 'markers-left', path: 'notes.md' } })
    if (!refused.resolved && refused.refusal.refusal === 'markers-left')
      expect(refused.refusal.lines.slice(0, 3)).toEqual([4, 6, 8])
    const heading = await draftOf(stopped, item, () => ({ take: 'text', text: 'Title\n=======\n', by: 'mine' }))
    const { lost } = await stopped.ask('conflicts.check', {
      source: given.source,
      item: given.item,
      fingerprint: given.fingerprint,
      draft: heading,
    })
    const before = stateOf(stopped.repo)
    expect(await stopped.ask('conflicts.resolve', { ...given, draft: heading })).toEqual({
      resolved: false,
      refusal: { refusal: 'lines-lost', path: 'notes.md', lines: lost },
    })
    expect(stateOf(stopped.repo)).toEqual(before)
    const dropping = { ...given, draft: await droppingLost(stopped, item, heading) }
    expect(await stopped.ask('conflicts.resolve', dropping)).toMatchObject({ resolved: true })
    await stopped.close()
    const tutorial = '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n'
    const taught = await openStopped(
      buildConflict({ base: { 'a.md': 'x\n' }, ours: { 'a.md': tutorial }, theirs: { 'a.md': 'y\n' } }),
    )
    await resolveAll(taught)
    expect(taught.repo.read('a.md').toString()).toBe(tutorial)
    await taught.close()
  })

  it('seven characters are no marker in a file whose markers have fifteen', async () => {
    const stopped = await openStopped(buildConflict('markerSize'))
    const item = await stopped.item('long.md')
    const given = { source: stopped.source, item: item.id, fingerprint: item.fingerprint, overDisk: null }
    const draftWith = (mark: string) =>
      draftOf(stopped, item, () => ({ take: 'text', text: `${mark} HEAD\n`, by: 'mine' }))
    const fifteen = await draftWith('<'.repeat(15))
    expect(await stopped.ask('conflicts.resolve', { ...given, draft: fifteen })).toMatchObject({ resolved: false })
    const seven = await draftWith('<'.repeat(7))
    expect(await stopped.ask('conflicts.resolve', { ...given, draft: seven })).toMatchObject({
      resolved: false,
      refusal: { refusal: 'lines-lost', path: 'long.md' },
    })
    await stopped.close()
  })

  it('a lock of someone else is waited for, then told, and stays', async () => {
    const repo = buildConflict('text')
    const lock = join(repo.gitDir, 'index.lock')
    const stopped = await openStopped(repo, { lockPatience: 200 })
    writeFileSync(lock, 'not ours')
    const before = stateOf(repo)
    await expect(refusal(stopped, 'notes.md')).rejects.toMatchObject({ code: 'ERR_LOCKED', data: { path: lock } })
    expect(existsSync(lock)).toBe(true)
    repo.write('.git/index.lock', null)
    expect(stateOf(repo)).toEqual(before)
    expect(await refusal(stopped, 'notes.md')).toBe(null)
    await stopped.close()
  })

  it('a filter of the repository itself that was not accepted', async () => {
    const repo = buildConflict('text')
    repo.git('config', 'filter.shout.smudge', `touch ${repo.dir}/ran; cat`)
    repo.git('config', 'filter.shout.clean', `touch ${repo.dir}/ran; cat`)
    repo.write('.git/info/attributes', '*.md filter=shout\n')
    const stopped = await openStopped(repo)
    expect(await refusal(stopped, 'notes.md')).toMatchObject({
      refusal: 'not-trusted',
      items: [{ kind: 'filter', name: 'filter.shout.smudge' }, { kind: 'filter' }],
    })
    expect(existsSync(join(repo.dir, 'ran'))).toBe(false)
    const { hash } = await stopped.ask('trust.get', {})
    await stopped.ask('trust.accept', { hash })
    expect(await refusal(stopped, 'notes.md')).toBe(null)
    expect(existsSync(join(repo.dir, 'ran'))).toBe(true)
    await stopped.close()
  })

  it('a folder with files of its own where a file is to come', async () => {
    const repo = buildConflict('deleteModify')
    repo.write('gone.md', null)
    mkdirSync(join(repo.dir, 'gone.md'))
    writeFileSync(join(repo.dir, 'gone.md', 'mine.txt'), 'mine\n')
    const stopped = await openStopped(repo)
    const item = await stopped.item('gone.md')
    const keep = item.choices.find((one) => one.result.length > 0)
    const draft = await draftOf(stopped, item, 'ours', keep?.id)
    const outcome = await stopped.ask('conflicts.resolve', {
      source: stopped.source,
      item: item.id,
      fingerprint: item.fingerprint,
      draft,
      overDisk: null,
    })
    expect(outcome).toMatchObject({
      refusal: { refusal: 'path-clash', clashes: [{ file: 'gone.md', inside: 'gone.md/mine.txt' }] },
    })
    expect(repo.read('gone.md/mine.txt').toString()).toBe('mine\n')
    expectSound(repo)
    await stopped.close()
  })
})
