import type { Lines } from '../bytes/builder.ts'
import { countNewlines } from '../bytes/ranges.ts'
import type { LineRange } from './regions.ts'

/**
 * One of the three texts of a merge. Only the lines between what all three share at the start and at the end are
 * indexed; line numbers count from the start of the file.
 */
export interface Side {
  readonly bytes: Uint8Array
  /** Number of the first indexed line. */
  readonly first: number
  /** Byte offsets of the indexed lines, and where they end. */
  readonly starts: Int32Array
  readonly ids: Int32Array
  /** Lines of the whole file; a last line without newline counts. */
  readonly lines: number
}

/** `prefixLines`: lines before the indexed ones; `suffixLines`: after them. */
export function sideOf(lines: Lines, prefixLines: number, suffixLines: number): Side {
  return {
    bytes: lines.bytes,
    first: prefixLines,
    starts: lines.starts,
    ids: lines.ids,
    lines: prefixLines + lines.ids.length + suffixLines,
  }
}

/** Where a line begins: the first or last of the file, or an indexed one; the number of lines gives the end. */
export function offsetOf(side: Side, line: number): number {
  const index = line - side.first
  if (index >= 0 && index < side.starts.length) return side.starts[index] as number
  if (line === 0) return 0
  if (line >= side.lines) return side.bytes.length
  return scanFor(side, line)
}

/** A line outside the indexed ones, found by counting from the nearest place that is known. */
function scanFor(side: Side, line: number): number {
  const { bytes, first, starts, lines } = side
  const after = first + starts.length - 1
  if (line < first) {
    if (line < first - line) return forward(bytes, 0, line)
    return backward(bytes, starts[0] as number, first - line)
  }
  if (line - after < lines - line) return forward(bytes, starts[starts.length - 1] as number, line - after)
  // The last line may end without newline.
  const last = bytes[bytes.length - 1] === 10 ? bytes.length : bytes.lastIndexOf(10) + 1
  return backward(bytes, last, lines - line - (last === bytes.length ? 0 : 1))
}

/** The start of the line `count` lines after the one that starts at `from`. */
function forward(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  for (let i = 0; i < count; i++) at = bytes.indexOf(10, at) + 1
  return at
}

/** The start of the line `count` lines before the one that starts at `from`. */
function backward(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  for (let i = 0; i < count; i++) at = at < 2 ? 0 : bytes.lastIndexOf(10, at - 2) + 1
  return at
}

export function bytesOf(side: Side, range: LineRange): Uint8Array {
  return side.bytes.subarray(offsetOf(side, range.start), offsetOf(side, range.end))
}

/** Lines in `bytes[from..to)`, a last one without newline included. */
export function countLines(bytes: Uint8Array, from: number, to: number): number {
  if (from === to) return 0
  return countNewlines(bytes, from, to) + (bytes[to - 1] === 10 ? 0 : 1)
}
