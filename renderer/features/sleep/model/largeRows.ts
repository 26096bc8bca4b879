import type { Change } from '../../../../shared/model/review.ts'

/** Characters of one line that one row shows; longer lines go on in the next rows. */
export const CHUNK = 1000

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

/** The stretch of a line that one row shows. */
export function chunkOf(lines: Lines, line: number, chunk: number): string {
  const start = lines.starts[line] ?? 0
  const from = start + chunk * CHUNK
  return lines.text.slice(from, Math.min(from + CHUNK, start + lengthOf(lines, line)))
}

/** One row: a stretch of an old line, of a new line, or of both beside each other; -1 where a side has none. */
export interface LargeRows {
  readonly length: number
  readonly old: Int32Array
  readonly new: Int32Array
  readonly chunk: Int32Array
  /** 1 where the row belongs to a change. */
  readonly changed: Uint8Array
  /** The first row of each change. */
  readonly starts: readonly number[]
}

type Hunk = Extract<Change, { part: 'lines' }>

const chunks = (lines: Lines, line: number) => (line < 0 ? 0 : Math.max(1, Math.ceil(lengthOf(lines, line) / CHUNK)))

/**
 * The rows of two texts for hunks that are already known. `inline`: removed lines stand above added ones, else beside
 * them. Linear in the number of rows.
 */
export function largeRows(before: Lines, after: Lines, hunks: readonly Hunk[], inline: boolean): LargeRows {
  const old: number[] = []
  const now: number[] = []
  const chunk: number[] = []
  const changed: number[] = []
  const starts: number[] = []
  const put = (o: number, n: number, c: number) => {
    const rows = Math.max(chunks(before, o), chunks(after, n))
    for (let i = 0; i < rows; i++) {
      old.push(o)
      now.push(n)
      chunk.push(i)
      changed.push(c)
    }
  }
  let o = 0
  let n = 0
  const equalUntil = (end: number) => {
    while (o < end && n < countOf(after)) put(o++, n++, 0)
  }
  for (const h of hunks) {
    // As in a unified diff, a side without lines names the line before it.
    const oldFrom = h.oldLines === 0 ? h.oldStart : h.oldStart - 1
    equalUntil(oldFrom)
    starts.push(old.length)
    if (inline) {
      for (let i = 0; i < h.oldLines; i++) put(o + i, -1, 1)
      for (let i = 0; i < h.newLines; i++) put(-1, n + i, 1)
    } else {
      for (let i = 0; i < Math.max(h.oldLines, h.newLines); i++)
        put(i < h.oldLines ? o + i : -1, i < h.newLines ? n + i : -1, 1)
    }
    o += h.oldLines
    n += h.newLines
  }
  equalUntil(countOf(before))
  const whole = hunks.length === 0
  while (o < countOf(before)) put(o++, -1, whole ? 1 : 0)
  while (n < countOf(after)) put(-1, n++, whole ? 1 : 0)
  return {
    length: old.length,
    old: Int32Array.from(old),
    new: Int32Array.from(now),
    chunk: Int32Array.from(chunk),
    changed: Uint8Array.from(changed),
    starts,
  }
}
