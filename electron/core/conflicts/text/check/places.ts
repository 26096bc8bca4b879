import { layoutOf, type ResultLayout, rowsOf } from '../../../../../shared/merge/draft/index.ts'
import type { Region } from '../../../../../shared/merge/index.ts'
import type { Draft } from '../../../../../shared/model/index.ts'
import type { SideName } from '../prepare.ts'
import type { TextMerge } from '../textMerge.ts'

interface Spot {
  readonly region: Region
  /** Number of the conflict, or null in a gap. */
  readonly conflict: number | null
  readonly gap: number
  /** Of a region in a gap: its first line within the gap. */
  readonly from: number
}

/** Where lines of the sides stand, or would stand, in the result of a draft. */
export class Places {
  readonly layout: ResultLayout
  private readonly text: TextMerge
  private readonly draft: Draft
  private readonly spots: readonly Spot[]

  constructor(text: TextMerge, draft: Draft) {
    this.text = text
    this.draft = draft
    this.layout = layoutOf(text.model, draft)
    const spots: Spot[] = []
    let gap = 0
    let from = 0
    for (const region of text.merge.regions) {
      const inConflict = region.kind === 'conflict'
      spots.push({ region, conflict: inConflict ? gap : null, gap, from })
      const taken = region.kind === 'theirs' ? region.theirs : region.ours
      from = inConflict ? 0 : from + taken.end - taken.start
      if (inConflict) gap++
    }
    this.spots = spots
  }

  /** The conflict in whose lines a line of a side lies; null outside all. */
  conflictOf(side: SideName, line: number): number | null {
    return this.spotOf(side, line)?.conflict ?? null
  }

  /** The conflict whose decided lines hold a line of the result; null outside all. */
  conflictAt(line: number): number | null {
    const found = this.layout.conflicts.findIndex(({ start, end }) => start <= line && line < end)
    return found === -1 ? null : found
  }

  /** 0-based. Where the line itself is not there, the place where it would be. */
  lineOf(side: SideName, line: number): number | null {
    const spot = this.spotOf(side, line)
    if (spot === null) return null
    if (spot.conflict !== null) {
      const { start, end } = this.layout.conflicts[spot.conflict] as { start: number; end: number }
      return this.sameLine(side, line, start, end) ?? start
    }
    const { region } = spot
    const taken = region.kind === 'theirs' ? region.theirs : region.ours
    const own = spot.from + Math.min(line - region[side].start, Math.max(0, taken.end - taken.start - 1))
    const start = (this.layout.gaps[spot.gap] as { start: number }).start
    let shift = 0
    for (const edit of this.draft.edits) {
      if (edit.gap !== spot.gap || own < edit.at) continue
      const rows = rowsOf(edit.text).length
      const at = start + edit.at + shift
      if (own < edit.at + edit.removed) return this.sameLine(side, line, at, at + rows) ?? at
      shift += rows - edit.removed
    }
    return start + own + shift
  }

  private sameLine(side: SideName, line: number, start: number, end: number): number | null {
    const row = this.text.model[side][line]
    const wanted = row?.endsWith('\n') ? row.slice(0, -1) : row
    for (let at = start; at < end; at++) if (this.layout.lines[at] === wanted) return at
    return null
  }

  private spotOf(side: SideName, line: number): Spot | null {
    let low = 0
    let high = this.spots.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.spots[middle] as Spot).region[side].start <= line) low = middle
      else high = middle - 1
    }
    return this.spots[low] ?? null
  }
}
