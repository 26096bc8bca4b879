/**
 * One place where two sequences differ: `old[oldStart..oldEnd)` became `new[newStart..newEnd)`, 0-based and half-open.
 * Lists of edits are ordered, disjoint and never touch; everything between them is equal on both sides.
 */
export interface Edit {
  readonly oldStart: number
  readonly oldEnd: number
  readonly newStart: number
  readonly newEnd: number
}

/** The edits that two arrays of flags describe: 1 where an element has no counterpart on the other side. */
export function editsOf(oldChanged: Uint8Array, newChanged: Uint8Array): Edit[] {
  const edits: Edit[] = []
  let i = 0
  let j = 0
  while (i < oldChanged.length || j < newChanged.length) {
    if (!oldChanged[i] && !newChanged[j] && i < oldChanged.length && j < newChanged.length) {
      i++
      j++
      continue
    }
    const oldStart = i
    const newStart = j
    while (i < oldChanged.length && oldChanged[i]) i++
    while (j < newChanged.length && newChanged[j]) j++
    edits.push({ oldStart, oldEnd: i, newStart, newEnd: j })
  }
  return edits
}

/** Rebuilds the new sequence from the old one, the edits and what they put in. */
export function applyEdits<T>(old: readonly T[], edits: readonly Edit[], now: readonly T[]): T[] {
  const out: T[] = []
  let at = 0
  for (const edit of edits) {
    for (; at < edit.oldStart; at++) out.push(old[at] as T)
    for (let j = edit.newStart; j < edit.newEnd; j++) out.push(now[j] as T)
    at = edit.oldEnd
  }
  for (; at < old.length; at++) out.push(old[at] as T)
  return out
}
