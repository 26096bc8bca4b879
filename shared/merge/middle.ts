/** Where a box is cut in two: both halves are compared on their own. `exact` false: the search was given up here. */
export interface Cut {
  readonly x: number
  readonly y: number
  readonly exact: boolean
  /** Work that was done, in inner steps. */
  readonly steps: number
}

/** Scratch arrays of the search, one pair for all boxes. */
export class Frontier {
  readonly forward: Int32Array
  readonly backward: Int32Array
  readonly zero: number

  constructor(oldLength: number, newLength: number) {
    const size = oldLength + newLength + 3
    this.forward = new Int32Array(2 * size + 1)
    this.backward = new Int32Array(2 * size + 1)
    this.zero = size
  }
}

/**
 * Finds a point on a shortest edit path through the box `a[a0..a1) × b[b0..b1)`, searching from both ends: the middle
 * snake of E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b. Both sides must be
 * non-empty and differ at both ends. After `budget` steps the point that a forward path reached furthest is given
 * instead.
 */
export function middle(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  frontier: Frontier,
  budget: number,
): Cut {
  const { forward, backward, zero } = frontier
  const n = a1 - a0
  const m = b1 - b0
  const delta = n - m
  const odd = (delta & 1) !== 0
  let steps = 0
  for (let d = 0; ; d++) {
    // Diagonals that lie outside the box are not looked at.
    const low = -(d - 2 * Math.max(0, d - m))
    const high = d - 2 * Math.max(0, d - n)
    if (low === -d) forward[zero - d - 1] = backward[zero - d - 1] = NOWHERE
    if (high === d) forward[zero + d + 1] = backward[zero + d + 1] = NOWHERE
    for (let k = low; k <= high; k += 2) {
      let x = d === 0 ? 0 : step(forward, zero + k, k, n, m)
      const from = x
      if (x >= 0) while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++
      forward[zero + k] = x
      steps += x - from + 1
      const back = delta - k
      if (odd && x >= 0 && back >= 1 - d && back <= d - 1 && x + (backward[zero + back] as number) >= n)
        return { x: a0 + x, y: b0 + x - k, exact: true, steps }
    }
    for (let k = low; k <= high; k += 2) {
      let x = d === 0 ? 0 : step(backward, zero + k, k, n, m)
      const from = x
      if (x >= 0) while (x < n && x - k < m && a[a1 - 1 - x] === b[b1 - 1 - x + k]) x++
      backward[zero + k] = x
      steps += x - from + 1
      const back = delta - k
      if (!odd && x >= 0 && back >= -d && back <= d && x + (forward[zero + back] as number) >= n)
        return { x: a1 - x, y: b1 - x + k, exact: true, steps }
    }
    if (steps > budget) return furthest(frontier, a0, b0, n, m, low, high, steps)
  }
}

/** Stands for "no path of this length ends on that diagonal inside the box". */
const NOWHERE = -0x40000000

/** The furthest x on diagonal `k` after one more insertion or deletion. */
function step(reach: Int32Array, at: number, k: number, n: number, m: number): number {
  const right = (reach[at - 1] as number) + 1
  const down = reach[at + 1] as number
  const x = right > n ? NOWHERE : right
  return down - k <= m && down > x ? down : x < 0 ? NOWHERE : x
}

function furthest(
  f: Frontier,
  a0: number,
  b0: number,
  n: number,
  m: number,
  low: number,
  high: number,
  steps: number,
): Cut {
  let best = -1
  let at = { x: 0, y: 0 }
  for (let k = low; k <= high; k += 2) {
    const x = Math.min(f.forward[f.zero + k] as number, n)
    const y = x - k
    if (x < 0 || y < 0 || y > m || x + y <= best) continue
    best = x + y
    at = { x, y }
  }
  return { x: a0 + at.x, y: b0 + at.y, exact: false, steps }
}
