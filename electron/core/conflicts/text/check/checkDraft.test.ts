import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, editResult, emptyDraft, layoutOf } from '../../../../../shared/merge/draft/index.ts'
import type { Draft } from '../../../../../shared/model/index.ts'
import { draftBytes } from '../draftBytes.ts'
import { finish } from '../finish.ts'
import { type TextMerge, textMerge } from '../textMerge.ts'
import { checkDraft } from './checkDraft.ts'
import { Places } from './places.ts'
import { proofOf } from './proof.ts'

const SEED = 20261203
console.log(`fast-check seed ${SEED}`)

const setup = {
  names: { ours: 'researcher', theirs: 'planner' },
  markerSize: 7,
  hash: 'sha1',
  choiceOpen: false,
} as const
const open = (base: string | Buffer, ours: string | Buffer, theirs: string | Buffer): TextMerge =>
  textMerge({ base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }) as TextMerge
const check = (text: TextMerge, draft: Draft) => checkDraft(text, draft, setup)
const file = (n: number, change: Record<number, string> = {}) =>
  Array.from({ length: n }, (_, i) => `${change[i] ?? `line ${i}`}\n`).join('')

describe('the check of a draft', () => {
  it('says what is decided, and gives the blob that git would', () => {
    const text = open(file(9), file(9, { 2: 'a', 7: 'A' }), file(9, { 2: 'b', 7: 'B' }))
    const empty = emptyDraft(text.model)
    expect(check(text, empty)).toMatchObject({ open: 2, oid: null, proof: '0 of 2 hunks decided, 2 open', holds: true })
    const done = decide(decide(empty, 0, { take: 'ours', by: 'mine' }), 1, { take: 'theirs', by: 'mine' })
    const checked = check(text, done)
    const wanted = file(9, { 2: 'a', 7: 'B' })
    const oid = execFileSync('git', ['hash-object', '--stdin'], { input: wanted }).toString().trim()
    expect(checked).toMatchObject({ open: 0, oid, proof: '2 hunks decided; all else identical', holds: true })
    expect(checked.facts).toBe('LF, UTF-8, no BOM, final newline kept')
    const byHand = editResult(text.model, done, { start: 4, end: 5, lines: ['x', 'y'] })
    expect(check(text, byHand).proof).toBe('2 hunks decided, 2 lines changed by hand; all else identical')
    expect(checkDraft(text, done, { ...setup, choiceOpen: true })).toMatchObject({ open: 1, oid: null })
  })

  it('lists each line that is lost with its place, until it is dropped on purpose', () => {
    const text = open(file(9), file(9, { 2: 'a' }), file(9, { 2: 'b', 6: 'only theirs' }))
    let draft = decide(emptyDraft(text.model), 0, { take: 'ours', by: 'mine' })
    expect(check(text, draft).audit).toEqual([
      {
        what: 'lost',
        side: 'theirs',
        line: 2,
        resultLine: 2,
        conflict: 0,
        text: 'b',
        trivial: false,
        dropped: false,
        needs: false,
      },
    ])
    draft = { ...draft, dropped: [{ side: 'theirs', text: 'b' }] }
    expect(check(text, draft)).toMatchObject({ lost: 0, audit: [{ dropped: true }] })
    draft = editResult(text.model, draft, { start: 6, end: 8, lines: [] })
    const gone = check(text, draft).audit.filter((row) => !row.dropped)
    expect(gone.map(({ what, side, line, conflict, text: own }) => [what, side, line, conflict, own])).toEqual([
      ['lost', 'theirs', 6, null, 'only theirs'],
      ['missing', 'base', 7, null, 'line 7'],
    ])
    expect(gone.map((row) => row.resultLine)).toEqual([6, 6])
  })

  it('takes what a decision for the other side gave up as dropped, and nothing that went otherwise', () => {
    const text = open(file(12), file(12, { 2: 'a', 6: 'A', 8: 'see also' }), file(12, { 2: 'b', 6: 'B', 10: 'b' }))
    expect(text.model.conflicts.length).toBe(2)
    const empty = emptyDraft(text.model)
    const needs = (draft: Draft) => {
      const { audit, lost } = check(text, draft)
      const rows = audit.filter((row) => row.needs)
      expect(lost).toBe(rows.length)
      return rows.map((row) => `${row.side} ${row.text}`)
    }
    const mine = (take: 'ours' | 'theirs' | 'base') => ({ take, by: 'mine' }) as const
    const both = (draft: Draft, one: 'ours' | 'theirs' | 'base') => decide(decide(draft, 0, mine(one)), 1, mine(one))
    expect(needs(empty)).toEqual([])
    for (const side of ['ours', 'theirs', 'base'] as const) expect(needs(both(empty, side))).toEqual([])
    // The same by a rule, a program or a hand is nobody's choice of a side.
    for (const by of ['rule', 'AI', 'rerere'] as const)
      expect(needs(decide(both(empty, 'ours'), 1, { take: 'ours', by }))).toEqual(['theirs B'])
    expect(needs(decide(both(empty, 'ours'), 1, { take: 'recorded', by: 'rerere' }))).toEqual([])
    const byHand = decide(both(empty, 'ours'), 1, { take: 'text', text: 'neither\n', by: 'mine' })
    expect(needs(byHand)).toEqual(['ours A', 'theirs B'])
    expect(needs({ ...byHand, dropped: [{ side: 'ours', text: 'A' }] })).toEqual(['theirs B'])
    // A line that was given up in one conflict and taken out by hand elsewhere is lost once too often.
    const out = layoutOf(text.model, both(empty, 'ours')).lines.lastIndexOf('b')
    expect(needs(editResult(text.model, both(empty, 'ours'), { start: out, end: out + 1, lines: [] }))).toEqual([
      'theirs b',
    ])
    expect(needs(editResult(text.model, both(empty, 'theirs'), { start: 8, end: 9, lines: [''] }))).toEqual([
      'ours see also',
    ])
  })

  it('counts both word edits as kept, blank lines as nothing, and lists what is lost first', () => {
    const text = open('one two three\n\nkept\n', 'ONE two three\n\nkept\n', 'one two THREE\n\nkept\n')
    const combined = decide(emptyDraft(text.model), 0, { take: 'combined', by: 'rule' })
    expect(check(text, combined)).toMatchObject({ open: 0, lost: 0 })
    expect(check(text, editResult(text.model, combined, { start: 1, end: 2, lines: [] })).lost).toBe(0)
    const gone = check(text, editResult(text.model, combined, { start: 2, end: 3, lines: ['else'] }))
    expect(gone.lost).toBe(1)
    expect(gone.audit[0]).toMatchObject({ what: 'missing', text: 'kept', needs: true })
  })

  it('counts a dropped line once', () => {
    const text = open('x\n', 'same\nx\nsame\n', 'y\n')
    const draft = decide(emptyDraft(text.model), 0, { take: 'theirs', by: 'mine' })
    const dropped = [{ side: 'ours', text: 'same' }] as const
    const rows = check(text, { ...draft, dropped: [...dropped] }).audit.filter((row) => row.text === 'same')
    expect(rows.map((row) => row.dropped)).toEqual([true, false])
  })

  it('warns in words, with the lines of the result', () => {
    const list = (top: string, end: string) => `# List\n\n${top}- one\n- two\n\ntext\n\n- far\n${end}`
    const text = open(list('', ''), list('- call the bank\n', ''), list('', '- call the bank\n'))
    const { warnings } = check(text, emptyDraft(text.model))
    expect(warnings.map(({ kind, sentence }) => [kind, sentence])).toEqual([
      ['added-twice', 'Same bullet twice, lines 3 and 10'],
    ])
    expect(warnings[0]?.lines.map((line) => line.text)).toEqual(['- call the bank', '- call the bank'])
  })

  it('finds this conflict’s own markers left by hand, and no heading', () => {
    const text = open('a\n', 'Summary\n=======\nours\n', '<<<<<<< a tutorial\ntheirs\n')
    const taken = decide(emptyDraft(text.model), 0, { take: 'ours-then-theirs', by: 'mine' })
    expect(check(text, taken).markers).toEqual([])
    const left = decide(taken, 0, { take: 'text', text: '<<<<<<< mine\nx\n=======\ny\n>>>>>>> z\n', by: 'mine' })
    expect(check(text, left).markers).toEqual([0, 4])
    const heading = decide(taken, 0, { take: 'text', text: 'New\n=======\n', by: 'mine' })
    expect(check(text, heading).markers).toEqual([])
    expect(checkDraft(text, left, { ...setup, markerSize: 15 }).markers).toEqual([])
  })

  it('says where the sides differ as a whole, and what was done about it', () => {
    const flip = open('a\nb\nc\n', 'a\r\nB\r\nc\r\n', 'a\nX\nc\n')
    const taken = decide(emptyDraft(flip.model), 0, { take: 'theirs', by: 'mine' })
    expect(flip.model.conflicts).toHaveLength(1)
    const checked = check(flip, taken)
    expect(checked.facts).toBe(
      'CRLF (the version before and planner: LF; researcher: CRLF), UTF-8, no BOM, final newline kept',
    )
    expect(checked.proof).toBe('1 hunk decided; all else identical but for the line endings')
    expect(checked.holds).toBe(true)
    const wide = (one: string) => Buffer.from(`\ufeff${one}`, 'utf16le')
    const encoded = open(wide('a\n'), 'b\n', wide('c\n'))
    expect(check(encoded, decide(emptyDraft(encoded.model), 0, { take: 'ours', by: 'mine' })).facts).toBe(
      'LF, UTF-8 (the version before and planner: UTF-16 LE; researcher: UTF-8), no BOM (the version before and planner: BOM; researcher: no BOM), final newline kept',
    )
  })

  it('does not hold where the encoding lacks a character', () => {
    const text = open(Buffer.from('\xe4\n', 'latin1'), Buffer.from('\xf6\n', 'latin1'), Buffer.from('\xfc\n', 'latin1'))
    const draft = decide(emptyDraft(text.model), 0, { take: 'text', text: '→\n', by: 'mine' })
    expect(check(text, draft)).toMatchObject({
      holds: false,
      oid: null,
      proof: 'The result has characters that Windows-1252 has not',
    })
  })

  it('holds only for the bytes of the file that are read as the result again', () => {
    const text = open(
      Buffer.from('\ufeffa\n', 'utf16le'),
      Buffer.from('\ufeffb\n', 'utf16le'),
      Buffer.from('\ufeffc\n', 'utf16le'),
    )
    const draft = decide(emptyDraft(text.model), 0, { take: 'ours', by: 'mine' })
    const made = draftBytes(text, draft)
    const whole = finish(text.prepared, made.bytes) as Uint8Array
    expect(proofOf(text, draft, made, whole).holds).toBe(true)
    for (const other of [Buffer.from('\ufeffx\n', 'utf16le'), Buffer.from('b\n', 'utf16le'), Buffer.from('b\n'), null])
      expect(proofOf(text, draft, made, other).holds).toBe(false)
  })

  it('proves every draft, and sees one changed byte outside of what was decided', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n')
    const sides = fc.array(line, { maxLength: 10 }).map((lines) => lines.join(''))
    const edit = fc.record({
      at: fc.nat(),
      length: fc.nat(2),
      lines: fc.array(fc.constantFrom('a', 'new', ''), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(
        sides,
        sides,
        sides,
        fc.array(edit, { maxLength: 3 }),
        fc.nat(),
        (base, ours, theirs, edits, where) => {
          const text = open(base, ours, theirs)
          let draft = emptyDraft(text.model)
          for (const [i] of text.model.conflicts.entries())
            draft = decide(draft, i, { take: i % 2 === 0 ? 'ours-then-theirs' : 'theirs', by: 'mine' })
          for (const { at, length, lines } of edits) {
            const all = layoutOf(text.model, draft).lines.length
            const start = at % (all + 1)
            const end = Math.min(all, start + length)
            if (all - (end - start) + lines.length > 0) draft = editResult(text.model, draft, { start, end, lines })
          }
          const made = draftBytes(text, draft)
          const whole = finish(text.prepared, made.bytes)
          expect(proofOf(text, draft, made, whole).holds).toBe(true)
          const shownIn = new Places(text, draft).layout.lines.length
          expect(check(text, draft).audit.every((row) => row.resultLine === null || row.resultLine <= shownIn)).toBe(
            true,
          )
          // One byte of an untouched gap changed.
          if (draft.edits.length > 0 || made.slots[0] === 0 || text.prepared.result.ending !== null) return
          const bytes = Buffer.from(made.bytes)
          const at = where % (made.slots[0] as number)
          bytes[at] = bytes[at] === 120 ? 121 : 120
          expect(proofOf(text, draft, { ...made, bytes }, finish(text.prepared, bytes)).holds).toBe(false)
        },
      ),
      { seed: SEED, numRuns: 1500 },
    )
  })
})
