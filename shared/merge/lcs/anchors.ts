import { type Anchors, chainOf } from './chain.ts'

/** More candidates than this are not looked at: longer runs are sampled by their hash. */
const MOST = 16_384

/**
 * Elements that occur exactly once in each range, the longest series of them in order on both sides: the anchors of
 * Bram Cohen's patience diff. Ids are below `idCount`.
 */
export function uniqueAnchors(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  idCount: number,
): Anchors {
  // Position + 1 of the only occurrence, -1 for an element that occurs more often.
  const inA = new Int32Array(idCount)
  const inB = new Int32Array(idCount)
  for (let x = a0; x < a1; x++) {
    const id = a[x] as number
    inA[id] = inA[id] === 0 ? x + 1 : -1
  }
  for (let y = b0; y < b1; y++) {
    const id = b[y] as number
    inB[id] = inB[id] === 0 ? y + 1 : -1
  }
  const xs: number[] = []
  const ys: number[] = []
  for (let x = a0; x < a1; x++) {
    const id = a[x] as number
    if ((inA[id] as number) <= 0 || (inB[id] as number) <= 0) continue
    xs.push(x)
    ys.push((inB[id] as number) - 1)
  }
  return longestRising(xs, ys, xs.length)
}

/**
 * Runs of `k` elements that occur exactly once in each range, the longest series of them in order on both sides: a way
 * where no element is unique. Where the ranges are long, only runs whose hash falls into a sample are looked at, the same on both sides.
 */
export function runAnchors(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  k: number,
): Anchors {
  let shift = 0
  while (Math.max(a1 - a0, b1 - b0) >> shift > MOST) shift++
  const sampled = 16 - shift
  const room = Math.min(a1 - a0, 2 * MOST)
  let size = 64
  while (size < room * 2) size *= 2
  const mask = size - 1
  // Per slot: hash, position + 1 in a (-1: more than once), position + 1 in b (-1: more than once).
  const table = new Int32Array(size * 3)
  let stored = 0
  // Slots in the order of their first x.
  const slots = new Int32Array(room)
  const weight = powerOf(k - 1)
  const inA = spreadOf(a, a0, a1)
  let hash = 0
  for (let i = 0; i < Math.min(inA.length, k - 1); i++) hash = push(hash, inA[i] as number)
  for (let i = 0; i + k <= inA.length && stored < room; i++) {
    const run = push(hash, inA[i + k - 1] as number)
    hash = (run - Math.imul(inA[i] as number, weight)) | 0
    // The high bits are those that all elements of the run have a part in.
    if ((run >>> 16) >>> sampled !== 0) continue
    const key = run ^ (run >>> 15)
    let slot = (Math.imul(key, 0x9e3779b1) >>> 5) & mask
    while (table[slot * 3 + 1] !== 0 && table[slot * 3] !== key) slot = (slot + 1) & mask
    if (table[slot * 3 + 1] === 0) {
      table[slot * 3] = key
      table[slot * 3 + 1] = a0 + i + 1
      slots[stored++] = slot
    } else table[slot * 3 + 1] = -1
  }
  const inB = spreadOf(b, b0, b1)
  hash = 0
  for (let i = 0; i < Math.min(inB.length, k - 1); i++) hash = push(hash, inB[i] as number)
  for (let i = 0; i + k <= inB.length; i++) {
    const run = push(hash, inB[i + k - 1] as number)
    hash = (run - Math.imul(inB[i] as number, weight)) | 0
    if ((run >>> 16) >>> sampled !== 0) continue
    const key = run ^ (run >>> 15)
    let slot = (Math.imul(key, 0x9e3779b1) >>> 5) & mask
    while (table[slot * 3 + 1] !== 0 && table[slot * 3] !== key) slot = (slot + 1) & mask
    if (table[slot * 3 + 1] !== 0) table[slot * 3 + 2] = table[slot * 3 + 2] === 0 ? b0 + i + 1 : -1
  }
  const xs = new Int32Array(stored)
  const ys = new Int32Array(stored)
  let pairs = 0
  for (let i = 0; i < stored; i++) {
    const slot = slots[i] as number
    const x = (table[slot * 3 + 1] as number) - 1
    const y = (table[slot * 3 + 2] as number) - 1
    if (x < 0 || y < 0 || !sameRun(a, x, b, y, k)) continue
    xs[pairs] = x
    ys[pairs++] = y
  }
  return longestRising(xs, ys, pairs)
}

/** Takes one more element into the hash of a run: a polynomial in MULTIPLIER, so that the oldest can be taken out. */
function push(hash: number, element: number): number {
  return (Math.imul(hash, MULTIPLIER) + element) | 0
}

const MULTIPLIER = 0x01000193

function powerOf(exponent: number): number {
  let power = 1
  for (let i = 0; i < exponent; i++) power = Math.imul(power, MULTIPLIER)
  return power
}

/** Ids as numbers that look random. */
function spreadOf(ids: Int32Array, from: number, to: number): Int32Array {
  const out = new Int32Array(to - from)
  for (let i = from; i < to; i++) {
    const h = Math.imul((ids[i] as number) + 1, 0x85ebca6b)
    out[i - from] = h ^ (h >>> 13)
  }
  return out
}

function sameRun(a: Int32Array, x: number, b: Int32Array, y: number, k: number): boolean {
  for (let i = 0; i < k; i++) if (a[x + i] !== b[y + i]) return false
  return true
}

/** The longest series with rising y of `n` pairs in rising x, by patience sorting. */
function longestRising(xs: ArrayLike<number>, ys: ArrayLike<number>, n: number): Anchors {
  const tops = new Int32Array(n)
  const before = new Int32Array(n)
  let piles = 0
  for (let pair = 0; pair < n; pair++) {
    const y = ys[pair] as number
    let low = 0
    let high = piles
    // Mostly the pairs are in order already.
    if (piles > 0 && (ys[tops[piles - 1] as number] as number) < y) low = piles
    while (low < high) {
      const mid = (low + high) >> 1
      if ((ys[tops[mid] as number] as number) < y) low = mid + 1
      else high = mid
    }
    before[pair] = low > 0 ? (tops[low - 1] as number) : -1
    tops[low] = pair
    if (low === piles) piles++
  }
  return chainOf(piles, tops, before, xs, ys)
}
