import type { ResultEdit, ResultLayout } from '../../../shared/merge/draft/index.ts'

/** A range as Monaco gives it: 1-based lines and columns. */
export interface Span {
  readonly startLineNumber: number
  readonly startColumn: number
  readonly endLineNumber: number
  readonly endColumn: number
}

export interface TextChange {
  readonly range: Span
  readonly text: string
}

/** So many changes at once, as of replacing all, are not told one by one. */
const MANY = 50

/**
 * What one content change of Monaco is in whole lines. `lineAt` reads a line of the changed text, 0-based. The edits come
 * from the bottom to the top, so that each is right after those before it were made. Of many, those that `joins` allows
 * become one: it is asked with the last line of one and the first of the next, 0-based, in the text before.
 */
export function lineEditsOf(
  changes: readonly TextChange[],
  lineAt: (line: number) => string,
  joins: (line: number, next: number) => boolean = () => false,
): ResultEdit[] {
  const many = changes.length > MANY
  const groups: { start: number; end: number; grown: number }[] = []
  for (const { range, text } of [...changes].sort((a, b) => before(a.range, b.range))) {
    const start = range.startLineNumber - 1
    const end = range.endLineNumber
    const grown = text.split(/\r\n|\r|\n/).length - (end - start)
    const last = groups.at(-1)
    if (last !== undefined && (start < last.end || (many && joins(last.end - 1, start)))) {
      last.end = Math.max(last.end, end)
      last.grown += grown
    } else groups.push({ start, end, grown })
  }
  let shift = 0
  const edits = groups.map(({ start, end, grown }) => {
    const lines = Array.from({ length: end - start + grown }, (_, i) => lineAt(start + shift + i))
    shift += grown
    return { start, end, lines }
  })
  return edits.reverse()
}

const before = (a: Span, b: Span) => a.startLineNumber - b.startLineNumber || a.startColumn - b.startColumn

/** The lines after an edit of them. */
export function edited(lines: readonly string[], { start, end, lines: put }: ResultEdit): string[] {
  return [...lines.slice(0, start), ...put, ...lines.slice(end)]
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The smallest replacement of whole lines that turns `from` into `to`, null where they are the same. */
export function smallest(from: readonly string[], to: readonly string[], offset = 0): ResultEdit | null {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head++
  let tail = 0
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++
  if (head === from.length && head === to.length) return null
  return { start: offset + head, end: offset + from.length - tail, lines: to.slice(head, to.length - tail) }
}

/**
 * What turns one layout into another of the same merge: a small edit for each slot that differs, in the lines of `from`,
 * from the top to the bottom, no two of them next to each other.
 */
export function layoutEdits(from: ResultLayout, to: ResultLayout): ResultEdit[] {
  const edits: ResultEdit[] = []
  const slots = (layout: ResultLayout) => {
    const found: { start: number; end: number }[] = []
    for (const [i, gap] of layout.gaps.entries()) {
      found.push(gap)
      const conflict = layout.conflicts[i]
      if (conflict !== undefined) found.push(conflict)
    }
    // The empty line after a final newline belongs to no slot.
    const last = found.at(-1)?.end ?? 0
    if (last < layout.lines.length) found.push({ start: last, end: layout.lines.length })
    return found
  }
  const ours = slots(from)
  const theirs = slots(to)
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const a = ours[i] ?? { start: from.lines.length, end: from.lines.length }
    const b = theirs[i] ?? { start: to.lines.length, end: to.lines.length }
    const edit = smallest(from.lines.slice(a.start, a.end), to.lines.slice(b.start, b.end), a.start)
    if (edit === null) continue
    const last = edits.at(-1)
    // At the end of the text an edit takes in the break before it, so that one line must lie between.
    const near = edit.end === from.lines.length ? 1 : 0
    if (last !== undefined && edit.start - last.end <= near) {
      const between = from.lines.slice(last.end, edit.start)
      edits[edits.length - 1] = { start: last.start, end: edit.end, lines: [...last.lines, ...between, ...edit.lines] }
    } else edits.push(edit)
  }
  return edits
}

/** The same edit for a text of `count` lines, by characters. `widthOf` is the length of a line, 0-based. */
export function asTextChange(edit: ResultEdit, count: number, widthOf: (line: number) => number): TextChange {
  const { start, end, lines } = edit
  const range = (startLine: number, startColumn: number, endLine: number, endColumn: number): Span => ({
    startLineNumber: startLine,
    startColumn,
    endLineNumber: endLine,
    endColumn,
  })
  if (end < count) return { range: range(start + 1, 1, end + 1, 1), text: lines.map((line) => `${line}\n`).join('') }
  const lastColumn = widthOf(count - 1) + 1
  if (start === 0) return { range: range(1, 1, count, lastColumn), text: lines.join('\n') }
  return {
    range: range(start, widthOf(start - 1) + 1, count, lastColumn),
    text: lines.map((line) => `\n${line}`).join(''),
  }
}

/**
 * Whether `layout` is what the page knew before the last few of `pending` edits reached it: then it is out of date, and
 * showing it would take back what was typed.
 */
export function isStale(layout: readonly string[], shown: readonly string[], pending: readonly ResultEdit[]): boolean {
  for (let from = pending.length - 1; from >= 0; from--) {
    const rest = pending.slice(from)
    const grown = rest.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0)
    if (layout.length + grown !== shown.length) continue
    if (sameLines(rest.reduce<readonly string[]>(edited, layout), shown)) return true
  }
  return false
}
