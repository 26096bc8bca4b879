import { isAscii, isUtf8 } from 'node:buffer'

/** How the bytes of one file can be read. `damaged`: UTF-8 but for some bytes; `single`: one byte a character. */
export type Charset = 'ascii' | 'utf-8' | 'damaged' | 'single' | 'utf-16le' | 'utf-16be'

export type Ending = 'lf' | 'crlf' | 'mixed' | 'none'

/** One file, looked at. */
export interface Scan {
  readonly charset: Charset
  readonly bom: boolean
  /** The bytes after the byte order mark. */
  readonly body: Uint8Array
}

/** What git looks at to tell text from other bytes. */
const LOOKED_AT = 8000

/** How a file can be read; null where it is no text. */
export function scan(bytes: Uint8Array): Scan | null {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? null : wide(bytes.subarray(2), 'utf-16le', true)
  if (a === 0xfe && b === 0xff) return wide(bytes.subarray(2), 'utf-16be', true)
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const body = bytes.subarray(3)
    return body.subarray(0, LOOKED_AT).includes(0)
      ? null
      : { charset: isUtf8(body) ? 'utf-8' : 'damaged', bom: true, body }
  }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) {
    const order = unmarkedOrder(bytes)
    return order === null ? null : wide(bytes, order, false)
  }
  return { charset: narrow(bytes), bom: false, body: bytes }
}

function narrow(bytes: Uint8Array): Charset {
  if (isAscii(bytes)) return 'ascii'
  if (isUtf8(bytes)) return 'utf-8'
  let sequences = 0
  let strays = 0
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] as number
    const length =
      lead < 0x80
        ? 1
        : lead >= 0xc2 && lead < 0xe0
          ? 2
          : lead >= 0xe0 && lead < 0xf0
            ? 3
            : lead >= 0xf0 && lead < 0xf5
              ? 4
              : 0
    if (length === 1) at++
    else if (length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length))) {
      sequences++
      at += length
    } else {
      strays++
      at++
    }
  }
  return sequences > strays ? 'damaged' : 'single'
}

/** UTF-16 whose units are whole and whose surrogates come in pairs: only then does it survive the way to UTF-8 and back. */
function wide(body: Uint8Array, charset: 'utf-16le' | 'utf-16be', bom: boolean): Scan | null {
  if (body.length % 2 !== 0) return null
  const text = decodeWide(body, charset)
  if (!text.isWellFormed() || (!bom && text.includes('\0'))) return null
  return { charset, bom, body }
}

/**
 * The byte order of UTF-16 without a mark, where it is certain: every unit of a line ending is one, and nine in ten of the
 * units are plain ASCII, which leaves their other byte 0.
 */
function unmarkedOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null
  const looked = bytes.subarray(0, LOOKED_AT)
  let even = 0
  let odd = 0
  for (let at = 0; at < looked.length; at++) if (looked[at] === 0) at % 2 === 0 ? even++ : odd++
  const units = looked.length / 2
  if (odd >= units * 0.9 && even === 0) return 'utf-16le'
  if (even >= units * 0.9 && odd === 0) return 'utf-16be'
  return null
}

export function decodeWide(bytes: Uint8Array, charset: 'utf-16le' | 'utf-16be'): string {
  const copy = Buffer.from(bytes)
  if (charset === 'utf-16be') copy.swap16()
  return copy.toString('utf16le')
}

export function encodeWide(text: string, charset: 'utf-16le' | 'utf-16be'): Uint8Array {
  const bytes = Buffer.from(text, 'utf16le')
  return charset === 'utf-16be' ? bytes.swap16() : bytes
}

/** The line endings of bytes whose lines end at byte 10. `none`: there is none to tell from. */
export function endingOf(bytes: Uint8Array): Ending {
  let lf = false
  let crlf = false
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (at > 0 && bytes[at - 1] === 13) crlf = true
    else lf = true
    if (lf && crlf) return 'mixed'
  }
  return crlf ? 'crlf' : lf ? 'lf' : 'none'
}
