import type { MergeView, RegionRow } from '../../model/resolution.ts'
import type { LineRange, Region } from '../threeway/regions.ts'

/** A line with the `\n` that ends it; only the last of a text may lack one. */
export type Row = string

/** One conflict in the lines: where it lies in each of the three texts. */
export interface ConflictRanges {
  readonly base: LineRange
  readonly ours: LineRange
  readonly theirs: LineRange
}

/**
 * A merge cut into slots: gap 0, conflict 0, gap 1, conflict 1 … gap n. A gap holds the merged rows of all regions
 * between two conflicts; the last one those after all.
 */
export interface DraftModel {
  readonly view: MergeView
  readonly base: readonly Row[]
  readonly ours: readonly Row[]
  readonly theirs: readonly Row[]
  /** One more than there are conflicts. */
  readonly gaps: readonly (readonly Row[])[]
  readonly conflicts: readonly ConflictRanges[]
}

/** A region as plain data for the page and for bug reports. */
export function regionRow({ kind, base, ours, theirs }: Region): RegionRow {
  return [kind, base.start, base.end, ours.start, ours.end, theirs.start, theirs.end]
}

/** The rows of a text. An empty text has none. */
export function rowsOf(text: string): Row[] {
  const rows: Row[] = []
  let at = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
    rows.push(text.slice(at, end + 1))
    at = end + 1
  }
  if (at < text.length) rows.push(text.slice(at))
  return rows
}

/** Cuts a merge into slots. */
export function draftModel(view: MergeView): DraftModel {
  const base = rowsOf(view.base)
  const ours = rowsOf(view.ours)
  const theirs = rowsOf(view.theirs)
  const gaps: Row[][] = [[]]
  const conflicts: ConflictRanges[] = []
  for (const [kind, b0, b1, o0, o1, t0, t1] of view.regions) {
    if (kind === 'conflict') {
      conflicts.push({
        base: { start: b0, end: b1 },
        ours: { start: o0, end: o1 },
        theirs: { start: t0, end: t1 },
      })
      gaps.push([])
      continue
    }
    const [side, start, end] = kind === 'theirs' ? [theirs, t0, t1] : [ours, o0, o1]
    const gap = gaps[gaps.length - 1] as Row[]
    for (let line = start; line < end; line++) gap.push(side[line] as Row)
  }
  return { view, base, ours, theirs, gaps, conflicts }
}

/** The row with a `\n` at its end. */
export const ended = (row: Row): Row => (row.endsWith('\n') ? row : `${row}\n`)

/** Rows one after the other; where the first end without `\n` and more follow, one is put in between. */
export function joined(first: readonly Row[], second: readonly Row[]): readonly Row[] {
  if (second.length === 0) return first
  if (first.length === 0) return second
  const last = first[first.length - 1] as Row
  return last.endsWith('\n') ? [...first, ...second] : [...first.slice(0, -1), ended(last), ...second]
}
