import type { ResultLayout } from '../../../shared/merge/draft/index.ts'
import type { Draft, RegionRow } from '../../../shared/model/resolution.ts'
import { rangeOf, type SideName } from './align.ts'
import type { Origin } from './anchors.ts'

/** Words of a side that base lacks: 1-based lines within the region and columns, the end past the last. */
export interface Mark {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** A decoration in lines (1-based, inclusive); whole lines where it has no columns. */
export interface Drawn {
  readonly line: number
  readonly endLine: number
  readonly column?: number
  readonly endColumn?: number
  readonly isWholeLine?: boolean
  readonly className?: string
  readonly marginClassName?: string
  readonly inlineClassName?: string
  readonly afterContentClassName?: string
}

interface SideDrawing {
  readonly side: SideName
  readonly regions: readonly RegionRow[]
  /** For each region its conflict's number, -1 where it is none. */
  readonly conflictOf: Int32Array
  readonly from: number
  readonly to: number
  readonly current: number
  readonly marks: (region: number) => Readonly<Record<'ours' | 'theirs', readonly Mark[]>> | null
}

/** What lines `from` to `to` of a side are drawn with: conflicts tinted with a bar, changes of one side with a thin bar. */
export function sideDecorations(drawing: SideDrawing): Drawn[] {
  const { side, regions, conflictOf, from, to, current } = drawing
  const drawn: Drawn[] = []
  for (let i = firstRegion(regions, side, from); i < regions.length; i++) {
    const region = regions[i] as RegionRow
    const [start, end] = rangeOf(region, side)
    if (start + 1 > to) break
    if (end === start || !touches(region[0], side)) continue
    const conflict = conflictOf[i] as number
    const lines = { line: Math.max(start + 1, from), endLine: Math.min(end, to), isWholeLine: true }
    if (conflict >= 0) {
      const now = conflict === current ? ' merge-current' : ''
      drawn.push({ ...lines, className: `merge-${side}`, marginClassName: `merge-margin-${side}${now}` })
    } else drawn.push({ ...lines, marginClassName: `merge-margin-one merge-margin-${side}` })
    if (side === 'base') continue
    for (const mark of drawing.marks(i)?.[side] ?? [])
      drawn.push({
        line: start + mark.line,
        column: mark.column,
        endLine: start + mark.endLine,
        endColumn: mark.endColumn,
        inlineClassName: `merge-word-${side}`,
      })
  }
  return drawn
}

const touches = (kind: RegionRow[0], side: SideName) =>
  kind === 'conflict' || (side !== 'base' && (kind === side || kind === 'same'))

/** The first region that ends at or after a side's line (1-based). */
export function firstRegion(regions: readonly RegionRow[], side: SideName, line: number): number {
  let low = 0
  let high = regions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rangeOf(regions[middle] as RegionRow, side)[1] < line) low = middle + 1
    else high = middle
  }
  return low
}

/** Thin bars beside the lines of the result that one side alone changed. */
export function originDecorations(origins: readonly Origin[], from: number, to: number): Drawn[] {
  let low = 0
  let high = origins.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((origins[middle] as Origin).end < from) low = middle + 1
    else high = middle
  }
  const drawn: Drawn[] = []
  for (let i = low; i < origins.length; i++) {
    const { side, start, end } = origins[i] as Origin
    if (start + 1 > to) break
    if (end > start)
      drawn.push({
        line: Math.max(start + 1, from),
        endLine: Math.min(end, to),
        isWholeLine: true,
        marginClassName: `merge-margin-one merge-margin-${side}`,
      })
  }
  return drawn
}

export type ResultState = 'open' | 'mine' | 'rule' | 'AI' | 'rerere'

/** How a conflict stands: open, or by whom it was decided. */
export const stateOf = (draft: Draft, conflict: number): ResultState => draft.lines[conflict]?.by ?? 'open'

/** What lines `from` to `to` of the result are drawn with: a bar by state; open conflicts are tinted and say that they show base. */
export function resultDecorations(layout: ResultLayout, draft: Draft, from: number, to: number): Drawn[] {
  const drawn: Drawn[] = []
  const { conflicts } = layout
  let low = 0
  let high = conflicts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((conflicts[middle] as { end: number }).end < from) low = middle + 1
    else high = middle
  }
  for (let i = low; i < conflicts.length; i++) {
    const { start, end } = conflicts[i] as { start: number; end: number }
    if (start + 1 > to) break
    if (start === end) continue
    const state = stateOf(draft, i)
    const open = state === 'open'
    drawn.push({
      line: Math.max(start + 1, from),
      endLine: Math.min(end, to),
      isWholeLine: true,
      ...(open ? { className: 'merge-open' } : {}),
      marginClassName: `merge-state merge-state-${state}${open ? ' merge-open' : ''}`,
    })
    if (open && start + 1 >= from)
      drawn.push({
        line: start + 1,
        endLine: start + 1,
        column: 1,
        endColumn: Number.MAX_SAFE_INTEGER,
        afterContentClassName: 'merge-until',
      })
  }
  return drawn
}
