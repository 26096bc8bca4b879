import { compareIds, LIMITS, type Limits } from './compare.ts'
import { runWhole, type Sliced } from './drive.ts'
import { type Edit, editsOf } from './edit.ts'
import { slide } from './slide.ts'

export interface LineDiff {
  /** Lines with their terminators; joined they are the text again. */
  readonly old: readonly string[]
  readonly now: readonly string[]
  readonly edits: readonly Edit[]
  /** No diff with fewer changed lines exists. */
  readonly exact: boolean
}

/** Splits text after every `\n`. A last line without one is a line too; an empty text has none. */
export function splitLines(text: string): string[] {
  const lines: string[] = []
  let from = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    lines.push(text.slice(from, at + 1))
    from = at + 1
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}

/** How many elements are looked at between two yields. */
const SLICE = 20_000

/** Numbers the distinct elements of two lists: equal elements get equal numbers. */
export function* intern(old: readonly string[], now: readonly string[]): Sliced<{ a: Int32Array; b: Int32Array }> {
  const ids = new Map<string, number>()
  const sides = [new Int32Array(old.length), new Int32Array(now.length)] as const
  for (const [side, list] of [old, now].entries()) {
    const out = sides[side] as Int32Array
    for (let i = 0; i < list.length; i++) {
      const text = list[i] as string
      let id = ids.get(text)
      if (id === undefined) {
        id = ids.size
        ids.set(text, id)
      }
      out[i] = id
      if (i % SLICE === SLICE - 1) yield
    }
  }
  return { a: sides[0], b: sides[1] }
}

/** Compares two texts line by line; lines are equal when every character is, terminators included. */
export function* diffLinesSliced(oldText: string, newText: string, limits: Limits = LIMITS): Sliced<LineDiff> {
  const old = splitLines(oldText)
  const now = splitLines(newText)
  yield
  const { a, b } = yield* intern(old, now)
  const { oldChanged, newChanged, exact } = yield* compareIds(a, b, limits)
  slide(a, oldChanged, newChanged, old)
  slide(b, newChanged, oldChanged, now)
  return { old, now, edits: editsOf(oldChanged, newChanged), exact }
}

/** As `diffLinesSliced`, at once. */
export const diffLines = (oldText: string, newText: string, limits?: Limits): LineDiff =>
  runWhole(diffLinesSliced(oldText, newText, limits))
