import { runAnchors, uniqueAnchors } from './anchors.ts'
import { bitSplit, Symbols } from './bitSplit.ts'
import type { Anchors } from './chain.ts'
import { type Cut, Frontier, middle } from './middle.ts'
import { markReduced, type Reduced, reduce } from './reduce.ts'
import { sparseMatch } from './sparse.ts'
import { LIMITS, type Limits } from './steps.ts'

/** Which elements have no counterpart, as flags of 0 and 1; `exact`: no longer common subsequence exists. */
export interface Comparison {
  readonly oldChanged: Uint8Array
  readonly newChanged: Uint8Array
  readonly exact: boolean
}

/** Lengths of the runs that anchors are made of where no element is unique, in the order in which they are tried. */
const RUNS = [24, 8] as const

/**
 * A comparison of two sequences of ids (all below `idCount`) that can be done in slices. Equal ends and elements that
 * the other side lacks are put aside first, which loses nothing; the rest is a stack of boxes, each cut in two: by the
 * search from both ends while that is cheap, else by matching where few elements match or the bit-parallel split, else, no longer exact, at anchors or where
 * the search got furthest. What is left when the total is spent counts as changed.
 */
export class Comparer implements Comparison {
  readonly oldChanged: Uint8Array
  readonly newChanged: Uint8Array
  exact = true
  private readonly old: Reduced
  private readonly now: Reduced
  private readonly a: Int32Array
  private readonly b: Int32Array
  private readonly limits: Limits
  private readonly idCount: number
  private readonly boxes: number[] = []
  private readonly cut: Cut = { x: 0, y: 0, exact: true, steps: 0 }
  private frontier: Frontier | null = null
  private symbols: Symbols | null = null
  private left: number

  constructor(old: Int32Array, now: Int32Array, idCount: number, limits: Limits = LIMITS) {
    this.limits = limits
    this.left = limits.total
    this.idCount = idCount
    const both = reduce(old, now, idCount)
    this.old = both.old
    this.now = both.now
    this.oldChanged = both.old.changed
    this.newChanged = both.now.changed
    this.a = both.old.ids
    this.b = both.now.ids
    this.boxes.push(0, this.a.length, 0, this.b.length)
  }

