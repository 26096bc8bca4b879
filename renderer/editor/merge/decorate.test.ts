import { describe, expect, it } from 'vitest'
import { decide, draftModel, emptyDraft, layoutOf } from '../../../shared/merge/draft/index.ts'
import type { RegionRow } from '../../../shared/model/resolution.ts'
import { firstRegion, originDecorations, resultDecorations, sideDecorations, stateOf } from './decorate.ts'

const regions: RegionRow[] = [
  ['unchanged', 0, 2, 0, 2, 0, 2],
  ['conflict', 2, 3, 2, 4, 2, 3],
  ['unchanged', 3, 5, 4, 6, 3, 5],
  ['theirs', 5, 5, 6, 6, 5, 7],
]
const conflictOf = Int32Array.from([-1, 0, -1, -1])
const all = { regions, conflictOf, from: 1, to: 100, current: 0, marks: () => null }

describe('what a side is drawn with', () => {
  it('tints a conflict in all three, with a bar of the side', () => {
    for (const side of ['ours', 'base', 'theirs'] as const)
      expect(sideDecorations({ ...all, side })[0]).toMatchObject({
        line: 3,
        endLine: side === 'ours' ? 4 : 3,
        className: `merge-${side}`,
        marginClassName: `merge-margin-${side} merge-current`,
      })
  })

  it('gives a change of one side a thin bar on that side only', () => {
    expect(sideDecorations({ ...all, side: 'ours' })).toHaveLength(1)
    expect(sideDecorations({ ...all, side: 'theirs' })[1]).toEqual({
      line: 6,
      endLine: 7,
      isWholeLine: true,
      marginClassName: 'merge-margin-one merge-margin-theirs',
    })
  })

  it('draws only the lines that are asked for', () => {
    expect(sideDecorations({ ...all, side: 'ours', from: 4, to: 4 })).toMatchObject([{ line: 4, endLine: 4 }])
    expect(sideDecorations({ ...all, side: 'ours', from: 5 })).toEqual([])
    expect(sideDecorations({ ...all, side: 'theirs', to: 2 })).toEqual([])
  })

  it('marks words where the region lies', () => {
    const mark = { line: 2, column: 3, endLine: 2, endColumn: 5 }
    const drawn = sideDecorations({ ...all, side: 'ours', marks: () => ({ ours: [mark], theirs: [] }) })
    expect(drawn[1]).toEqual({ line: 4, column: 3, endLine: 4, endColumn: 5, inlineClassName: 'merge-word-ours' })
  })

  it('finds the region of a line', () => {
    expect([1, 3, 4, 5].map((line) => firstRegion(regions, 'ours', line))).toEqual([0, 1, 1, 2])
  })
})

describe('what the result is drawn with', () => {
  const model = draftModel({
    base: 'a\nb\nc\nd\ne\n',
    ours: 'a\nB\nc\nD\ne\n',
    theirs: 'a\nX\nc\n\ne\n',
    regions: [
      ['unchanged', 0, 1, 0, 1, 0, 1],
      ['conflict', 1, 2, 1, 2, 1, 2],
      ['unchanged', 2, 3, 2, 3, 2, 3],
      ['conflict', 3, 4, 3, 4, 3, 4],
      ['unchanged', 4, 5, 4, 5, 4, 5],
    ],
    conflicts: [
      { combined: null, recorded: null },
      { combined: null, recorded: null },
    ],
    exact: true,
  })

  it('has a bar for each state, and says of open conflicts that they show base', () => {
    const draft = decide(emptyDraft(model), 0, { take: 'ours', by: 'rule' })
    expect([stateOf(draft, 0), stateOf(draft, 1)]).toEqual(['rule', 'open'])
    const drawn = resultDecorations(layoutOf(model, draft), draft, 1, 100)
    expect(drawn).toMatchObject([
      { line: 2, endLine: 2, marginClassName: 'merge-state merge-state-rule' },
      { line: 4, className: 'merge-open', marginClassName: 'merge-state merge-state-open merge-open' },
      { line: 4, afterContentClassName: 'merge-until' },
    ])
    expect(resultDecorations(layoutOf(model, draft), draft, 1, 3)).toHaveLength(1)
  })

  it('draws nothing for a conflict that has no lines', () => {
    const draft = decide(emptyDraft(model), 0, { take: 'text', text: '', by: 'mine' })
    expect(resultDecorations(layoutOf(model, draft), draft, 1, 2)).toEqual([])
  })

  it('has thin bars where one side alone changed it', () => {
    const origins = [
      { side: 'ours', start: 0, end: 2 },
      { side: 'theirs', start: 4, end: 4 },
      { side: 'theirs', start: 6, end: 9 },
    ] as const
    expect(originDecorations(origins, 1, 8)).toMatchObject([
      { line: 1, endLine: 2, marginClassName: 'merge-margin-one merge-margin-ours' },
      { line: 7, endLine: 8, marginClassName: 'merge-margin-one merge-margin-theirs' },
    ])
    expect(originDecorations(origins, 3, 6)).toEqual([])
  })
})
