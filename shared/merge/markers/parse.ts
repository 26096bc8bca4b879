import { latin1 } from '../bytes/ranges.ts'

/** Byte offsets in the text, half-open. */
export interface Section {
  readonly start: number
  readonly end: number
}

/** A conflict between markers. Sections hold whole lines, the markers left out. */
export interface MarkedConflict {
  readonly start: number
  readonly end: number
  readonly ours: Section
  readonly theirs: Section
  /** Null in the style without base. */
  readonly base: Section | null
  readonly labels: { readonly ours: string; readonly base: string; readonly theirs: string }
}

export type UndecidableReason =
  /** More than one line could be the one that divides the sides. */
  | 'several-dividers'
  /** More than one line could begin the base section. */
  | 'several-bases'
  /** A conflict begins within a side of another. */
  | 'nested'
  /** It begins and does not end, or has no line that divides the sides. */
  | 'incomplete'
  /** A line that ends or divides a conflict stands where none began. */
  | 'stray'

/** Where text cannot be read as conflicts in one way only. */
export interface Undecidable {
  readonly start: number
  readonly end: number
  readonly reason: UndecidableReason
}

export type ParsedMarkers =
  | { readonly decidable: true; readonly conflicts: readonly MarkedConflict[] }
  | { readonly decidable: false; readonly undecidable: readonly Undecidable[] }

type Mark = 'begin' | 'base' | 'divide' | 'end'

interface MarkLine {
  readonly mark: Mark
  readonly start: number
  readonly end: number
  readonly label: string
}

/**
 * Reads the conflicts of a text that came without its sides. Markers are lines of exactly `markerSize` (default 7) equal
 * characters, followed by a blank and a label or by nothing; LF or CRLF. A text that can be read in more than one way is
 * undecidable, and nothing of it is guessed. A base section may hold whole conflicts of its own (what merging several
 * bases leaves behind): they are content of it.
 */
export function parseMarkers(bytes: Uint8Array, markerSize = 7): ParsedMarkers {
  const marks = markLines(bytes, markerSize)
  const conflicts: MarkedConflict[] = []
  const undecidable: Undecidable[] = []
  for (let at = 0; at < marks.length; ) {
    const first = marks[at] as MarkLine
    if (first.mark !== 'begin') {
      // A lone divider is an ordinary line: the underline of a heading.
      if (first.mark !== 'divide') undecidable.push({ start: first.start, end: first.end, reason: 'stray' })
      at++
      continue
    }
    const last = endOf(marks, at)
    const hunk = marks.slice(at, last + 1)
    const read = readHunk(hunk)
    if (typeof read === 'string') {
      const end = (marks[last] as MarkLine).end
      undecidable.push({ start: first.start, end, reason: read })
    } else conflicts.push(read)
    at = last + 1
  }
  if (undecidable.length > 0) return { decidable: false, undecidable }
  return { decidable: true, conflicts }
}

/** The mark that ends the hunk begun at `from`, where begins and ends are paired; the last mark where none does. */
function endOf(marks: readonly MarkLine[], from: number): number {
  let depth = 0
  for (let i = from; i < marks.length; i++) {
    const { mark } = marks[i] as MarkLine
    if (mark === 'begin') depth++
    else if (mark === 'end' && --depth === 0) return i
  }
  return marks.length - 1
}

/** Marks of one hunk, from its begin to its end, as a conflict; a reason where that cannot be told. */
function readHunk(hunk: readonly MarkLine[]): MarkedConflict | UndecidableReason {
  const first = hunk[0] as MarkLine
  const last = hunk[hunk.length - 1] as MarkLine
  if (last.mark !== 'end' || hunk.length < 3) return 'incomplete'
  const inner = hunk.slice(1, -1)
  const nested = inner.findIndex((line) => line.mark === 'begin')
  const bases = outer(inner).filter((line) => line.mark === 'base')
  const dividers = outer(inner).filter((line) => line.mark === 'divide')
  if (nested !== -1) {
    // Only between the base marker and the divider can a conflict be content without being one of this file.
    const base = bases[0]
    const divider = dividers[0]
    const inBase = (line: MarkLine) =>
      base !== undefined && divider !== undefined && line.start > base.start && line.start < divider.start
    if (!inner.filter((line) => line.mark === 'begin' || line.mark === 'end').every(inBase)) return 'nested'
    if (!inner.slice(nested).some((line) => line.mark === 'divide' && line !== divider)) return 'incomplete'
  }
  if (bases.length > 1) return 'several-bases'
  if (dividers.length === 0) return 'incomplete'
  if (dividers.length > 1) return 'several-dividers'
  const divider = dividers[0] as MarkLine
  const base = bases[0] ?? null
  // A base marker after the divider: a line of theirs, or a divider within ours.
  if (base !== null && base.start > divider.start) return 'several-bases'
  return {
    start: first.start,
    end: last.end,
    ours: { start: first.end, end: (base ?? divider).start },
    base: base === null ? null : { start: base.end, end: divider.start },
    theirs: { start: divider.end, end: last.start },
    labels: { ours: first.label, base: base?.label ?? '', theirs: last.label },
  }
}

/** Without the marks of nested conflicts. */
function outer(marks: readonly MarkLine[]): MarkLine[] {
  let depth = 0
  return marks.filter((line) => {
    if (line.mark === 'begin') depth++
    const outside = depth === 0
    if (line.mark === 'end') depth--
    return outside
  })
}

const MARKS: Readonly<Record<number, Mark>> = { 60: 'begin', 124: 'base', 61: 'divide', 62: 'end' }

function markLines(bytes: Uint8Array, size: number): MarkLine[] {
  const marks: MarkLine[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start)
    const end = newline === -1 ? bytes.length : newline + 1
    const mark = MARKS[bytes[start] as number]
    if (mark !== undefined) {
      const label = labelOf(bytes, start, end, size)
      if (label !== null && (mark !== 'divide' || label === '')) marks.push({ mark, start, end, label })
    }
    start = end
  }
  return marks
}

/** What follows the marker of a line; null where the line is none. */
function labelOf(bytes: Uint8Array, start: number, end: number, size: number): string | null {
  let to = end
  if (bytes[to - 1] === 10) to--
  if (to > start && bytes[to - 1] === 13) to--
  if (to - start < size) return null
  for (let i = 1; i < size; i++) if (bytes[start + i] !== bytes[start]) return null
  if (to === start + size) return ''
  return bytes[start + size] === 32 ? latin1(bytes, start + size + 1, to) : null
}
