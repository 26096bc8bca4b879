import { Builder, grown, type Lines } from './builder.ts'
import { Guide } from './guide.ts'
import { equalRange, equalShort, latin1, viewOf } from './ranges.ts'

/** The hash of a longer line takes in only samples of what follows so many bytes. */
const LONG = 4096
const SAMPLES = 256

interface Text {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** After so many lines of one hash, or slots looked at, strings decide, whose hash nobody can aim at. */
const SAME_HASH = 24
const PROBES = 512

/**
 * Gives lines numbers: equal exactly when their bytes are, the newline included. Several texts may be added; all
 * share one numbering. A line ends after each newline byte (10); a last line without one is a line of its own kind.
 *
 * Hashing takes four bytes at a time and finds the newline in the same word (the "has a zero byte" trick of H. S.
 * Warren, Hacker's Delight, 6-1). A hash never decides: bytes are compared.
 */
export class LineIds {
  /** How many different lines there are; ids are 0 to count - 1. */
  count = 0
  private length = 0
  /** No line is the word 0: it would hold no newline. */
  private readonly tinyWord = new Int32Array(256)
  private readonly tinyId = new Int32Array(256)
  private readonly texts: Text[] = []
  private mask: number
  private table: Int32Array
  private textOf: Uint8Array
  private startOf: Int32Array
  private lengthOf: Int32Array
  private readonly crowded = new Map<string, number>()

  /** `expected`: a guess of how many different lines there will be. */
  constructor(expected: number) {
    let size = 64
    while (size < expected * 2) size *= 2
    this.mask = size - 1
    this.table = new Int32Array(size * 2)
    this.textOf = new Uint8Array(size >> 1)
    this.startOf = new Int32Array(size >> 1)
    this.lengthOf = new Int32Array(size >> 1)
  }

  /**
   * Numbers the lines of `bytes[from..to)`; `from` is the start of a line. At most 255 texts. `near`: lines of a text
   * added before that this one is likely to resemble; it is looked at first, and changes nothing but the time taken.
   */
  add(bytes: Uint8Array, from = 0, to: number = bytes.length, near: Lines | null = null): Lines {
    const text = this.texts.push({ bytes, view: viewOf(bytes) }) - 1
    const out = new Builder(bytes, from, to)
    const guide = near === null || near.ids.length === 0 ? null : new Guide(near, bytes, to, this.count)
    for (let at = from; at < to; ) {
      if (guide !== null) {
        at = guide.follow(out, at)
        if (at === to) break
      }
      const id = this.hashLine(text, at, to)
      at += this.length
      out.push(id, this.length)
      if (guide !== null) guide.lost(id)
    }
    return out.lines()
  }

  /** The id of the line at `start`; its length is left in `length`. */
  private hashLine(text: number, start: number, to: number): number {
    const { bytes, view } = this.texts[text] as Text
    let hash = 0x2545f491
    let at = start
    const soon = Math.min(to, start + LONG)
    for (;;) {
      let word: number
      if (at + 4 <= to) word = view.getInt32(at, true)
      else {
        // The last bytes, filled with zeros; the length tells them from a line that holds zeros.
        word = 0
        for (let i = at; i < to; i++) word |= (bytes[i] as number) << ((i - at) << 3)
      }
      const x = word ^ 0x0a0a0a0a
      const found = (x - 0x01010101) & ~x & 0x80808080
      if (found === 0) {
        hash = Math.imul(hash ^ word, 0x9e3779b1)
        hash ^= hash >>> 15
        at += 4
        if (at < soon) continue
        if (at < to) {
          const newline = bytes.indexOf(10, at)
          const end = newline === -1 || newline >= to ? to : newline + 1
          hash = sampled(view, hash, at, end)
          at = end
        } else at = to
        break
      }
      const index = (31 - Math.clz32(found & -found)) >> 3
      if (index < 3) word &= (1 << ((index + 1) << 3)) - 1
      if (at === start) return this.findTiny(word, text, start, index + 1)
      hash = Math.imul(hash ^ word, 0x9e3779b1)
      hash ^= hash >>> 15
      at += index + 1
      break
    }
    this.length = at - start
    return this.find(finished(hash, at - start), text, start, at - start)
  }

