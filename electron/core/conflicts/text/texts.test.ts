import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { tempDir } from '../../../../e2e/support/index.ts'
import { decide, draftModel, editResult, layoutOf } from '../../../../shared/merge/draft/index.ts'
import type { ConflictItem, Draft, MergeView } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { openStateDb, type StateDb } from '../../store/stateDb.ts'
import { conflictReader } from '../provider.ts'
import { createTextRunner } from './runner.ts'
import { type ConflictTexts, createConflictTexts } from './texts.ts'

const source = { from: 'worktree', worktree: '/somewhere/work' } as const
const nothing = { list: async () => [], find: async () => null, blob: async () => null }
const opened: StateDb[] = []
const runner = createTextRunner({ log: () => {} })
afterEach(() => {
  for (const db of opened.splice(0)) db.close()
})

interface Desk {
  readonly texts: ConflictTexts
  readonly repo: RepositoryContext
}

const blobs = new Map<string, Buffer>()

function desk(folder: string): Desk {
  const state = openStateDb(folder)
  opened.push(state)
  const repo = { state, repository: { id: '0123456789abcdef', path: '/somewhere', commonDir: '/somewhere/.git' } }
  const worktree = { ...nothing, blob: async (_: unknown, __: unknown, oid: string) => blobs.get(oid) ?? null }
  const texts = createConflictTexts(
    conflictReader({ worktree, branch: nothing, tool: nothing, candidate: nothing }),
    runner,
  )
  return { texts, repo: repo as unknown as RepositoryContext }
}

function itemOf(
  base: string | Buffer | null,
  ours: string | Buffer,
  theirs: string | Buffer,
  more: Partial<ConflictItem> = {},
): ConflictItem {
  const stages = [base, ours, theirs].flatMap((given, i) => {
    if (given === null) return []
    const bytes = Buffer.from(given)
    const oid = createHash('sha1').update(bytes).digest('hex')
    blobs.set(oid, bytes)
    return [{ path: 'notes.md', stage: (i + 1) as 1, mode: '100644', oid }]
  })
  const fingerprint = stages.map((one) => one.oid).join(' ')
  return {
    id: 'aaaaaaaaaaaaaaaa',
    path: 'notes.md',
    paths: ['notes.md'],
    kind: 'text',
    sentence: '',
    stages,
    fingerprint,
    state: 'open',
    lines: true,
    choices: [],
    total: null,
    left: null,
    rerere: 'none',
    ...more,
  }
}

const lines = (n: number, change: Record<number, string> = {}) =>
  Array.from({ length: n }, (_, i) => `${change[i] ?? `line ${i}`}\n`).join('')
const item = itemOf(lines(30), lines(30, { 3: 'ours', 20: 'ours too' }), lines(30, { 3: 'theirs', 20: 'theirs too' }))
const open = async ({ texts, repo }: Desk, what = item) => texts.open(repo, source, what)
const keep = ({ texts, repo }: Desk, draft: Draft, what = item) =>
  texts.save(repo, source, { item: what.id, fingerprint: what.fingerprint, draft, at: new Date().toISOString() })
const modelOf = (merge: MergeView | null) => draftModel(merge as MergeView)