  /** Does about `steps` steps; true when all is done. */
  run(steps: number): boolean {
    const until = this.left - steps
    const { a, b, boxes } = this
    while (boxes.length > 0) {
      if (this.left < until) return false
      let b1 = boxes.pop() as number
      let b0 = boxes.pop() as number
      let a1 = boxes.pop() as number
      let a0 = boxes.pop() as number
      const before = a1 + b1 - a0 - b0
      while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) {
        a0++
        b0++
      }
      while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) {
        a1--
        b1--
      }
      this.left -= 8 + before - (a1 + b1 - a0 - b0)
      if (a0 === a1 || b0 === b1) this.mark(a0, a1, b0, b1)
      else if (a1 - a0 === 1) this.oneRow(a0, b0, b1)
      else if (b1 - b0 === 1) this.oneColumn(a0, a1, b0)
      else this.divide(a0, a1, b0, b1)
    }
    return true
  }

  private mark(a0: number, a1: number, b0: number, b1: number): void {
    markReduced(this.old, a0, a1)
    markReduced(this.now, b0, b1)
  }

  /** A box of one row: the element is kept at its first occurrence. */
  private oneRow(a0: number, b0: number, b1: number): void {
    const id = this.a[a0]
    let at = b0
    while (at < b1 && this.b[at] !== id) at++
    this.left -= b1 - b0
    if (at === b1) this.mark(a0, a0 + 1, b0, b1)
    else {
      this.mark(a0, a0, b0, at)
      this.mark(a0, a0, at + 1, b1)
    }
  }

  private oneColumn(a0: number, a1: number, b0: number): void {
    const id = this.b[b0]
    let at = a0
    while (at < a1 && this.a[at] !== id) at++
    this.left -= a1 - a0
    if (at === a1) this.mark(a0, a1, b0, b0 + 1)
    else {
      this.mark(a0, at, b0, b0)
      this.mark(at + 1, a1, b0, b0)
    }
  }

  /** Cuts a box in two or more, or marks it. Not empty on either side, and different at both ends. */
  private divide(a0: number, a1: number, b0: number, b1: number): void {
    if (this.search(a0, a1, b0, b1)) this.split(a0, a1, b0, b1, this.cut.x, this.cut.y)
    else if (this.matchSparse(a0, a1, b0, b1)) return
    else if (this.halve(a0, a1, b0, b1)) this.split(a0, a1, b0, b1, (a0 + a1) >> 1, this.cut.y)
    else {
      this.exact = false
      if (!this.anchor(a0, a1, b0, b1)) this.giveUp(a0, a1, b0, b1)
    }
  }

  private search(a0: number, a1: number, b0: number, b1: number): boolean {
    const { a, b, cut } = this
    cut.x = a0
    cut.y = b0
    if (this.left <= 0) return false
    this.frontier ??= new Frontier(a.length, b.length)
    const budget = Math.min(this.limits.search, Math.max(500, ((a1 - a0) * (b1 - b0)) / 120), this.left)
    middle(a, a0, a1, b, b0, b1, this.frontier, budget, cut)
    this.left -= cut.steps
    return cut.exact
  }

  /** Solves a box at once where few pairs of its elements are equal. */
  private matchSparse(a0: number, a1: number, b0: number, b1: number): boolean {
    if (this.limits.words <= 0 || this.left <= 0) return false
    this.symbols ??= new Symbols(this.idCount)
    const limit = 8 * (a1 - a0 + b1 - b0)
    const found = sparseMatch(this.a, a0, a1, this.b, b0, b1, this.symbols, limit)
    this.left -= (found === null ? 2 : 16) * (a1 - a0 + b1 - b0)
    if (found === null) return false
    let x = a0
    let y = b0
    for (let i = 0; i < found.count; i++) {
      this.mark(x, found.x[i] as number, y, found.y[i] as number)
      x = (found.x[i] as number) + 1
      y = (found.y[i] as number) + 1
    }
    this.mark(x, a1, y, b1)
    return true
  }

  private halve(a0: number, a1: number, b0: number, b1: number): boolean {
    const words = Math.min(this.limits.words, this.left)
    if (words <= 0) return false
    this.symbols ??= new Symbols(this.idCount)
    const cost = { words: 0 }
    const column = bitSplit(this.a, a0, a1, this.b, b0, b1, this.symbols, words, cost)
    this.left -= a1 - a0 + b1 - b0
    if (column < 0) return false
    this.left -= cost.words
    this.cut.y = column
    return true
  }

  private anchor(a0: number, a1: number, b0: number, b1: number): boolean {
    const { a, b, idCount } = this
    if (this.left <= -this.limits.total) return false
    this.left -= a1 - a0 + b1 - b0 + idCount
    let found = uniqueAnchors(a, a0, a1, b, b0, b1, idCount)
    for (const k of RUNS) {
      if (found.count > 0 || this.left <= -this.limits.total) break
      this.left -= 4 * (a1 - a0 + b1 - b0)
      found = runAnchors(a, a0, a1, b, b0, b1, k)
    }
    if (found.count > 0) this.around(found, a0, a1, b0, b1)
    return found.count > 0
  }

  private giveUp(a0: number, a1: number, b0: number, b1: number): void {
    const { x, y } = this.cut
    const moved = x + y > a0 + b0 && x + y < a1 + b1
    if (this.left > 0 && moved) this.split(a0, a1, b0, b1, x, y)
    else this.mark(a0, a1, b0, b1)
  }

  private split(a0: number, a1: number, b0: number, b1: number, x: number, y: number): void {
    this.boxes.push(x, a1, y, b1, a0, x, b0, y)
  }

  private around(found: Anchors, a0: number, a1: number, b0: number, b1: number): void {
    let x = a1
    let y = b1
    for (let i = found.count - 1; i >= 0; i--) {
      this.boxes.push(found.x[i] as number, x, found.y[i] as number, y)
      x = found.x[i] as number
      y = found.y[i] as number
    }
    this.boxes.push(a0, x, b0, y)
  }
}

/** Compares two sequences of ids at once; ids are below `idCount`. */
export function compareWhole(old: Int32Array, now: Int32Array, idCount: number, limits?: Limits): Comparison {
  const comparer = new Comparer(old, now, idCount, limits)
  comparer.run(Number.POSITIVE_INFINITY)
  return comparer
}
