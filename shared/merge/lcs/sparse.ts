import type { Symbols } from './bitSplit.ts'
import { type Anchors, chainOf } from './chain.ts'

/**
 * A longest common subsequence of `a[a0..a1)` and `b[b0..b1)` as pairs of positions, where few pairs of elements are
 * equal: J. W. Hunt and T. G. Szymanski, "A Fast Algorithm for Computing Longest Common Subsequences", 1977. Exact; time
 * and memory grow with the number of equal pairs. Null where there are more than `limit`.
 */
export function sparseMatch(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  symbols: Symbols,
  limit: number,
): Anchors | null {
  let known = 0
  for (let y = b0; y < b1; y++) {
    const id = b[y] as number
    if (symbols.of[id] === -1) symbols.of[id] = known++
  }
  const lists = placesOf(b, b0, b1, symbols, known)
  let matches = 0
  for (let x = a0; x < a1 && matches <= limit; x++) {
    const s = symbols.of[a[x] as number] as number
    if (s >= 0) matches += (lists.offsets[s + 1] as number) - (lists.offsets[s] as number)
  }
  const found = matches <= limit ? match(a, a0, a1, b1 - b0, symbols, lists, matches) : null
  for (let y = b0; y < b1; y++) symbols.of[b[y] as number] = -1
  return found
}

interface Places {
  readonly offsets: Int32Array
  /** For each symbol its positions, rising. */
  readonly at: Int32Array
}

function placesOf(b: Int32Array, b0: number, b1: number, symbols: Symbols, known: number): Places {
  const offsets = new Int32Array(known + 1)
  for (let y = b0; y < b1; y++) {
    const s = symbols.of[b[y] as number] as number
    offsets[s + 1] = (offsets[s + 1] as number) + 1
  }
  for (let s = 0; s < known; s++) offsets[s + 1] = (offsets[s + 1] as number) + (offsets[s] as number)
  const next = offsets.slice(0, known)
  const at = new Int32Array(b1 - b0)
  for (let y = b0; y < b1; y++) {
    const s = symbols.of[b[y] as number] as number
    const place = next[s] as number
    at[place] = y
    next[s] = place + 1
  }
  return { offsets, at }
}

function match(
  a: Int32Array,
  a0: number,
  a1: number,
  m: number,
  symbols: Symbols,
  { offsets, at }: Places,
  matches: number,
): Anchors {
  // A node for each equal pair that is taken up; `tops[k]`: the node that ends a chain of k + 1 with the least y.
  const xs = new Int32Array(matches)
  const ys = new Int32Array(matches)
  const before = new Int32Array(matches)
  const tops = new Int32Array(Math.min(a1 - a0, m))
  const topY = new Int32Array(tops.length)
  let nodes = 0
  let piles = 0
  for (let x = a0; x < a1; x++) {
    const s = symbols.of[a[x] as number] as number
    if (s < 0) continue
    // From the last position to the first, so that one x does not follow itself.
    for (let i = (offsets[s + 1] as number) - 1; i >= (offsets[s] as number); i--) {
      const y = at[i] as number
      let low = 0
      let high = piles
      while (low < high) {
        const mid = (low + high) >> 1
        if ((topY[mid] as number) < y) low = mid + 1
        else high = mid
      }
      if (low < piles && topY[low] === y) continue
      xs[nodes] = x
      ys[nodes] = y
      before[nodes] = low > 0 ? (tops[low - 1] as number) : -1
      tops[low] = nodes++
      topY[low] = y
      if (low === piles) piles++
    }
  }
  return chainOf(piles, tops, before, xs, ys)
}
