import type { Builder, Lines } from './builder.ts'
import { commonPrefix, equalRange, equalShort, viewOf } from './ranges.ts'

/** How many lines ahead a lost guide looks for the line that was found. */
const WINDOW = 16
/** After so many lines in a row that were as foretold, whole stretches are compared at once. */
const SURE = 32

/**
 * Foretells the lines of a text from those of one it resembles: comparing with the expected line is cheaper than
 * looking a line up. Lines that come as expected get the same id that looking up would give.
 */
export class Guide {
  private readonly near: Lines
  private readonly nearView: DataView
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly to: number
  /** The line of `near` that is expected next. */
  private next = 0
  private missed = false
  private readonly known: number

  /** `known`: how many ids there are before this text; a higher one cannot occur in `near`. */
  constructor(near: Lines, bytes: Uint8Array, to: number, known: number) {
    this.near = near
    this.nearView = viewOf(near.bytes)
    this.bytes = bytes
    this.view = viewOf(bytes)
    this.to = to
    this.known = known
  }

  /** Adds the lines at `at` that are as expected; gives the start of the first that is not, or the end. */
  follow(out: Builder, at: number): number {
    const { near } = this
    const { starts, ids } = near
    let hits = 0
    let here = at
    while (here < this.to && this.next < ids.length) {
      if (hits >= SURE) {
        here = this.stretch(out, here)
        hits = 0
        continue
      }
      if (!this.matches(this.next, here)) {
        // A line that stands for another one: the one after that may be next.
        if (!this.missed || this.next + 1 >= ids.length || !this.matches(this.next + 1, here)) break
        this.next++
      }
      this.missed = false
      const length = (starts[this.next + 1] as number) - (starts[this.next] as number)
      out.push(ids[this.next++] as number, length)
      here += length
      hits++
    }
    return here
  }

  /** Tells the id of a line that was not as expected. */
  lost(id: number): void {
    this.missed = true
    if (id >= this.known) return
    const { ids } = this.near
    const end = Math.min(ids.length, this.next + WINDOW)
    for (let i = this.next; i < end; i++) {
      if (ids[i] !== id) continue
      this.next = i + 1
      this.missed = false
      return
    }
  }

  private matches(line: number, at: number): boolean {
    const { bytes, starts } = this.near
    const start = starts[line] as number
    const length = (starts[line + 1] as number) - start
    if (at + length > this.to) return false
    // A last line without newline is only the same where this text ends there too.
    if (bytes[start + length - 1] !== 10 && at + length !== this.to) return false
    if (length > 192) return equalRange(this.bytes, at, bytes, start, length)
    return equalShort(this.view, at, this.nearView, start, length)
  }

  /** Compares as far as the bytes are equal, and adds the whole lines of that. */
  private stretch(out: Builder, at: number): number {
    const { bytes, starts, ids } = this.near
    const from = starts[this.next] as number
    const end = starts[ids.length] as number
    const most = Math.min(end - from, this.to - at)
    const equal = commonPrefix(this.bytes.subarray(at), bytes.subarray(from), most)
    let line = this.next
    while (line < ids.length && (starts[line + 1] as number) - from <= equal) line++
    if (line === ids.length && bytes[end - 1] !== 10 && at + end - from !== this.to) line--
    const shift = at - from
    out.reserve(line - this.next)
    for (let i = this.next; i < line; i++) {
      out.starts[out.count] = (starts[i] as number) + shift
      out.ids[out.count++] = ids[i] as number
    }
    this.next = line
    out.at = (starts[line] as number) + shift
    return out.at
  }
}
