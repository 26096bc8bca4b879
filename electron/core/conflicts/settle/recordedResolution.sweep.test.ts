import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withLines } from '../../../../e2e/support/conflictSides.ts'
import { openCore } from '../../../../e2e/support/core.ts'
import {
  buildConflict,
  type ConflictRepo,
  copyRepo,
  joinSides,
  prepareConflict,
  stop,
  tempDir,
} from '../../../../e2e/support/index.ts'
import { rerereForm } from './rerereForm.ts'

const ENABLED = '[rerere]\n\tenabled = true\n'
const RESOLVED = withLines(
  { 3: 'both 3\n', 8: 'ours alone\n', 14: 'first 14\nsecond 14\n', 20: 'theirs alone\n', 26: '' },
  30,
)

/** rerere saw the conflict and what it became, and the merge was begun anew with the files as git merges them. */
function remembered(config = ''): ConflictRepo {
  const repo = prepareConflict('text', { config: `${ENABLED}${config}` })
  stop(repo)
  repo.write('notes.md', RESOLVED)
  repo.git('add', 'notes.md')
  repo.git('commit', '-qm', 'resolved')
  repo.git('reset', '-q', '--hard', 'HEAD^')
  stop(repo)
  repo.git('checkout', '-q', '-m', '--', 'notes.md')
  return repo
}

describe('the id of a conflict', () => {
  it.each(['merge', 'diff3', 'zdiff3'])('is the one that git computes, in the style %s', (style) => {
    const kinds = ['text', 'addAdd', 'setext', 'markerSize', 'finalNewlines', 'crlf'] as const
    const config = `${ENABLED}[merge]\n\tconflictStyle = ${style}\n`
    const repo = buildConflict(joinSides(kinds), { config })
    const notes = readFileSync(join(repo.gitDir, 'MERGE_RR'), 'utf8').split('\0').filter(Boolean)
    expect(notes.length).toBeGreaterThan(6)
    for (const note of notes) {
      const [name = '', path = ''] = note.split('\t')
      const [id = '', variant] = name.split('.')
      const attribute = repo.git('check-attr', 'conflict-marker-size', '--', path).split(' ').at(-1)
      const form = rerereForm(repo.read(path), Number(attribute) || 7)
      expect([path, form?.id]).toEqual([path, id])
      expect(form?.text).toEqual(
        readFileSync(join(repo.gitDir, 'rr-cache', id, variant ? `preimage.${variant}` : 'preimage')),
      )
    }
  })

  it('takes a conflict inside another into its side, as git does', () => {
    const inner = ['<<<<<<< a', 'z', '||||||| b', '=======', 'y', '>>>>>>> c', '']
    const text = ['top', '<<<<<<< ours', ...inner.slice(0, -1), '=======', 'other', '>>>>>>> theirs', 'end', '']
    const repo = prepareConflict('text', { config: ENABLED })
    stop(repo)
    repo.write('notes.md', text.join('\n'))
    repo.write('.git/MERGE_RR', '')
    repo.git('rerere')
    const [id] = readFileSync(join(repo.gitDir, 'MERGE_RR'), 'utf8').split('\t')
    expect(rerereForm(Buffer.from(text.join('\n')), 7)?.id).toBe(id)
  })

  it.each([
    ['a conflict that does not end', '<<<<<<< a\nx\n=======\ny\n'],
    ['two middles', '<<<<<<< a\nx\n=======\ny\n=======\nz\n>>>>>>> b\n'],
    ['no conflict', 'Summary\n=======\n'],
  ])('has none where there is %s', (_, text) => {
    expect(rerereForm(Buffer.from(text), 7)).toBeNull()
  })
})

describe('a resolution that rerere recorded', () => {
  it.each(['', '[merge]\n\tconflictStyle = diff3\n', '[core]\n\tautocrlf = true\n\tsafecrlf = false\n'])(
    'is shown, conflict by conflict, and taken by nobody unasked (%j)',
    async (config) => {
      const repo = remembered(config)
      const before = repo.read('notes.md')
      const { ask, close } = await openCore(repo)
      const { sets } = await ask('conflicts.list', {})
      const [item] = sets[0]?.items ?? []
      const source = sets[0]?.source
      if (item === undefined || source === undefined) throw new Error('no conflict')
      expect(item).toMatchObject({ state: 'open', rerere: 'recorded', total: 3, left: 3 })
      const opened = await ask('conflicts.get', { source, item: item.id })
      expect(opened.merge?.conflicts.map((one) => one.recorded)).toEqual(['both 3\n', 'first 14\nsecond 14\n', ''])
      expect(opened.draft.lines).toEqual([null, null, null])
      await close()
      expect(repo.read('notes.md')).toEqual(before)
      // What git itself would make of it.
      const again = copyRepo(repo, tempDir('rerere'))
      again.git('rerere')
      expect(again.read('notes.md').toString().replaceAll('\r\n', '\n')).toBe(RESOLVED)
    },
  )

  it('is found though the file was edited, and goes onto lines that changed outside of the conflicts', async () => {
    const repo = remembered()
    repo.git('reset', '-q', '--hard')
    const moved = repo.read('notes.md').toString().replace('line 29\n', 'line 29 of another day\n')
    repo.write('notes.md', moved)
    repo.git('commit', '-qam', 'Another day')
    stop(repo)
    expect(repo.read('notes.md').toString()).toBe(RESOLVED.replace('line 29\n', 'line 29 of another day\n'))
    repo.write('notes.md', 'by hand\n')
    const { ask, close } = await openCore(repo)
    const { sets } = await ask('conflicts.list', {})
    const [item] = sets[0]?.items ?? []
    if (item === undefined || sets[0] === undefined) throw new Error('no conflict')
    expect(item.rerere).toBe('recorded')
    const opened = await ask('conflicts.get', { source: sets[0].source, item: item.id })
    expect(opened.merge?.conflicts.map((one) => one.recorded)).toEqual(['both 3\n', 'first 14\nsecond 14\n', ''])
    await close()
  })

  it('is none of a conflict with other lines', async () => {
    const repo = remembered()
    repo.git('reset', '-q', '--hard')
    repo.write('notes.md', repo.read('notes.md').toString().replace('ours 14\n', 'ours 14, other\n'))
    repo.git('commit', '-qam', 'Other')
    stop(repo)
    const { ask, close } = await openCore(repo)
    expect((await ask('conflicts.list', {})).sets[0]?.items[0]).toMatchObject({ rerere: 'none' })
    await close()
  })
})