describe('the texts of conflicts', () => {
  it('opens with nothing decided, and with what was decided after a restart', async () => {
    const folder = tempDir()
    const first = desk(folder)
    const { merge, draft, carried, draftSavedAt } = await open(first)
    expect(merge?.regions.filter(([kind]) => kind === 'conflict')).toHaveLength(2)
    expect({ lines: draft.lines, carried, draftSavedAt }).toEqual({
      lines: [null, null],
      carried: [],
      draftSavedAt: null,
    })
    let mine = decide(draft, 1, { take: 'theirs', by: 'mine' })
    mine = editResult(modelOf(merge), mine, { start: 10, end: 11, lines: ['by hand'] })
    await keep(first, mine)
    // A process that is killed closes nothing.
    const again = await open(desk(folder))
    expect(again.draft).toEqual(mine)
    expect(again.draftSavedAt).not.toBeNull()
    expect(again.carried).toEqual([])
  })

  it('carries over what still applies when the sides are others, and names the rest', async () => {
    const at = desk(tempDir())
    const { merge, draft } = await open(at)
    const model = modelOf(merge)
    let mine = decide(decide(draft, 0, { take: 'ours', by: 'mine' }), 1, { take: 'text', text: 'both\n', by: 'mine' })
    mine = editResult(model, mine, { start: 10, end: 11, lines: ['by hand'] })
    mine = editResult(model, mine, { start: 27, end: 27, lines: ['late'] })
    await keep(at, { ...mine, dropped: [{ side: 'ours', text: 'ours too' }] })
    // Theirs has two lines more at the start, another text in the first conflict, and none of the last lines.
    const theirs = `new\nnewer\n${lines(26, { 3: 'theirs, edited', 20: 'theirs too' })}`
    const moved = itemOf(lines(30), lines(30, { 3: 'ours', 20: 'ours too' }), theirs)
    const { draft: now, carried, merge: view } = await open(at, moved)
    expect(now.lines).toEqual([null, { take: 'text', text: 'both\n', by: 'mine' }])
    expect(layoutOf(modelOf(view), now).lines[12]).toBe('by hand')
    expect(now.edits).toHaveLength(1)
    expect(now.dropped).toEqual([{ side: 'ours', text: 'ours too' }])
    expect(carried).toEqual(
      [
        'A change by hand, “late”: what was around it is not there any more, or in several places.',
        'The decision of one conflict whose lines are others now.',
      ].sort((a, b) => (a.startsWith('The') ? -1 : b.startsWith('The') ? 1 : 0)),
    )
    // Back at the sides of before, all of it is there.
    expect((await open(at)).draft.lines).toEqual(mine.lines)
  })

  it('does not guess where a change by hand belongs', async () => {
    const at = desk(tempDir())
    const block = 'begin\nsame\nend\n'
    const one = itemOf(`${block}x\n`, `${block}o\n`, `${block}t\n`)
    const { merge, draft } = await open(at, one)
    await keep(at, editResult(modelOf(merge), draft, { start: 1, end: 2, lines: ['changed'] }), one)
    const twice = itemOf(`${block}${block}x\n`, `${block}${block}o\n`, `${block}${block}t\n`)
    const now = await open(at, twice)
    expect(now.draft.edits).toEqual([])
    expect(now.carried).toEqual([
      'A change by hand, “changed”: what was around it is not there any more, or in several places.',
    ])
  })

  it('keeps a choice only with the sides that it was made about', async () => {
    const at = desk(tempDir())
    const whole = itemOf('a\n', Buffer.from([0, 1]), Buffer.from([0, 2]), { lines: false, kind: 'binary' })
    const { draft, merge } = await open(at, whole)
    expect(merge).toBeNull()
    await keep(at, { ...draft, choice: 'ours' }, whole)
    expect((await open(at, whole)).draft.choice).toBe('ours')
    const other = await open(
      at,
      itemOf('a\n', Buffer.from([0, 1]), Buffer.from([0, 3]), { lines: false, kind: 'binary' }),
    )
    expect(other.draft.choice).toBeNull()
    expect(other.carried).toEqual(['The choice that was made: its sides are others now.'])
  })

  it('keeps what a page decided about sides that changed under it', async () => {
    const at = desk(tempDir())
    const { draft } = await open(at)
    const moved = itemOf(
      lines(30),
      lines(30, { 3: 'ours', 20: 'ours too' }),
      lines(31, { 3: 'theirs', 20: 'theirs too' }),
    )
    await open(at, moved)
    await keep(at, decide(draft, 0, { take: 'ours', by: 'mine' }))
    expect((await open(at, moved)).draft.lines).toEqual([{ take: 'ours', by: 'mine' }, null])
  })

  it('opens anew where what was kept cannot be understood, and refuses what does not fit', async () => {
    const folder = tempDir()
    const at = desk(folder)
    const { draft } = await open(at)
    await keep(at, decide(draft, 0, { take: 'ours', by: 'mine' }))
    const db = new Database(join(folder, 'state.db'))
    for (const broken of ['{"version":2}', 'no JSON', '{"version":1,"lines":[1]}']) {
      db.prepare('UPDATE drafts SET draft = ?').run(broken)
      const now = await open(at)
      expect(now.draft).toEqual(draft)
      expect(now.carried).toEqual(['What was kept for it: it could not be read.'])
    }
    db.close()
    await expect(keep(at, { ...draft, lines: [null] })).rejects.toMatchObject({ code: 'ERR_BAD_REQUEST' })
    const outside = { ...draft, edits: [{ gap: 9, at: 0, removed: 0, text: 'x\n' }] }
    await expect(keep(at, outside)).rejects.toMatchObject({ code: 'ERR_BAD_REQUEST' })
    await expect(at.texts.decided(at.repo, source, item, outside)).rejects.toMatchObject({ code: 'ERR_BAD_REQUEST' })
  })

  it('gives the bytes to be written once nothing is open, in the encoding of the file', async () => {
    const at = desk(tempDir())
    const legacy = (text: string) => Buffer.from(text, 'latin1')
    const file = itemOf(legacy('\xe4\nx\n'), legacy('\xe4\nours \xf6\n'), legacy('\xe4\ntheirs\n'))
    const { draft } = await open(at, file)
    expect(await at.texts.decided(at.repo, source, file, draft)).toEqual({ open: 1 })
    const ours = await at.texts.decided(at.repo, source, file, decide(draft, 0, { take: 'ours', by: 'mine' }))
    expect(Buffer.from('bytes' in ours ? ours.bytes : []).equals(legacy('\xe4\nours \xf6\n'))).toBe(true)
    const arrow = decide(draft, 0, { take: 'text', text: 'a → b\n', by: 'mine' })
    expect(await at.texts.decided(at.repo, source, file, arrow)).toEqual({
      refusal: { refusal: 'cannot-encode', path: 'notes.md', lines: [2], encoding: 'legacy' },
    })
  })

  it('shows what rerere wrote for each conflict, exactly or not at all', async () => {
    const folder = tempDir()
    const at = desk(folder)
    const recordedIn = async (text: string) => {
      writeFileSync(join(folder, 'notes.md'), text)
      const written = { ...item, rerere: 'written' as const }
      const here = { from: 'worktree', worktree: folder } as const
      return (await at.texts.open(at.repo, here, written)).merge?.conflicts.map((one) => one.recorded)
    }
    expect(await recordedIn(lines(30, { 3: 'first\nof two', 20: '' }))).toEqual(['first\nof two\n', '\n'])
    expect(await recordedIn(lines(30, { 3: 'x', 9: 'another', 20: 'y' }))).toEqual([null, null])
    // The lines between the conflicts stand there twice.
    expect(
      await recordedIn(lines(30, { 3: `x\n${lines(30).slice(lines(4).length, lines(20).length)}y`, 20: 'z' })),
    ).toEqual([null, null])
  })
})
