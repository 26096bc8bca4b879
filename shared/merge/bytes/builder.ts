/** The lines of one range of bytes: `starts` has one entry more than there are lines, the end of the range. */
export interface Lines {
  readonly bytes: Uint8Array
  readonly starts: Int32Array
  readonly ids: Int32Array
}

/** Collects the lines of a range of bytes in growing arrays. */
export class Builder {
  count = 0
  starts: Int32Array
  ids: Int32Array
  /** Where the next line begins. */
  at: number
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array, from: number, to: number) {
    this.bytes = bytes
    this.at = from
    // As many lines to a byte as there are at the start, and some more.
    const sample = Math.min(to, from + 4096)
    let newlines = 1
    for (let i = from; i < sample; i++) if (bytes[i] === 10) newlines++
    const capacity = 16 + Math.ceil((newlines * 1.1 * (to - from)) / Math.max(1, sample - from))
    this.starts = new Int32Array(capacity + 1)
    this.ids = new Int32Array(capacity)
  }

  push(id: number, length: number): void {
    if (this.count === this.ids.length) this.reserve(1)
    this.starts[this.count] = this.at
    this.ids[this.count++] = id
    this.at += length
  }

  reserve(more: number): void {
    if (this.count + more <= this.ids.length) return
    const capacity = Math.max(this.ids.length * 2, this.count + more)
    this.starts = grown(this.starts, capacity + 1)
    this.ids = grown(this.ids, capacity)
  }

  lines(): Lines {
    this.starts[this.count] = this.at
    const starts = this.starts.subarray(0, this.count + 1)
    return { bytes: this.bytes, starts, ids: this.ids.subarray(0, this.count) }
  }
}

export function grown(old: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(length)
  out.set(old)
  return out
}
