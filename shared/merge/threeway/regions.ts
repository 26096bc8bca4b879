import type { Edit } from '../edit.ts'

/** 0-based, half-open. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/**
 * `unchanged`: all three equal. `ours`, `theirs`: only that side differs from base. `same`: both changed base to the
 * same. `conflict`: both changed it, differently.
 */
export type RegionKind = 'unchanged' | 'ours' | 'theirs' | 'same' | 'conflict'

/** A stretch of the three files that belongs together. A list of regions covers each file from start to end, in order. */
export interface Region {
  readonly kind: RegionKind
  readonly base: LineRange
  readonly ours: LineRange
  readonly theirs: LineRange
}

/**
 * What happens to edits of the two sides that touch but do not overlap. `conflict`: git's rule. `clean`: both are taken,
 * except where both start at one place.
 */
export type Touching = 'conflict' | 'clean'

/** The three sequences of ids that the edits are about. */
export interface Ids {
  readonly base: Int32Array
  readonly ours: Int32Array
  readonly theirs: Int32Array
}

/**
 * Walks the edits of both sides along base and groups those that belong together into regions. Positions are those of
 * the ids; the regions cover them wholly.
 */
export function regionsOf(ids: Ids, ours: readonly Edit[], theirs: readonly Edit[], touching: Touching): Region[] {
  const regions: Region[] = []
  const reach = touching === 'conflict' ? 1 : 0
  let at = 0
  let oAt = 0
  let tAt = 0
  let i = 0
  let j = 0
  while (i < ours.length || j < theirs.length) {
    const start = Math.min(
      ours[i]?.oldStart ?? Number.POSITIVE_INFINITY,
      theirs[j]?.oldStart ?? Number.POSITIVE_INFINITY,
    )
    if (start > at) {
      const length = start - at
      regions.push(region('unchanged', at, start, oAt, oAt + length, tAt, tAt + length))
      oAt += length
      tAt += length
    }
    // All edits that start before the group ends; at its end too where touching counts, and always at its start.
    let end = start
    let oEnd = oAt
    let tEnd = tAt
    let oGrown = 0
    let tGrown = 0
    const i0 = i
    const j0 = j
    for (;;) {
      const o = ours[i]
      const t = theirs[j]
      if (o !== undefined && (o.oldStart < end + reach || o.oldStart === start)) {
        end = Math.max(end, o.oldEnd)
        oGrown += o.newEnd - o.newStart - (o.oldEnd - o.oldStart)
        i++
      } else if (t !== undefined && (t.oldStart < end + reach || t.oldStart === start)) {
        end = Math.max(end, t.oldEnd)
        tGrown += t.newEnd - t.newStart - (t.oldEnd - t.oldStart)
        j++
      } else break
    }
    oEnd += end - start + oGrown
    tEnd += end - start + tGrown
    let kind: RegionKind
    if (j === j0) kind = 'ours'
    else if (i === i0) kind = 'theirs'
    else kind = bothKind(ids, start, end, oAt, oEnd, tAt, tEnd)
    regions.push(region(kind, start, end, oAt, oEnd, tAt, tEnd))
    at = end
    oAt = oEnd
    tAt = tEnd
  }
  if (at < ids.base.length)
    regions.push(region('unchanged', at, ids.base.length, oAt, ids.ours.length, tAt, ids.theirs.length))
  return regions
}

function bothKind(ids: Ids, b0: number, b1: number, o0: number, o1: number, t0: number, t1: number): RegionKind {
  if (equalIds(ids.ours, o0, o1, ids.theirs, t0, t1)) return 'same'
  // Only where the comparison was cut short can an edit turn out to be none.
  if (equalIds(ids.base, b0, b1, ids.ours, o0, o1)) return 'theirs'
  if (equalIds(ids.base, b0, b1, ids.theirs, t0, t1)) return 'ours'
  return 'conflict'
}

export function equalIds(a: Int32Array, a0: number, a1: number, b: Int32Array, b0: number, b1: number): boolean {
  if (a1 - a0 !== b1 - b0) return false
  for (let i = 0; i < a1 - a0; i++) if (a[a0 + i] !== b[b0 + i]) return false
  return true
}

export function region(
  kind: RegionKind,
  b0: number,
  b1: number,
  o0: number,
  o1: number,
  t0: number,
  t1: number,
): Region {
  return { kind, base: { start: b0, end: b1 }, ours: { start: o0, end: o1 }, theirs: { start: t0, end: t1 } }
}
