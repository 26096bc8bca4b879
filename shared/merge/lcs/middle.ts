/** Where a box is cut in two. `exact` false: the search was given up, and the cut is only where it got to. */
export interface Cut {
  x: number
  y: number
  exact: boolean
  steps: number
}

/** Scratch of the search: for each diagonal x - y how far a path got, from the start and from the end of the box. */
export class Frontier {
  readonly forward: Int32Array
  readonly backward: Int32Array
  readonly zero: number

  constructor(n: number, m: number) {
    this.forward = new Int32Array(n + m + 3)
    this.backward = new Int32Array(n + m + 3)
    this.zero = m + 1
  }
}

const FAR = 0x7fffffff

/**
 * Finds a point on a shortest edit path through the box `a[a0..a1) × b[b0..b1)`, searching from both ends at once:
 * E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b. The box must not be empty on
 * either side. When more than `budget` steps were taken, the point that a path got furthest to is given.
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
  cut: Cut,
): void {
  const { forward, backward, zero } = frontier
  const lowest = zero + a0 - b1
  const highest = zero + a1 - b0
  const start = zero + a0 - b0
  const goal = zero + a1 - b1
  const odd = ((start - goal) & 1) !== 0
  let fLow = start
  let fHigh = start
  let bLow = goal
  let bHigh = goal
  let steps = 0
  forward[start] = a0
  backward[goal] = a1
  for (;;) {
    if (fLow > lowest) forward[--fLow - 1] = -1
    else fLow++
    if (fHigh < highest) forward[++fHigh + 1] = -1
    else fHigh--
    for (let k = fHigh; k >= fLow; k -= 2) {
      const below = forward[k - 1] as number
      const above = forward[k + 1] as number
      let x = below < above ? above : below + 1
      const from = x
      let y = x - k + zero
      while (x < a1 && y < b1 && a[x] === b[y]) {
        x++
        y++
      }
      steps += x - from + 1
      forward[k] = x
      if (odd && k >= bLow && k <= bHigh && (backward[k] as number) <= x) {
        cut.x = x
        cut.y = y
        cut.exact = true
        cut.steps = steps
        return
      }
    }
    if (bLow > lowest) backward[--bLow - 1] = FAR
    else bLow++
    if (bHigh < highest) backward[++bHigh + 1] = FAR
    else bHigh--
    for (let k = bHigh; k >= bLow; k -= 2) {
      const below = backward[k - 1] as number
      const above = backward[k + 1] as number
      let x = below < above ? below : above - 1
      const from = x
      let y = x - k + zero
      while (x > a0 && y > b0 && a[x - 1] === b[y - 1]) {
        x--
        y--
      }
      steps += from - x + 1
      backward[k] = x
      if (!odd && k >= fLow && k <= fHigh && x <= (forward[k] as number)) {
        cut.x = x
        cut.y = y
        cut.exact = true
        cut.steps = steps
        return
      }
    }
    if (steps > budget) break
  }
  cut.exact = false
  cut.steps = steps
  furthest(a0, a1, b0, b1, frontier, fLow, fHigh, bLow, bHigh, cut)
}

/** The reached point with the most of the box behind it, seen from the start or from the end. */
function furthest(
  a0: number,
  a1: number,
  b0: number,
  b1: number,
  { forward, backward, zero }: Frontier,
  fLow: number,
  fHigh: number,
  bLow: number,
  bHigh: number,
  cut: Cut,
): void {
  let best = -1
  for (let k = fLow; k <= fHigh; k += 2) {
    const x = Math.min(forward[k] as number, a1)
    const y = x - k + zero
    if (x < a0 || y < b0 || y > b1 || x + y - a0 - b0 <= best) continue
    best = x + y - a0 - b0
    cut.x = x
    cut.y = y
  }
  for (let k = bLow; k <= bHigh; k += 2) {
    const x = Math.max(backward[k] as number, a0)
    const y = x - k + zero
    if (x > a1 || y > b1 || y < b0 || a1 + b1 - x - y <= best) continue
    best = a1 + b1 - x - y
    cut.x = x
    cut.y = y
  }
}
