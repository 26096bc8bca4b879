import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MergeView } from '../../model/resolution.ts'
import { encodeText } from '../bytes/text.ts'
import { merge } from '../threeway/merge.ts'
import { decide, draftModel, editResult, emptyDraft, layoutOf, openCount, regionRow, rowsOf } from './index.ts'

const SEED = 20261130
console.log(`fast-check seed ${SEED}`)

function viewOf(base: string, ours: string, theirs: string): MergeView {
  const merged = merge({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) })
  return {
    base,
    ours,
    theirs,
    regions: merged.regions.map(regionRow),
    conflicts: merged.conflicts.map(() => ({ combined: null, recorded: null })),
    exact: merged.exact,
  }
}

const modelOf = (base: string, ours: string, theirs: string) => draftModel(viewOf(base, ours, theirs))
const two = () => modelOf('a\nb\nc\nd\ne\nf\n', 'a\nB\nc\nd\nE\nf\n', 'a\nX\nc\nd\nY\nf\nnew\n')

describe('a draft', () => {
  it('shows base where nothing is decided, and both sides where one changed', () => {
    const model = two()
    const layout = layoutOf(model, emptyDraft(model))
    expect(layout.lines).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'new', ''])
    expect(layout.conflicts).toEqual([
      { start: 1, end: 2 },
      { start: 4, end: 5 },
    ])
    expect(layout.finalNewline).toBe(true)
    expect(openCount(emptyDraft(model))).toBe(2)
  })

  it('decides one conflict and leaves the others', () => {
    const model = two()
    const draft = decide(emptyDraft(model), 1, { take: 'ours-then-theirs', by: 'mine' })
    expect(layoutOf(model, draft).lines).toEqual(['a', 'b', 'c', 'd', 'E', 'Y', 'f', 'new', ''])
    expect(draft.lines[0]).toBeNull()
  })

  it('makes a hand-edited conflict the person’s own', () => {
    const model = two()
    const draft = editResult(model, emptyDraft(model), { start: 1, end: 2, lines: ['b!', 'more'] })
    expect(draft.lines).toEqual([{ take: 'text', text: 'b!\nmore\n', by: 'mine' }, null])
    expect(draft.edits).toEqual([])
  })

  it('keeps a hand edit outside the conflicts as small as it is', () => {
    const model = two()
    let draft = editResult(model, emptyDraft(model), { start: 2, end: 4, lines: ['c', 'D'] })
    expect(draft.edits).toEqual([{ gap: 1, at: 1, removed: 1, text: 'D\n' }])
    expect(draft.lines).toEqual([null, null])
    draft = editResult(model, draft, { start: 3, end: 4, lines: ['d'] })
    expect(draft.edits).toEqual([])
  })

  it('gives a new line to the slot that was typed in', () => {
    const model = two()
    const after = editResult(model, emptyDraft(model), { start: 0, end: 1, lines: ['a', ''] })
    expect(after.edits).toEqual([{ gap: 0, at: 1, removed: 0, text: '\n' }])
    expect(after.lines).toEqual([null, null])
    const inside = editResult(model, emptyDraft(model), { start: 1, end: 2, lines: ['', 'b'] })
    expect(inside.edits).toEqual([])
    expect(inside.lines[0]).toEqual({ take: 'text', text: '\nb\n', by: 'mine' })
  })

  it('takes away and puts back the final newline', () => {
    const model = modelOf('a\n', 'b\n', 'c\n')
    let draft = decide(emptyDraft(model), 0, { take: 'ours', by: 'mine' })
    draft = editResult(model, draft, { start: 0, end: 2, lines: ['b'] })
    expect(draft.lines).toEqual([{ take: 'text', text: 'b', by: 'mine' }])
    draft = editResult(model, draft, { start: 0, end: 1, lines: ['b', ''] })
    expect(layoutOf(model, draft)).toMatchObject({ lines: ['b', ''], finalNewline: true })
  })

  it('keeps edits far from each other apart', () => {
    const base = Array.from({ length: 50 }, (_, i) => `${i}\n`).join('')
    const model = modelOf(base, base, base)
    let draft = editResult(model, emptyDraft(model), { start: 2, end: 3, lines: ['two'] })
    draft = editResult(model, draft, { start: 40, end: 40, lines: ['forty'] })
    draft = editResult(model, draft, { start: 3, end: 5, lines: [] })
    expect(draft.edits).toEqual([
      { gap: 0, at: 2, removed: 3, text: 'two\n' },
      { gap: 0, at: 40, removed: 0, text: 'forty\n' },
    ])
  })

  it('shows exactly the edited text, whatever is edited and decided in between', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'd')
    const text = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, end]) => lines.join('\n') + (end && lines.length > 0 ? '\n' : ''))
    const act = fc.oneof(
      fc.record({
        kind: fc.constant('edit' as const),
        at: fc.nat(),
        length: fc.nat(3),
        lines: fc.array(line, { maxLength: 3 }),
      }),
      fc.record({
        kind: fc.constant('decide' as const),
        at: fc.nat(),
        take: fc.constantFrom('ours', 'theirs', 'base', 'ours-then-theirs', 'theirs-then-ours'),
      }),
    )
    fc.assert(
      fc.property(text, text, text, fc.array(act, { maxLength: 12 }), (base, ours, theirs, acts) => {
        const model = modelOf(base, ours, theirs)
        let draft = emptyDraft(model)
        for (const one of acts) {
          const layout = layoutOf(model, draft)
          if (one.kind === 'decide') {
            if (model.conflicts.length === 0) continue
            const at = one.at % model.conflicts.length
            draft = decide(draft, at, { take: one.take as 'ours', by: 'mine' })
            continue
          }
          const start = one.at % (layout.lines.length + 1)
          const end = Math.min(layout.lines.length, start + one.length)
          const expected = [...layout.lines.slice(0, start), ...one.lines, ...layout.lines.slice(end)]
          if (expected.length === 0) continue
          const before = draft
          draft = editResult(model, draft, { start, end, lines: one.lines })
          expect(layoutOf(model, draft).lines.join('\n')).toBe(expected.join('\n'))
          // Conflicts that the edit does not reach stay as they were; at the end of the file one may get its newline.
          for (const [i, range] of layout.conflicts.entries())
            if (range.end < start && end < layout.lines.length - 1) expect(draft.lines[i]).toBe(before.lines[i])
        }
      }),
      { seed: SEED, numRuns: 1500 },
    )
  })

  it('cuts a text into rows and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'b') }), (text) => {
        expect(rowsOf(text).join('')).toBe(text)
      }),
      { seed: SEED },
    )
  })
})
