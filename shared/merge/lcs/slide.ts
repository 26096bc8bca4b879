/**
 * Moves groups of changed elements to where readers and git's merge expect them. A group that may stand in several
 * places (its first element equals the one after it, or its last the one before it) goes as far down as it can, unless
 * on the way it stands beside a group of the other sequence: then it stays at the last such place. Groups that meet
 * become one. Run on both sequences in turn; the script stays valid and its length the same.
 */
export function slide(old: Int32Array, oldChanged: Uint8Array, now: Int32Array, newChanged: Uint8Array): void {
  slideOne(old, oldChanged, newChanged)
  slideOne(now, newChanged, oldChanged)
}

function slideOne(ids: Int32Array, changed: Uint8Array, others: Uint8Array): void {
  const n = ids.length
  const m = others.length
  // The group of this side and the group of the other side that stands between the same two kept elements.
  let start = 0
  let end = 0
  while (end < n && changed[end] === 1) end++
  let otherEnd = 0
  while (otherEnd < m && others[otherEnd] === 1) otherEnd++
  let otherStart = 0
  for (;;) {
    if (end > start) {
      let beside = -1
      let size: number
      do {
        size = end - start
        beside = -1
        while (start > 0 && ids[start - 1] === ids[end - 1]) {
          changed[--start] = 1
          changed[--end] = 0
          while (start > 0 && changed[start - 1] === 1) start--
          otherEnd = otherStart - 1
          otherStart = otherEnd
          while (otherStart > 0 && others[otherStart - 1] === 1) otherStart--
        }
        const top = end
        if (otherEnd > otherStart) beside = end
        while (end < n && ids[start] === ids[end]) {
          changed[start++] = 0
          changed[end++] = 1
          while (end < n && changed[end] === 1) end++
          otherStart = otherEnd + 1
          otherEnd = otherStart
          while (otherEnd < m && others[otherEnd] === 1) otherEnd++
          if (otherEnd > otherStart) beside = end
        }
        if (end === top && size === end - start) break
      } while (size !== end - start)
      while (beside !== -1 && otherEnd === otherStart) {
        changed[--start] = 1
        changed[--end] = 0
        otherEnd = otherStart - 1
        otherStart = otherEnd
        while (otherStart > 0 && others[otherStart - 1] === 1) otherStart--
      }
    }
    if (end >= n) return
    start = end + 1
    end = start
    while (end < n && changed[end] === 1) end++
    otherStart = otherEnd + 1
    otherEnd = otherStart
    while (otherEnd < m && others[otherEnd] === 1) otherEnd++
  }
}
