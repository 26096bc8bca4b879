import { editsOf } from '../edit.ts'
import { compareWhole } from '../lcs/compare.ts'
import { slide } from '../lcs/slide.ts'
import type { Merge } from './merge.ts'
import type { LineRange, Region } from './regions.ts'
import { offsetOf } from './side.ts'

/**
 * How conflicts are shown. `merge`: the two sides, cut down to where they differ from each other. `diff3`: with base,
 * uncut. `zdiff3`: with base, and the lines that both sides begin and end with moved out of the conflict.
 */
export type MarkerStyle = 'merge' | 'diff3' | 'zdiff3'

/** A conflict as one style shows it: the lines between the markers. */
export interface Chunk {
  readonly base: LineRange
  readonly ours: LineRange
  readonly theirs: LineRange
}

/** The conflicts of a merge as a style shows them, in order; there may be more or fewer than in the regions. */
export function chunksOf(merge: Merge, style: MarkerStyle): Chunk[] {
  if (style === 'diff3') return merge.conflicts.map(({ base, ours, theirs }) => ({ base, ours, theirs }))
  if (style === 'zdiff3') return merge.conflicts.map((conflict) => trimmed(merge, conflict))
  return joined(merge)
}

/** Without the lines that both sides begin and end with. They lie within the conflict as `diff3` shows it. */
function trimmed(merge: Merge, { base, ours, theirs }: Region): Chunk {
  const o = merge.ours.ids
  const t = merge.theirs.ids
  const { first } = merge.ours
  let { start: o0, end: o1 } = ours
  let { start: t0, end: t1 } = theirs
  while (o0 < o1 && t0 < t1 && o[o0 - first] === t[t0 - first]) {
    o0++
    t0++
  }
  while (o0 < o1 && t0 < t1 && o[o1 - 1 - first] === t[t1 - 1 - first]) {
    o1--
    t1--
  }
  return { base, ours: { start: o0, end: o1 }, theirs: { start: t0, end: t1 } }
}

/** A gap of at most this many lines between two conflicts is not worth two conflicts. */
const SMALL_GAP = 3

/** Conflicts cut at what the sides share, then joined again where what lies between is short or has no letter or digit. */
function joined(merge: Merge): Chunk[] {
  const out: Chunk[] = []
  let last: Chunk | null = null
  for (const region of merge.regions) {
    if (region.kind === 'ours' || region.kind === 'theirs') last = null
    if (region.kind !== 'conflict') continue
    for (const chunk of cutApart(merge, region)) {
      const gap: number = last === null ? 0 : chunk.ours.start - last.ours.end
      if (last !== null && (gap <= SMALL_GAP || !hasWord(merge, last.ours.end, chunk.ours.start))) {
        last = {
          base: { start: last.base.start, end: chunk.base.end },
          ours: { start: last.ours.start, end: chunk.ours.end },
          theirs: { start: last.theirs.start, end: chunk.theirs.end },
        }
        out[out.length - 1] = last
      } else {
        last = chunk
        out.push(chunk)
      }
    }
  }
  return out
}

function cutApart(merge: Merge, { base, ours, theirs }: Region): Chunk[] {
  if (ours.start === ours.end || theirs.start === theirs.end) return [{ base, ours, theirs }]
  const { first } = merge.ours
  const o = merge.ours.ids.subarray(ours.start - first, ours.end - first)
  const t = merge.theirs.ids.subarray(theirs.start - first, theirs.end - first)
  if (o.length === 1 && t.length === 1) return [{ base, ours, theirs }]
  const found = compareWhole(o, t, merge.idCount)
  slide(o, found.oldChanged, t, found.newChanged)
  return editsOf(found.oldChanged, found.newChanged).map((edit) => ({
    base,
    ours: { start: ours.start + edit.oldStart, end: ours.start + edit.oldEnd },
    theirs: { start: theirs.start + edit.newStart, end: theirs.start + edit.newEnd },
  }))
}

function hasWord(merge: Merge, from: number, to: number): boolean {
  const { bytes } = merge.ours
  const end = offsetOf(merge.ours, to)
  for (let at = offsetOf(merge.ours, from); at < end; at++) {
    const c = bytes[at] as number
    if ((c >= 48 && c <= 57) || ((c | 32) >= 97 && (c | 32) <= 122)) return true
  }
  return false
}
