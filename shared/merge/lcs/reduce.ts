/** What of a sequence has to be searched. */
export interface Reduced {
  readonly ids: Int32Array
  /** Flags over the whole sequence: 1 where an element has no counterpart. */
  readonly changed: Uint8Array
  /** Where the elements of `ids` stand in the sequence; null where they are those from `start` on. */
  readonly at: Int32Array | null
  readonly start: number
}

/**
 * Puts aside what needs no search: equal ends, which are kept, and elements that the other side does not have between
 * them, which are flagged as changed. A longest common subsequence of the rest makes one of the whole.
 */
export function reduce(
  old: Int32Array,
  now: Int32Array,
  idCount: number,
): { readonly old: Reduced; readonly now: Reduced } {
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  const seen = new Uint8Array(start === most - end ? 0 : idCount)
  for (let i = start; i < old.length - end; i++) seen[old[i] as number] = 1
  for (let j = start; j < now.length - end; j++) seen[now[j] as number] = (seen[now[j] as number] as number) | 2
  return { old: side(old, start, old.length - end, seen), now: side(now, start, now.length - end, seen) }
}

function side(ids: Int32Array, start: number, end: number, seen: Uint8Array): Reduced {
  const changed = new Uint8Array(ids.length)
  let first = start
  while (first < end && seen[ids[first] as number] === 3) first++
  if (first === end) return { ids: ids.subarray(start, end), changed, at: null, start }
  const at = new Int32Array(end - start)
  const kept = new Int32Array(end - start)
  let count = 0
  for (let i = start; i < end; i++) {
    if (seen[ids[i] as number] === 3) {
      kept[count] = ids[i] as number
      at[count++] = i
    } else changed[i] = 1
  }
  return { ids: kept.subarray(0, count), changed, at: at.subarray(0, count), start }
}

/** Flags a range of the reduced sequence as changed. */
export function markReduced({ changed, at, start }: Reduced, from: number, to: number): void {
  if (at === null) changed.fill(1, start + from, start + to)
  else for (let i = from; i < to; i++) changed[at[i] as number] = 1
}
