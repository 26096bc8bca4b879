import type { Change } from '../../../../shared/model/review.ts'

/** A text by the offsets of its lines, so that nothing is copied before it is in sight. */
export interface Lines {
  readonly text: string
  /** Offsets of the lines' starts, and one past the end. */
  readonly starts: Uint32Array
}

export function linesOf(text: string | null): Lines {
  const whole = text ?? ''
  let count = whole === '' ? 0 : 1
  for (let at = whole.indexOf('\n'); at >= 0 && at + 1 < whole.length; at = whole.indexOf('\n', at + 1)) count++
  const starts = new Uint32Array(count + 1)
  let at = 0
  for (let line = 0; line < count; line++) {
    starts[line] = at
    const next = whole.indexOf('\n', at)
    at = next < 0 ? whole.length : next + 1
  }
  starts[count] = whole.length
  return { text: whole, starts }
}

const countOf = (lines: Lines): number => lines.starts.length - 1

function lengthOf(lines: Lines, line: number): number {
  const start = lines.starts[line] ?? 0
  let end = lines.starts[line + 1] ?? start
  if (end > start && lines.text.charCodeAt(end - 1) === 10) end--
  if (end > start && lines.text.charCodeAt(end - 1) === 13) end--
  return end - start
}

/** The characters `from` to `to` of a line. */
export function sliceOf(lines: Lines, line: number, from: number, to: number): string {
  const start = lines.starts[line] ?? 0
  const end = start + lengthOf(lines, line)
  return lines.text.slice(Math.min(start + from, end), Math.min(start + to, end))
}

/** What differs between two lines: all between what they begin and what they end with alike, as character offsets. */
export interface Difference {
  readonly from: number
  readonly oldTo: number
  readonly newTo: number
}

export function differenceOf(before: Lines, o: number, after: Lines, n: number): Difference {
  const a = before.starts[o] ?? 0
  const b = after.starts[n] ?? 0
  const oldLength = lengthOf(before, o)
  const newLength = lengthOf(after, n)
  const shorter = Math.min(oldLength, newLength)
  let from = 0
  while (from < shorter && before.text.charCodeAt(a + from) === after.text.charCodeAt(b + from)) from++
  let alike = 0
  while (
    alike < shorter - from &&
    before.text.charCodeAt(a + oldLength - 1 - alike) === after.text.charCodeAt(b + newLength - 1 - alike)
  )
    alike++
  return { from, oldTo: oldLength - alike, newTo: newLength - alike }
}

/** One row: a stretch of an old line, of a new line, or of both beside each other; -1 where a side has none. */
export interface LargeRow {
  readonly old: number
  readonly new: number
  /** Which stretch of the line, counted from 0. */
  readonly chunk: number
  /** The line of the other side that a changed row is to be compared with; -1 where there is none. */
  readonly mate: number
  readonly changed: boolean
}

export interface LargeRows {
  readonly length: number
  at(row: number): LargeRow
  /** For each change the row where its first difference is. */
  readonly starts: readonly number[]
}

type Hunk = Extract<Change, { part: 'lines' }>

interface Options {
  /** Removed lines stand above added ones, else beside them. */
  readonly inline: boolean
  /** Characters that one row shows; a longer line goes on in the next rows. */
  readonly columns: number
  /** What differs between an old and a new line. */
  readonly difference: (old: number, now: number) => Difference
}

/** Lines in the order in which they are shown, and the row each begins at: a long line is one entry, not many rows. */
function createEntries() {
  const numbers: number[] = []
  const FIELDS = 5
  const field = (entry: number, which: number) => numbers[entry * FIELDS + which] ?? -1
  return {
    put: (...entry: [row: number, old: number, now: number, mate: number, changed: number]) => {
      numbers.push(...entry)
    },
    at(row: number): LargeRow {
      let low = 0
      let high = numbers.length / FIELDS - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (field(middle, 0) <= row) low = middle
        else high = middle - 1
      }
      return {
        old: field(low, 1),
        new: field(low, 2),
        chunk: row - field(low, 0),
        mate: field(low, 3),
        changed: field(low, 4) === 1,
      }
    },
  }
}

/** The rows of two texts for hunks that are already known. Linear in the number of lines. */
export function largeRows(before: Lines, after: Lines, hunks: readonly Hunk[], options: Options): LargeRows {
  const { inline, columns, difference } = options
  const entries = createEntries()
  const starts: number[] = []
  let length = 0
  const chunks = (lines: Lines, line: number) =>
    line < 0 ? 0 : Math.max(1, Math.ceil(lengthOf(lines, line) / columns))
  const put = (o: number, n: number, changed: 0 | 1, mate = -1) => {
    entries.put(length, o, n, mate, changed)
    length += Math.max(chunks(before, o), chunks(after, n))
  }
  let o = 0
  let n = 0
  const equalUntil = (end: number) => {
    while (o < end && n < countOf(after)) put(o++, n++, 0)
  }
  for (const h of hunks) {
    // As in a unified diff, a side without lines names the line before it.
    equalUntil(h.oldLines === 0 ? h.oldStart : h.oldStart - 1)
    const paired = h.oldLines > 0 && h.newLines > 0
    starts.push(length + (paired ? Math.floor(difference(o, n).from / columns) : 0))
    if (inline) {
      for (let i = 0; i < h.oldLines; i++) put(o + i, -1, 1, i < h.newLines ? n + i : -1)
      for (let i = 0; i < h.newLines; i++) put(-1, n + i, 1, i < h.oldLines ? o + i : -1)
    } else {
      for (let i = 0; i < Math.max(h.oldLines, h.newLines); i++)
        put(i < h.oldLines ? o + i : -1, i < h.newLines ? n + i : -1, 1)
    }
    o += h.oldLines
    n += h.newLines
  }
  equalUntil(countOf(before))
  const whole = hunks.length === 0 ? 1 : 0
  while (o < countOf(before)) put(o++, -1, whole)
  while (n < countOf(after)) put(-1, n++, whole)
  return { length, at: entries.at, starts }
}
