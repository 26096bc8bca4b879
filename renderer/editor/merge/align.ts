import type { RegionRow } from '../../../shared/model/resolution.ts'

export type SideName = 'ours' | 'base' | 'theirs'
export const SIDES: readonly SideName[] = ['ours', 'base', 'theirs']

/** Blank rows that a side gets after its line number `after` (1-based, 0 before all), so that all three stay level. */
export interface Filler {
  readonly after: number
  readonly rows: number
  /** The region that it fills up; the one past the last at the end of the text. */
  readonly region: number
  /** The side has no line of its own in the region. */
  readonly whole: boolean
}

/** The three texts put level. Rows are lines and fillers together, 0-based. */
export interface Alignment {
  readonly fillers: Readonly<Record<SideName, readonly Filler[]>>
  /** Where each region starts; one more at the end. */
  readonly starts: Int32Array
  /** Rows of all, which every side has. */
  readonly total: number
}

/** A side's line range in a region, 0-based and half-open. */
export function rangeOf(region: RegionRow, side: SideName): readonly [number, number] {
  const [, b0, b1, o0, o1, t0, t1] = region
  return side === 'base' ? [b0, b1] : side === 'ours' ? [o0, o1] : [t0, t1]
}

/**
 * Puts each region of the three texts on one height: a side with fewer lines than the longest is filled up after them.
 * `lineCounts` are lines as an editor counts them, with the empty one after a final newline.
 */
export function align(regions: readonly RegionRow[], lineCounts: Readonly<Record<SideName, number>>): Alignment {
  const fillers: Record<SideName, Filler[]> = { ours: [], base: [], theirs: [] }
  const starts = new Int32Array(regions.length + 1)
  const ends: Record<SideName, number> = { ours: 0, base: 0, theirs: 0 }
  let row = 0
  const fill = (region: number, rows: number, lengths: (side: SideName) => number) => {
    for (const side of SIDES) {
      const own = lengths(side)
      if (own < rows) fillers[side].push({ after: ends[side], rows: rows - own, region, whole: own === 0 })
    }
  }
  for (const [i, region] of regions.entries()) {
    starts[i] = row
    let rows = 0
    for (const side of SIDES) {
      const [start, end] = rangeOf(region, side)
      rows = Math.max(rows, end - start)
      ends[side] = end
    }
    if (region[0] !== 'unchanged')
      fill(i, rows, (side) => {
        const [start, end] = rangeOf(region, side)
        return end - start
      })
    row += rows
  }
  starts[regions.length] = row
  const rest = (side: SideName) => lineCounts[side] - ends[side]
  const tail = Math.max(...SIDES.map(rest))
  const before = { ...ends }
  for (const side of SIDES) ends[side] = lineCounts[side]
  fill(regions.length, tail, (side) => lineCounts[side] - before[side])
  return { fillers, starts, total: row + tail }
}
