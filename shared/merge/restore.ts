import { CRLF, LF } from './threeway/endings.ts'
import { merge } from './threeway/merge.ts'
import { Output } from './threeway/output.ts'
import { bytesOf } from './threeway/side.ts'

/**
 * Puts one line of a text back into another that came of it: where its neighbours stand now, or, where those were rewritten,
 * after what was put in their place. A line that stood between blank lines comes with one of them. All else stays byte for
 * byte; the line gets the ending that the document has. `line`: 0-based in `side`. Throws a RangeError where `side` has no
 * such line.
 */
export function restoreLine(side: Uint8Array, line: number, head: Uint8Array): Uint8Array {
  const crlf = endsCrlf(head)
  // Nothing but the line itself is taken from the side, so that its endings may be those of the document.
  const ours = withEnding(side, crlf)
  const { start, end } = paragraphAt(ours, line)
  const base = new Uint8Array(ours.length - (end - start))
  base.set(ours.subarray(0, start))
  base.set(ours.subarray(end), start)
  const found = merge({ base, ours, theirs: head })
  const out = new Output()
  const ending = crlf ? CRLF : LF
  for (const region of found.regions) {
    out.add(bytesOf(found.theirs, region.theirs))
    // Only the region with the line differs between the text with it and the text without.
    if (region.kind !== 'ours' && region.kind !== 'conflict') continue
    if (!out.atLineStart()) out.add(ending)
    out.add(ours, start, end)
    if (!out.atLineStart()) out.add(ending)
  }
  return out.bytes()
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Where a line is, with the blank line after it, or at the end before it, where it is a paragraph of its own. */
function paragraphAt(bytes: Uint8Array, line: number): Span {
  const here = lineAt(bytes, line)
  if (here === null) throw new RangeError(`there is no line ${line + 1}`)
  const before = lineAt(bytes, line - 1)
  const after = lineAt(bytes, line + 1)
  if (isBlank(bytes, here) || before === null || !isBlank(bytes, before)) return here
  if (after === null) return { start: before.start, end: here.end }
  return isBlank(bytes, after) ? { start: here.start, end: after.end } : here
}

/** Null where there is no such line. */
function lineAt(bytes: Uint8Array, line: number): Span | null {
  if (line < 0) return null
  let start = 0
  for (let i = 0; i < line; i++) {
    const newline = bytes.indexOf(10, start)
    if (newline === -1) return null
    start = newline + 1
  }
  if (start >= bytes.length) return null
  const newline = bytes.indexOf(10, start)
  return { start, end: newline === -1 ? bytes.length : newline + 1 }
}

const isBlank = (bytes: Uint8Array, { start, end }: Span): boolean =>
  bytes.subarray(start, end).every((byte) => byte === 10 || byte === 13 || byte === 32 || byte === 9)

/** A text with every line end as CRLF, or as LF. */
function withEnding(bytes: Uint8Array, crlf: boolean): Uint8Array {
  const out: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === 13 && bytes[at + 1] === 10) continue
    if (byte === 10 && crlf) out.push(13)
    out.push(byte)
  }
  return Uint8Array.from(out)
}

/** Whether a text's first line ends with CRLF. */
function endsCrlf(bytes: Uint8Array): boolean {
  const newline = bytes.indexOf(10)
  return newline > 0 && bytes[newline - 1] === 13
}