  /** A line of at most four bytes, newline included: `word` says all of it, and the last such line is remembered. */
  private findTiny(word: number, text: number, start: number, length: number): number {
    this.length = length
    const mixed = Math.imul(0x2545f491 ^ word, 0x9e3779b1)
    const slot = mixed >>> 24
    if (this.tinyWord[slot] === word) return this.tinyId[slot] as number
    const id = this.find(finished(mixed ^ (mixed >>> 15), length), text, start, length)
    this.tinyWord[slot] = word
    this.tinyId[slot] = id
    return id
  }

  private find(hash: number, text: number, start: number, length: number): number {
    let slot = hash & this.mask
    let others = 0
    const { table } = this
    for (let probes = 0; ; probes++) {
      const stored = table[slot * 2 + 1] as number
      if (stored === 0) break
      if (table[slot * 2] === hash) {
        const id = stored - 1
        if (this.lengthOf[id] === length && this.same(id, text, start, length)) return id
        others++
      }
      if (others === SAME_HASH || probes === PROBES) return this.findCrowded(text, start, length)
      slot = (slot + 1) & this.mask
    }
    // A table that has grown may have room where there was none.
    if (this.crowded.size > 0) return this.findCrowded(text, start, length)
    const id = this.count
    if (id * 2 > this.mask) {
      this.grow()
      slot = hash & this.mask
      while (this.table[slot * 2 + 1] !== 0) slot = (slot + 1) & this.mask
    }
    this.table[slot * 2] = hash
    this.table[slot * 2 + 1] = id + 1
    this.remember(id, text, start, length)
    return id
  }

  private findCrowded(text: number, start: number, length: number): number {
    const key = latin1((this.texts[text] as Text).bytes, start, start + length)
    const known = this.crowded.get(key)
    if (known !== undefined) return known
    const id = this.count
    if (id >= this.startOf.length) this.growStored()
    this.crowded.set(key, id)
    this.remember(id, text, start, length)
    return id
  }

  private remember(id: number, text: number, start: number, length: number): void {
    this.textOf[id] = text
    this.startOf[id] = start
    this.lengthOf[id] = length
    this.count = id + 1
  }

  private same(id: number, text: number, start: number, length: number): boolean {
    const a = this.texts[this.textOf[id] as number] as Text
    const b = this.texts[text] as Text
    const aStart = this.startOf[id] as number
    if (length > 192) return equalRange(a.bytes, aStart, b.bytes, start, length)
    return equalShort(a.view, aStart, b.view, start, length)
  }

  private grow(): void {
    const old = this.table
    const size = (this.mask + 1) * 2
    this.mask = size - 1
    this.table = new Int32Array(size * 2)
    for (let i = 0; i < old.length; i += 2) {
      const id = old[i + 1] as number
      if (id === 0) continue
      const hash = old[i] as number
      let slot = hash & this.mask
      while (this.table[slot * 2 + 1] !== 0) slot = (slot + 1) & this.mask
      this.table[slot * 2] = hash
      this.table[slot * 2 + 1] = id
    }
    if (this.startOf.length < size >> 1) this.growStored()
  }

  private growStored(): void {
    const length = this.startOf.length * 2
    this.startOf = grown(this.startOf, length)
    this.lengthOf = grown(this.lengthOf, length)
    const texts = new Uint8Array(length)
    texts.set(this.textOf)
    this.textOf = texts
  }
}

function finished(hash: number, length: number): number {
  const mixed = Math.imul(hash ^ length, 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** Goes on with the hash of a line from `from` to its end, by samples at even distances and by its last four bytes. */
function sampled(view: DataView, hash: number, from: number, end: number): number {
  const last = end - 4
  const step = Math.max(4, Math.floor((last - from) / SAMPLES))
  let mixed = hash
  for (let at = from; at < last; at += step) {
    mixed = Math.imul(mixed ^ view.getInt32(at, true), 0x9e3779b1)
    mixed ^= mixed >>> 15
  }
  mixed = Math.imul(mixed ^ view.getInt32(last, true), 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
