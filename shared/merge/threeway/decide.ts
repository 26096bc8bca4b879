import { endingAt } from './endings.ts'
import type { Merge } from './merge.ts'
import { Output } from './output.ts'
import type { Region } from './regions.ts'
import { bytesOf, offsetOf } from './side.ts'

/** What a conflict becomes. `text` puts in bytes of the person's own, as they are. */
export type Decision =
  | { readonly take: 'base' | 'ours' | 'theirs' | 'ours-then-theirs' | 'theirs-then-ours' }
  | { readonly take: 'text'; readonly text: Uint8Array }

/** Where the bytes of one region ended up in a result. */
export interface Placed {
  readonly region: Region
  /** Byte offsets in the result, half-open. */
  readonly start: number
  readonly end: number
}

export interface Decided {
  readonly bytes: Uint8Array
  /** One for each region of the merge, in order. */
  readonly placed: readonly Placed[]
}

/**
 * The bytes of a merge with its conflicts decided: one decision for each of `merge.conflicts`, in order. Everything
 * else is taken from the sides untouched. Both sides of a conflict are taken whole, the lines they share included; only
 * where the first of them ends without newline is one put in between. Throws a RangeError where the number of decisions
 * is not that of the conflicts.
 */
export function decidedBytes(merge: Merge, decisions: readonly Decision[]): Decided {
  if (decisions.length !== merge.conflicts.length)
    throw new RangeError(`${merge.conflicts.length} conflicts, ${decisions.length} decisions`)
  const out = new Output()
  const placed: Placed[] = []
  let next = 0
  for (const region of merge.regions) {
    const start = out.size
    if (region.kind === 'conflict') addDecided(out, merge, region, decisions[next++] as Decision)
    else {
      const side = region.kind === 'theirs' ? merge.theirs : merge.ours
      const range = region.kind === 'theirs' ? region.theirs : region.ours
      out.add(side.bytes, offsetOf(side, range.start), offsetOf(side, range.end))
    }
    placed.push({ region, start, end: out.size })
  }
  return { bytes: out.bytes(), placed }
}

/** The merged bytes of a merge without conflicts; null where there are some. */
export function cleanBytes(merge: Merge): Uint8Array | null {
  return merge.conflicts.length > 0 ? null : decidedBytes(merge, []).bytes
}

/** What one conflict becomes by a decision. */
export function decisionBytes(merge: Merge, conflict: Region, decision: Decision): Uint8Array {
  const out = new Output()
  addDecided(out, merge, conflict, decision)
  return out.bytes()
}

function addDecided(out: Output, merge: Merge, conflict: Region, decision: Decision): void {
  const ours = bytesOf(merge.ours, conflict.ours)
  const theirs = bytesOf(merge.theirs, conflict.theirs)
  let first: Uint8Array
  let second: Uint8Array = new Uint8Array(0)
  if (decision.take === 'text') first = decision.text
  else if (decision.take === 'base') first = bytesOf(merge.base, conflict.base)
  else if (decision.take === 'ours') first = ours
  else if (decision.take === 'theirs') first = theirs
  else {
    const oursFirst = decision.take === 'ours-then-theirs'
    first = oursFirst ? ours : theirs
    second = oursFirst ? theirs : ours
  }
  out.add(first)
  if (first.length > 0 && second.length > 0 && first[first.length - 1] !== 10)
    out.add(endingAt(merge, conflict.ours, conflict.theirs))
  out.add(second)
}
