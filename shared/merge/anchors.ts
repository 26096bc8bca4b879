/**
 * Pairs of positions at which both ranges hold an element that each holds exactly once, the longest run that is in
 * order on both sides: the anchors of Bram Cohen's patience diff. In rising order; empty where there is none.
 */
export function anchors(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
): { readonly x: number; readonly y: number }[] {
  // Position + 1 of the only occurrence, -1 for an element that occurs more often.
  const onlyInA = new Map<number, number>()
  for (let x = a0; x < a1; x++) onlyInA.set(a[x] as number, onlyInA.has(a[x] as number) ? -1 : x + 1)
  const onlyInB = new Map<number, number>()
  for (let y = b0; y < b1; y++) {
    const id = b[y] as number
    if ((onlyInA.get(id) ?? -1) > 0) onlyInB.set(id, onlyInB.has(id) ? -1 : y + 1)
  }
  const pairs: { x: number; y: number }[] = []
  for (let x = a0; x < a1; x++) {
    const y = onlyInB.get(a[x] as number) ?? -1
    if (y > 0) pairs.push({ x, y: y - 1 })
  }
  return longestRising(pairs)
}

/** The longest subsequence with rising y of pairs in rising x, by patience sorting. */
function longestRising(pairs: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  const tops: number[] = []
  const before = new Int32Array(pairs.length).fill(-1)
  for (let i = 0; i < pairs.length; i++) {
    const y = (pairs[i] as { y: number }).y
    let low = 0
    let high = tops.length
    while (low < high) {
      const mid = (low + high) >> 1
      if ((pairs[tops[mid] as number] as { y: number }).y < y) low = mid + 1
      else high = mid
    }
    if (low > 0) before[i] = tops[low - 1] as number
    tops[low] = i
  }
  const out: { x: number; y: number }[] = []
  for (let i = tops.at(-1) ?? -1; i >= 0; i = before[i] as number) out.push(pairs[i] as { x: number; y: number })
  return out.reverse()
}
