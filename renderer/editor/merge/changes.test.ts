import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { LineRange } from '../../../shared/merge/index.ts'
import { asTextChange, edited, isStale, layoutEdits, lineEditsOf, smallest, type TextChange } from './changes.ts'

const SEED = 20261201
console.log(`fast-check seed ${SEED}`)

/** Applies changes as an editor does: all about the text before. */
function applied(lines: readonly string[], changes: readonly TextChange[]): string[] {
  const text = lines.join('\n')
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  return [...changes]
    .map(({ range, text: put }) => ({
      from: offset(range.startLineNumber, range.startColumn),
      to: offset(range.endLineNumber, range.endColumn),
      put,
    }))
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((now, { from, to, put }) => now.slice(0, from) + put + now.slice(to), text)
    .split('\n')
}

const line = fc.constantFrom('', 'a', 'b', 'ab', 'ccc')
const text = fc.array(line, { minLength: 1, maxLength: 10 })

describe('edits of the result', () => {
  it('are what the editor changed, in whole lines, whatever is changed at how many places', () => {
    const place = fc.record({ at: fc.nat(), length: fc.nat(6), put: fc.stringMatching(/^[xy\n]{0,4}$/) })
    fc.assert(
      fc.property(text, fc.array(place, { minLength: 1, maxLength: 4 }), (lines, places) => {
        const whole = lines.join('\n')
        const position = (offset: number) => {
          const before = whole.slice(0, offset).split('\n')
          return [before.length, (before.at(-1) ?? '').length + 1] as const
        }
        const changes: TextChange[] = []
        let from = 0
        for (const { at, length, put } of places) {
          const start = from + (at % (whole.length - from + 1))
          const end = Math.min(whole.length, start + length)
          const [startLineNumber, startColumn] = position(start)
          const [endLineNumber, endColumn] = position(end)
          changes.push({ range: { startLineNumber, startColumn, endLineNumber, endColumn }, text: put })
          from = end + 1
          if (from > whole.length) break
        }
        const after = applied(lines, changes)
        const edits = lineEditsOf([...changes].reverse(), (i) => after[i] as string)
        expect(edits.reduce<readonly string[]>(edited, lines)).toEqual(after)
      }),
      { seed: SEED, numRuns: 1000 },
    )
  })

  it('leave the lines between two places alone', () => {
    const at = (n: number): TextChange => ({
      range: { startLineNumber: n, startColumn: 1, endLineNumber: n, endColumn: 1 },
      text: 'x',
    })
    const after = ['xa', 'b', 'c', 'xd']
    expect(lineEditsOf([at(4), at(1)], (i) => after[i] as string)).toEqual([
      { start: 3, end: 4, lines: ['xd'] },
      { start: 0, end: 1, lines: ['xa'] },
    ])
    expect(
      lineEditsOf(
        [at(4), at(1)],
        (i) => after[i] as string,
        () => true,
      ),
    ).toHaveLength(2)
  })

  it('on one line are one', () => {
    const at = (column: number): TextChange => ({
      range: { startLineNumber: 1, startColumn: column, endLineNumber: 1, endColumn: column },
      text: 'x',
    })
    expect(lineEditsOf([at(3), at(1)], () => 'xabx')).toEqual([{ start: 0, end: 1, lines: ['xabx'] }])
  })

  it('of many places become one where that is allowed', () => {
    const changes = Array.from({ length: 60 }, (_, i): TextChange => {
      const line = i * 2 + 1
      return { range: { startLineNumber: line, startColumn: 1, endLineNumber: line, endColumn: 1 }, text: 'x' }
    })
    const before = Array.from({ length: 120 }, (_, i) => String(i))
    const after = before.map((line, i) => (i % 2 === 0 ? `x${line}` : line))
    const lineAt = (i: number) => after[i] as string
    expect(lineEditsOf(changes, lineAt)).toHaveLength(60)
    const edits = lineEditsOf(changes, lineAt, (line, next) => line >= 50 === next >= 50)
    expect(edits.map(({ start, end }) => [start, end])).toEqual([
      [50, 119],
      [0, 49],
    ])
    expect(edits.reduce<readonly string[]>(edited, before)).toEqual(after)
  })
})

/** A layout of slots: gap, conflict, gap … */
function layoutOf(slots: readonly (readonly string[])[], finalNewline: boolean): ResultLayout {
  const lines: string[] = []
  const gaps: LineRange[] = []
  const conflicts: LineRange[] = []
  for (const [i, slot] of slots.entries()) {
    const start = lines.length
    lines.push(...slot)
    ;(i % 2 === 0 ? gaps : conflicts).push({ start, end: lines.length })
  }
  if (finalNewline || lines.length === 0) lines.push('')
  return { lines, gaps, conflicts, finalNewline }
}

describe('showing another layout', () => {
  it('makes exactly its lines, by edits that do not meet', () => {
    const slots = fc.array(fc.array(line, { maxLength: 3 }), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(slots, slots, fc.boolean(), fc.boolean(), fc.array(fc.boolean()), (a, b, endA, endB, same) => {
        const from = layoutOf(a, endA)
        const to = layoutOf(
          b.map((slot, i) => (same[i] ? (a[i] as string[]) : slot)),
          endB,
        )
        const edits = layoutEdits(from, to)
        for (const [i, edit] of edits.entries()) expect((edits[i - 1]?.end ?? -1) < edit.start).toBe(true)
        const changes = edits.map((edit) => asTextChange(edit, from.lines.length, (i) => from.lines[i]?.length ?? 0))
        expect(applied(from.lines, changes)).toEqual(to.lines)
      }),
      { seed: SEED, numRuns: 2000 },
    )
  })

  it('touches only the conflicts that were decided', () => {
    const from = layoutOf([['a'], ['b'], ['c'], ['d'], ['e']], true)
    const to = layoutOf([['a'], ['B', 'BB'], ['c'], [], ['e']], true)
    expect(layoutEdits(from, to)).toEqual([
      { start: 1, end: 2, lines: ['B', 'BB'] },
      { start: 3, end: 4, lines: [] },
    ])
    expect(smallest(from.lines, from.lines)).toBeNull()
  })

  it('is left undone where it is older than what was typed since', () => {
    const first = { start: 0, end: 1, lines: ['ax'] }
    const second = { start: 0, end: 1, lines: ['axy', 'z'] }
    expect(isStale(['ax', 'b'], ['axy', 'z', 'b'], [first, second])).toBe(true)
    expect(isStale(['a', 'b'], ['axy', 'z', 'b'], [first, second])).toBe(true)
    expect(isStale(['a', 'c'], ['axy', 'z', 'b'], [first, second])).toBe(false)
    expect(isStale(['a', 'b'], ['axy', 'z', 'b'], [])).toBe(false)
  })
})
