/**
 * Comparing and copying ranges of bytes. Where the runtime offers native ways (Node does) they are used for long
 * ranges; elsewhere the same answers come from plain loops.
 */

interface NativeCompare {
  call(self: Uint8Array, other: Uint8Array, from: number, to: number, selfFrom: number, selfTo: number): number
}
interface NativeText {
  call(self: Uint8Array, from: number, to: number): string
}
declare const Buffer:
  | { readonly prototype: { readonly compare: NativeCompare; readonly latin1Slice: NativeText } }
  | undefined

const native: NativeCompare | null = typeof Buffer === 'undefined' ? null : Buffer.prototype.compare
const nativeText: NativeText | null = typeof Buffer === 'undefined' ? null : Buffer.prototype.latin1Slice

/** Ranges shorter than this are compared in a loop: a native call costs about as much as 200 steps. */
const SHORT = 192

/** Whether `a[aFrom..aFrom+length)` and `b[bFrom..bFrom+length)` hold the same bytes. */
export function equalRange(a: Uint8Array, aFrom: number, b: Uint8Array, bFrom: number, length: number): boolean {
  if (native !== null && length > SHORT) return native.call(a, b, bFrom, bFrom + length, aFrom, aFrom + length) === 0
  for (let i = 0; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false
  return true
}

/** The same for short ranges, four bytes at a time. */
export function equalShort(a: DataView, aFrom: number, b: DataView, bFrom: number, length: number): boolean {
  let i = 0
  for (; i + 4 <= length; i += 4) if (a.getInt32(aFrom + i, true) !== b.getInt32(bFrom + i, true)) return false
  for (; i < length; i++) if (a.getUint8(aFrom + i) !== b.getUint8(bFrom + i)) return false
  return true
}

/** Number of equal bytes at the start of `a` and `b`, at most `most`. Gallops, so that long runs cost native speed. */
export function commonPrefix(a: Uint8Array, b: Uint8Array, most: number): number {
  let at = 0
  for (let step = 1024; step >= 1024; ) {
    const length = Math.min(step, most - at)
    if (length <= 0) break
    if (equalRange(a, at, b, at, length)) {
      at += length
      step *= 2
    } else step = Math.min(step, length) >> 1
  }
  while (at < most && a[at] === b[at]) at++
  return at
}

/** Number of equal bytes at the end of `a` and `b`, at most `most`. */
export function commonSuffix(a: Uint8Array, b: Uint8Array, most: number): number {
  let at = 0
  for (let step = 1024; step >= 1024; ) {
    const length = Math.min(step, most - at)
    if (length <= 0) break
    if (equalRange(a, a.length - at - length, b, b.length - at - length, length)) {
      at += length
      step *= 2
    } else step = Math.min(step, length) >> 1
  }
  while (at < most && a[a.length - 1 - at] === b[b.length - 1 - at]) at++
  return at
}

/** Copies `from[start..end)` to `to` at `at` and gives the position after it. */
export function copyRange(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  const length = end - start
  if (length < 64) for (let i = 0; i < length; i++) to[at + i] = from[start + i] as number
  else to.set(from.subarray(start, end), at)
  return at + length
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let size = 0
  for (const part of parts) size += part.length
  const out = new Uint8Array(size)
  let at = 0
  for (const part of parts) at = copyRange(part, 0, part.length, out, at)
  return out
}

/** Number of newline bytes in `bytes[from..to)`. */
export function countNewlines(bytes: Uint8Array, from: number, to: number): number {
  const view = viewOf(bytes)
  let count = 0
  let at = from
  for (; at + 4 <= to; at += 4) {
    const x = view.getInt32(at, true) ^ 0x0a0a0a0a
    // Bit 7 of each byte of `other` is set where that byte of the word is no newline.
    const other = ((x & 0x7f7f7f7f) + 0x7f7f7f7f) | x | 0x7f7f7f7f
    count += Math.imul(~other >>> 7, 0x01010101) >>> 24
  }
  for (; at < to; at++) if (bytes[at] === 10) count++
  return count
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A one-byte-per-character string (code points 0 to 255): an exact key for a range of bytes. */
export function latin1(bytes: Uint8Array, from = 0, to: number = bytes.length): string {
  if (nativeText !== null) return nativeText.call(bytes, from, to)
  let out = ''
  for (let at = from; at < to; at += 8192)
    out += String.fromCharCode.apply(null, Array.from(bytes.subarray(at, Math.min(to, at + 8192))))
  return out
}
