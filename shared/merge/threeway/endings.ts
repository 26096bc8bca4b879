import type { LineRange } from './regions.ts'
import { offsetOf, type Side } from './side.ts'

export const LF = Uint8Array.of(10)
export const CRLF = Uint8Array.of(13, 10)

/** The three places of one conflict, and the files they are in. */
export interface Place {
  readonly base: Side
  readonly ours: Side
  readonly theirs: Side
}

/**
 * The line ending that a marker, or a newline put in where a last line had none, gets: CRLF where the line before the
 * conflict (or the first line) ends so in ours and in theirs, and the first line of base does. Git's rule.
 */
export function endingAt(place: Place, ours: LineRange, theirs: LineRange): Uint8Array {
  let answer = endsCrlf(place.ours, Math.max(0, ours.start - 1))
  if (answer !== false) answer = endsCrlf(place.theirs, Math.max(0, theirs.start - 1))
  if (answer !== false) answer = endsCrlf(place.base, 0)
  return answer === true ? CRLF : LF
}

/** Whether a line ends with CRLF; null where the file has no line ending to tell from. */
function endsCrlf(side: Side, line: number): boolean | null {
  const { bytes } = side
  if (bytes.length === 0) return null
  let start = offsetOf(side, line)
  const end = offsetOf(side, line + 1)
  let newline = end - 1
  if (end === start || bytes[newline] !== 10) {
    // The last line has no ending: the one before it tells.
    newline = start - 1
    if (newline < 0) return null
    start = newline === 0 ? 0 : bytes.lastIndexOf(10, newline - 1) + 1
  }
  return newline > start && bytes[newline - 1] === 13
}
