import { describe, expect, it } from 'vitest'
import { decide, draftModel, editResult, emptyDraft, layoutOf } from '../../../shared/merge/draft/index.ts'
import type { Draft, MergeView, RegionRow } from '../../../shared/model/resolution.ts'
import { align } from './align.ts'
import { anchorsOf, mapped, originsOf } from './anchors.ts'

const lines = (...names: string[]) => names.map((name) => `${name}\n`).join('')
const view: MergeView = {
  base: lines('a', 'b', 'c', 'd', 'e'),
  ours: lines('a', 'B1', 'B2', 'c', 'd', 'new', 'e'),
  theirs: lines('a', 'B', 'c', 'd', 'e'),
  regions: [
    ['unchanged', 0, 1, 0, 1, 0, 1],
    ['conflict', 1, 2, 1, 3, 1, 2],
    ['unchanged', 2, 4, 3, 5, 2, 4],
    ['ours', 4, 4, 5, 6, 4, 4],
    ['unchanged', 4, 5, 6, 7, 4, 5],
  ] satisfies RegionRow[],
  conflicts: [{ combined: null, recorded: null }],
  exact: true,
}
const model = draftModel(view)
const { starts, total } = align(view.regions, { base: 6, ours: 8, theirs: 6 })
const of = (draft: Draft) =>
  anchorsOf(view.regions, starts, total, layoutOf(model, draft), draft.edits, { line: 20, bar: 32 })

describe('anchors between the sides and the result', () => {
  it('pair each region with its place in the result, bars counted', () => {
    const { sides, result } = of(emptyDraft(model))
    expect([...sides]).toEqual([0, 20, 60, 60, 100, 120, 160])
    expect([...result]).toEqual([0, 20, 72, 72, 112, 132, 172])
  })

  it('follow decisions and hand edits', () => {
    let draft = decide(emptyDraft(model), 0, { take: 'ours-then-theirs', by: 'mine' })
    expect([...of(draft).result]).toEqual([0, 20, 112, 112, 152, 172, 212])
    // Three lines typed before line c: what follows moves on.
    draft = editResult(model, draft, { start: 5, end: 5, lines: ['x', 'y', 'z'] })
    expect([...of(draft).result].at(-2)).toBe(232)
  })

  it('map a height in proportion between two anchors, and back', () => {
    const { sides, result } = of(emptyDraft(model))
    expect(mapped(sides, result, 0)).toBe(0)
    expect(mapped(sides, result, 40)).toBe(46)
    expect(mapped(result, sides, 46)).toBe(40)
    expect(mapped(sides, result, 160)).toBe(172)
  })

  it('never run backwards', () => {
    const { sides, result } = of(emptyDraft(model))
    let last = -1
    for (let y = 0; y <= 160; y++) {
      const at = mapped(sides, result, y)
      expect(at).toBeGreaterThanOrEqual(last)
      last = at
    }
  })
})

describe('what one side alone changed', () => {
  const where = (draft: Draft) => originsOf(view.regions, layoutOf(model, draft), draft.edits)

  it('is found in the result, also after decisions and hand edits above it', () => {
    let draft = emptyDraft(model)
    expect(where(draft)).toEqual([{ side: 'ours', start: 4, end: 5 }])
    draft = decide(draft, 0, { take: 'ours', by: 'mine' })
    expect(where(draft)).toEqual([{ side: 'ours', start: 5, end: 6 }])
    draft = editResult(model, draft, { start: 3, end: 4, lines: ['C', 'C2'] })
    expect(where(draft)).toEqual([{ side: 'ours', start: 6, end: 7 }])
    expect(layoutOf(model, draft).lines[6]).toBe('new')
  })

  it('is left out where a hand edit reaches it', () => {
    expect(where(editResult(model, emptyDraft(model), { start: 4, end: 5, lines: ['newer'] }))).toEqual([])
  })
})
