import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, editResult, emptyDraft, layoutOf } from '../../../../shared/merge/draft/index.ts'
import { type Decision, decidedBytes } from '../../../../shared/merge/index.ts'
import type { Draft } from '../../../../shared/model/index.ts'
import { draftBytes } from './draftBytes.ts'
import { finish } from './finish.ts'
import type { SideBytes } from './prepare.ts'
import { scan } from './scan.ts'
import { shown } from './show.ts'
import { type TextMerge, textMerge } from './textMerge.ts'

const SEED = 20261201
console.log(`fast-check seed ${SEED}`)

const open = (base: string, ours: string, theirs: string): TextMerge =>
  textMerge({ base: Buffer.from(base), ours: Buffer.from(ours), theirs: Buffer.from(theirs) }) as TextMerge
const resultOf = (text: TextMerge, draft: Draft) => Buffer.from(draftBytes(text, draft).bytes).toString()

describe('the bytes of a draft', () => {
  it('gives new lines the ending of the line before, and keeps those of lines that a side has', () => {
    const text = open('a\r\nb\nc\r\n', 'a\r\nB\nc\r\n', 'a\r\nX\r\nc\r\n')
    let draft = decide(emptyDraft(text.model), 0, { take: 'ours', by: 'mine' })
    expect(resultOf(text, draft)).toBe('a\r\nB\nc\r\n')
    // B is that of ours with its ending; what is new ends as the line before it.
    draft = editResult(text.model, draft, { start: 1, end: 2, lines: ['new', 'B', 'newer', 'X'] })
    expect(resultOf(text, draft)).toBe('a\r\nnew\r\nB\nnewer\nX\r\nc\r\n')
    draft = editResult(text.model, draft, { start: 5, end: 6, lines: ['c', 'end'] })
    expect(resultOf(text, draft)).toBe('a\r\nnew\r\nB\nnewer\nX\r\nc\r\nend\r\n')
  })

  it('takes equal lines with unequal endings in their order', () => {
    const text = open('a\n', 'x\r\nx\nx\r\n', 'b\n')
    const draft = decide(emptyDraft(text.model), 0, { take: 'text', text: 'x\nx\nx\nx\n', by: 'mine' })
    expect(resultOf(text, draft)).toBe('x\r\nx\nx\r\nx\r\n')
  })

  it('takes the first line of a file as the pattern where there is no line before', () => {
    const text = open('a\r\n', 'b\r\n', 'c\r\n')
    const draft = decide(emptyDraft(text.model), 0, { take: 'text', text: 'x\ny\n', by: 'mine' })
    expect(resultOf(text, draft)).toBe('x\r\ny\r\n')
  })

  it('leaves the final newline as the person left it', () => {
    const text = open('a\r\nb\r\n', 'a\r\nc\r\n', 'a\r\nd')
    const theirs = decide(emptyDraft(text.model), 0, { take: 'theirs', by: 'mine' })
    expect(resultOf(text, theirs)).toBe('a\r\nd')
    const both = decide(emptyDraft(text.model), 0, { take: 'theirs-then-ours', by: 'mine' })
    expect(resultOf(text, both)).toBe('a\r\nd\r\nc\r\n')
    const cut = editResult(text.model, decide(theirs, 0, { take: 'ours', by: 'mine' }), {
      start: 1,
      end: 3,
      lines: ['c'],
    })
    expect(resultOf(text, cut)).toBe('a\r\nc')
  })

  it('keeps the lines that both sides end with for each of them', () => {
    const text = open('x {\n}\n', 'x {\n}\nf {\n  1\n}\n', 'x {\n}\ng {\n  2\n}\n')
    const draft = decide(emptyDraft(text.model), 0, { take: 'ours-then-theirs', by: 'mine' })
    expect(resultOf(text, draft)).toBe('x {\n}\nf {\n  1\n}\ng {\n  2\n}\n')
  })

  it('tells which lines the encoding cannot hold', () => {
    const text = textMerge({
      base: Buffer.from('a\n'),
      ours: Buffer.from('\xe4\n', 'latin1'),
      theirs: Buffer.from('\xf6\n', 'latin1'),
    })
    if (text === null) throw new Error('no text')
    const draft = decide(emptyDraft(text.model), 0, { take: 'text', text: 'ä\nö → ü\n€\n', by: 'mine' })
    const made = draftBytes(text, draft)
    expect(made.unwritable).toEqual([1])
    expect(Buffer.from(made.bytes).toString('latin1')).toBe('\xe4\n\n\x80\n')
  })

  it('shows what the page shows, whatever was edited and decided, in every encoding', () => {
    const word = fc.constantFrom('a', 'b', 'é', '', 'c', 'd', '}', 'x\ry')
    const ending = fc.constantFrom('\n', '\n', '\r\n')
    const file = fc
      .tuple(fc.array(fc.tuple(word, ending), { maxLength: 10 }), fc.boolean(), fc.constantFrom('mixed', '\n', '\r\n'))
      .map(([lines, last, all]) => {
        const text = lines.map(([content, end]) => content + (all === 'mixed' ? end : all)).join('')
        return last ? text : text.replace(/\r?\n$/, '')
      })
    const encoded = fc
      .tuple(file, fc.constantFrom('utf-8', 'utf-8', 'bom', 'latin1', 'utf-16', 'damaged'))
      .map(([text, how]) => {
        if (how === 'bom') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])
        if (how === 'latin1') return Buffer.from(text, 'latin1')
        if (how === 'utf-16') return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
        if (how === 'damaged') return Buffer.concat([Buffer.from(`éé${text}`), Buffer.from([0xff, 10])])
        return Buffer.from(text)
      })
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('edit' as const),
        at: fc.nat(),
        length: fc.nat(3),
        lines: fc.array(
          word.map((one) => one.replace('\r', '')),
          { maxLength: 3 },
        ),
      }),
      fc.record({
        kind: fc.constant('decide' as const),
        at: fc.nat(),
        take: fc.constantFrom('ours', 'theirs', 'base', 'ours-then-theirs', 'theirs-then-ours', 'combined'),
      }),
    )
    let merged = 0
    fc.assert(
      fc.property(encoded, encoded, encoded, fc.array(act, { maxLength: 10 }), (base, ours, theirs, acts) => {
        const text = textMerge({ base, ours, theirs })
        if (text === null) return
        merged++
        let draft = emptyDraft(text.model)
        for (const one of acts) {
          const layout = layoutOf(text.model, draft)
          if (one.kind === 'decide') {
            if (text.model.conflicts.length > 0)
              draft = decide(draft, one.at % text.model.conflicts.length, { take: one.take as 'ours', by: 'mine' })
            continue
          }
          const start = one.at % (layout.lines.length + 1)
          const end = Math.min(layout.lines.length, start + one.length)
          if (layout.lines.length - (end - start) + one.lines.length === 0) continue
          draft = editResult(text.model, draft, { start, end, lines: one.lines })
        }
        const { bytes, slots, unwritable } = draftBytes(text, draft)
        expect(unwritable).toEqual([])
        expect(shown(text.prepared, bytes)).toBe(layoutOf(text.model, draft).lines.join('\n'))
        expect(slots.length).toBe(text.model.gaps.length * 2 - 1)
        expect(slots.at(-1)).toBe(bytes.length)
        // The bytes of the file are read as the same text again.
        const file = finish(text.prepared, bytes)
        if (file === null) return
        const again = scan(file)
        if (again?.charset.startsWith('utf-16')) expect(again.charset).toBe(text.prepared.result.encoding)
        if (again !== null && bytes.length > 0) expect(again.bom).toBe(text.prepared.result.bom)
      }),
      { seed: SEED, numRuns: 3000 },
    )
    expect(merged).toBeGreaterThan(1500)
  })

  it('is what the engine gives where nothing was edited by hand, and copies every line outside of the conflicts', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd\n', '\n', '\xff\n')
    const file = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean()).map(([lines, last]) => {
      const text = lines.join('')
      return Buffer.from(last ? text : text.replace(/\r?\n$/, ''), 'latin1')
    })
    const takes = fc.array(fc.constantFrom('ours', 'theirs', 'base', 'ours-then-theirs', 'theirs-then-ours', null), {
      minLength: 12,
      maxLength: 12,
    })
    fc.assert(
      fc.property(file, file, file, takes, (base, ours, theirs, chosen) => {
        const text = textMerge({ base, ours, theirs }) as TextMerge
        let draft = emptyDraft(text.model)
        const decisions = text.merge.conflicts.map((_, i): Decision => ({ take: chosen[i] ?? 'base' }))
        for (const [i] of decisions.entries()) {
          const take = chosen[i] ?? null
          draft = decide(draft, i, take === null ? null : { take, by: 'mine' })
        }
        const { bytes } = draftBytes(text, draft)
        expect(Buffer.from(bytes).equals(Buffer.from(decidedBytes(text.merge, decisions).bytes))).toBe(true)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })

  it('gives a side back byte for byte where it is taken in every conflict and the other changed nothing else', () => {
    const sides: SideBytes = {
      base: Buffer.from('\ufeffa\r\nb\r\nc', 'utf16le'),
      ours: Buffer.from('\ufeffa\r\nB\r\nc', 'utf16le'),
      theirs: Buffer.from('\ufeffa\r\nX\r\nc', 'utf16le'),
    }
    const text = textMerge(sides) as TextMerge
    for (const take of ['base', 'ours', 'theirs'] as const) {
      const draft = decide(emptyDraft(text.model), 0, { take, by: 'mine' })
      expect(Buffer.from(finish(text.prepared, draftBytes(text, draft).bytes) ?? [])).toEqual(sides[take])
    }
  })
})
