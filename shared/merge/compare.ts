import { anchors } from './anchors.ts'
import type { Sliced } from './drive.ts'
import { Frontier, middle } from './middle.ts'

/** Which elements of two sequences have no counterpart, as flags; `exact`: no longer common subsequence exists. */
export interface Comparison {
  readonly oldChanged: Uint8Array
  readonly newChanged: Uint8Array
  readonly exact: boolean
}

export interface Limits {
  /** Inner steps one box may cost before it is cut where the search got to. */
  readonly perBox: number
  /** Inner steps all boxes together may cost; after that only anchors are used. */
  readonly total: number
}

export const LIMITS: Limits = { perBox: 500_000, total: 40_000_000 }

/** Inner steps between two yields: about a millisecond. */
const SLICE = 300_000

/**
 * Compares two sequences of ids: a longest common subsequence in linear space, bounded. Equal ends and elements that
 * the other side lacks are put aside first, which loses nothing. A box that costs too much is cut at elements that
 * occur once on both sides, else where the search got furthest; what is still too dear counts as changed.
 */
export function* compareIds(a: Int32Array, b: Int32Array, limits: Limits = LIMITS): Sliced<Comparison> {
  const oldChanged = new Uint8Array(a.length)
  const newChanged = new Uint8Array(b.length)
  const start = commonStart(a, b)
  const end = commonEnd(a, b, start)
  const known = new Set<number>()
  for (let j = start; j < b.length - end; j++) known.add(b[j] as number)
  const old = reduce(a, start, a.length - end, known, oldChanged)
  yield
  known.clear()
  for (let i = start; i < a.length - end; i++) known.add(a[i] as number)
  const now = reduce(b, start, b.length - end, known, newChanged)
  yield

  const search = { left: limits.total, exact: true }
  let slice = 0
  const frontier = new Frontier(old.ids.length, now.ids.length)
  const boxes: [number, number, number, number][] = [[0, old.ids.length, 0, now.ids.length]]
  for (let box = boxes.pop(); box; box = boxes.pop()) {
    let [a0, a1, b0, b1] = box
    while (a0 < a1 && b0 < b1 && old.ids[a0] === now.ids[b0]) {
      a0++
      b0++
    }
    while (a0 < a1 && b0 < b1 && old.ids[a1 - 1] === now.ids[b1 - 1]) {
      a1--
      b1--
    }
    if (a0 === a1 || b0 === b1) {
      for (let i = a0; i < a1; i++) oldChanged[old.at[i] as number] = 1
      for (let j = b0; j < b1; j++) newChanged[now.at[j] as number] = 1
      continue
    }
    const before = search.left
    const parts = split(old.ids, a0, a1, now.ids, b0, b1, frontier, limits, search)
    if (parts) boxes.push(...parts)
    else {
      for (let i = a0; i < a1; i++) oldChanged[old.at[i] as number] = 1
      for (let j = b0; j < b1; j++) newChanged[now.at[j] as number] = 1
    }
    slice += before - search.left
    if (slice > SLICE) {
      slice = 0
      yield
    }
  }
  return { oldChanged, newChanged, exact: search.exact }
}

type Box = [number, number, number, number]

/** Cuts a box into smaller ones; null where it is to count as changed. */
function split(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
  frontier: Frontier,
  limits: Limits,
  search: { left: number; exact: boolean },
): Box[] | null {
  let cut = { x: a0, y: b0, exact: false }
  if (search.left > 0) {
    const found = middle(a, a0, a1, b, b0, b1, frontier, Math.min(limits.perBox, search.left))
    search.left -= found.steps
    cut = found
  }
  if (!cut.exact) {
    search.exact = false
    const fixed = anchors(a, a0, a1, b, b0, b1)
    search.left -= a1 - a0 + b1 - b0
    if (fixed.length > 0) return around(fixed, a0, a1, b0, b1)
  }
  const stuck = (cut.x === a0 && cut.y === b0) || (cut.x === a1 && cut.y === b1)
  if (stuck) return null
  return [
    [a0, cut.x, b0, cut.y],
    [cut.x, a1, cut.y, b1],
  ]
}

function around(fixed: readonly { x: number; y: number }[], a0: number, a1: number, b0: number, b1: number): Box[] {
  const boxes: Box[] = []
  let x = a0
  let y = b0
  for (const anchor of fixed) {
    boxes.push([x, anchor.x, y, anchor.y])
    x = anchor.x + 1
    y = anchor.y + 1
  }
  boxes.push([x, a1, y, b1])
  return boxes
}

function commonStart(a: Int32Array, b: Int32Array): number {
  const most = Math.min(a.length, b.length)
  let at = 0
  while (at < most && a[at] === b[at]) at++
  return at
}

function commonEnd(a: Int32Array, b: Int32Array, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let at = 0
  while (at < most && a[a.length - 1 - at] === b[b.length - 1 - at]) at++
  return at
}

/** The elements of a range that the other side has too, with their places; the rest is flagged. */
function reduce(ids: Int32Array, from: number, to: number, known: ReadonlySet<number>, changed: Uint8Array) {
  const kept = new Int32Array(to - from)
  const at = new Int32Array(to - from)
  let count = 0
  for (let i = from; i < to; i++) {
    if (known.has(ids[i] as number)) {
      kept[count] = ids[i] as number
      at[count++] = i
    } else changed[i] = 1
  }
  return { ids: kept.subarray(0, count), at }
}
