import type { ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { GapEdit, RegionRow } from '../../../shared/model/resolution.ts'
import { rangeOf } from './align.ts'

/** Heights, in pixels, that belong together in the sides and in the result; both rise from 0. */
export interface Anchors {
  readonly sides: Float64Array
  readonly result: Float64Array
}

interface Measures {
  readonly line: number
  readonly bar: number
}

/**
 * Pairs the start of every region, as the sides show it, with the place in the result where its lines went. `starts` are
 * the rows of an alignment. A hand edit in a gap moves what follows it; what it replaced points to its start.
 */
export function anchorsOf(
  regions: readonly RegionRow[],
  starts: Int32Array,
  total: number,
  layout: ResultLayout,
  edits: readonly GapEdit[],
  { line, bar }: Measures,
): Anchors {
  const sides: number[] = []
  const result: number[] = []
  const pair = (row: number, y: number) => {
    sides.push(row * line)
    result.push(y)
  }
  let slot = 0
  let own = 0
  let shift = shifter(edits, 0)
  for (const [i, region] of regions.entries()) {
    const gap = layout.gaps[slot]
    if (gap === undefined) break
    if (region[0] === 'conflict') {
      const range = layout.conflicts[slot]
      if (range === undefined) break
      pair(starts[i] as number, range.start * line + slot * bar)
      slot++
      pair(starts[i + 1] as number, range.end * line + slot * bar)
      own = 0
      shift = shifter(edits, slot)
      continue
    }
    pair(starts[i] as number, Math.min(gap.end, gap.start + shift(own)) * line + slot * bar)
    const [start, end] = rangeOf(region, region[0] === 'theirs' ? 'theirs' : 'ours')
    own += end - start
  }
  pair(total, layout.lines.length * line + layout.conflicts.length * bar)
  return { sides: Float64Array.from(sides), result: Float64Array.from(result) }
}

/** Lines of the result, 0-based and half-open, that one side alone changed; an empty range where it took some away. */
export interface Origin {
  readonly side: 'ours' | 'theirs'
  readonly start: number
  readonly end: number
}

/** Where in the result the changes of one side stand, in order; those that a hand edit reaches are left out. */
export function originsOf(
  regions: readonly RegionRow[],
  layout: ResultLayout,
  edits: readonly GapEdit[],
): readonly Origin[] {
  const origins: Origin[] = []
  let slot = 0
  let own = 0
  let shift = shifter(edits, 0)
  for (const region of regions) {
    const [kind] = region
    if (kind === 'conflict') {
      slot++
      own = 0
      shift = shifter(edits, slot)
      continue
    }
    const [start, end] = rangeOf(region, kind === 'theirs' ? 'theirs' : 'ours')
    const from = own
    own += end - start
    if (kind !== 'ours' && kind !== 'theirs') continue
    const edited = edits.some((edit) => edit.gap === slot && edit.at <= own && edit.at + edit.removed >= from)
    const gap = layout.gaps[slot]
    if (gap === undefined || edited) continue
    const at = gap.start + shift(from)
    origins.push({ side: kind, start: at, end: at + end - start })
  }
  return origins
}

/** Turns rising line numbers of a gap's own lines into those of its edited ones. */
function shifter(edits: readonly GapEdit[], gap: number): (own: number) => number {
  const mine = edits.filter((edit) => edit.gap === gap)
  if (mine.length === 0) return (own) => own
  const grown = mine.map(
    (edit) => edit.text.split('\n').length - (edit.text.endsWith('\n') || edit.text === '' ? 1 : 0),
  )
  return (own) => {
    let delta = 0
    for (const [i, edit] of mine.entries()) {
      if (own <= edit.at) break
      if (own < edit.at + edit.removed) return edit.at + delta
      delta += (grown[i] as number) - edit.removed
    }
    return own + delta
  }
}

/** The height that belongs to `y`, between its two anchors in proportion. */
export function mapped(from: Float64Array, to: Float64Array, y: number): number {
  let low = 0
  let high = from.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((from[middle] as number) <= y) low = middle
    else high = middle - 1
  }
  const start = from[low] ?? 0
  const at = to[low] ?? 0
  const next = from[low + 1]
  if (next === undefined || next === start) return at + Math.max(0, y - start)
  return at + (((to[low + 1] as number) - at) * (y - start)) / (next - start)
}
