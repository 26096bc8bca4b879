import { describe, expect, it } from 'vitest'
import type { RegionRow } from '../../../shared/model/resolution.ts'
import { align, type Filler, SIDES } from './align.ts'

const regions: RegionRow[] = [
  ['unchanged', 0, 2, 0, 2, 0, 2],
  ['conflict', 2, 3, 2, 4, 2, 5],
  ['unchanged', 3, 5, 4, 6, 5, 7],
  ['ours', 5, 6, 6, 6, 7, 8],
  ['theirs', 6, 6, 6, 6, 8, 10],
  ['unchanged', 6, 7, 6, 7, 10, 11],
]
const plain = (fillers: readonly Filler[]) => fillers.map(({ after, rows }) => [after, rows])

describe('putting three texts level', () => {
  const level = align(regions, { base: 8, ours: 8, theirs: 12 })

  it('fills each region up to its longest side, after the lines of the shorter', () => {
    expect(plain(level.fillers.ours)).toEqual([
      [4, 1],
      [6, 1],
      [6, 2],
    ])
    expect(plain(level.fillers.base)).toEqual([
      [3, 2],
      [6, 2],
    ])
    expect(plain(level.fillers.theirs)).toEqual([])
    expect(level.fillers.ours.map((one) => one.whole)).toEqual([false, true, true])
  })

  it('starts every region on one row in all three', () => {
    expect([...level.starts]).toEqual([0, 2, 5, 7, 8, 10, 11])
    const starts = { ours: [0, 2, 4, 6, 6, 6], base: [0, 2, 3, 5, 6, 6], theirs: [0, 2, 5, 7, 8, 10] }
    for (const side of SIDES)
      for (const [i, line] of starts[side].entries()) {
        const above = level.fillers[side].filter((one) => one.region < i).reduce((sum, one) => sum + one.rows, 0)
        expect([side, i, line + above]).toEqual([side, i, level.starts[i]])
      }
  })

  it('ends at one height where only some end with a newline', () => {
    const ends = align([['conflict', 0, 1, 0, 1, 0, 2]], { base: 2, ours: 1, theirs: 2 })
    expect(ends.total).toBe(3)
    expect(plain(ends.fillers.ours)).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(plain(ends.fillers.base)).toEqual([[1, 1]])
    expect(plain(ends.fillers.theirs)).toEqual([[2, 1]])
  })

  it('puts what an empty text lacks before its only, empty line', () => {
    const empty = align([['conflict', 0, 0, 0, 2, 0, 1]], { base: 1, ours: 3, theirs: 2 })
    expect(plain(empty.fillers.base)).toEqual([[0, 2]])
    expect(empty.total).toBe(3)
  })
})
