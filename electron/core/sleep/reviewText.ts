import type { FileSide } from '../../../shared/model/review.ts'

type Encoding = FileSide['encoding']

/** How many bytes decide whether a file is text, as git has it. */
const LOOKED_AT = 8000

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)

/**
 * Which encoding the bytes are in: what a byte order mark says, else UTF-8, else Latin-1. Bytes with a NUL among the
 * first 8000 are no text, unless a mark says UTF-16.
 */
export function encodingOf(bytes: Buffer): Encoding {
  if (startsWith(bytes, 0xff, 0xfe)) return bytes.length % 2 === 0 ? 'utf-16le' : 'binary'
  if (startsWith(bytes, 0xfe, 0xff)) return bytes.length % 2 === 0 ? 'utf-16be' : 'binary'
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return 'binary'
  try {
    strict.decode(bytes)
  } catch {
    return 'latin1'
  }
  return startsWith(bytes, 0xef, 0xbb, 0xbf) ? 'utf-8-bom' : 'utf-8'
}

/** The text of bytes in an encoding, byte order mark left out; null for bytes that are no text. */
export function decodeText(bytes: Buffer, encoding: Encoding): string | null {
  switch (encoding) {
    case 'utf-8':
      return bytes.toString('utf8')
    case 'utf-8-bom':
      return bytes.toString('utf8', 3)
    case 'utf-16le':
      return bytes.toString('utf16le', 2)
    case 'utf-16be':
      return Buffer.from(bytes.subarray(2)).swap16().toString('utf16le')
    case 'latin1':
      return bytes.toString('latin1')
    case 'binary':
      return null
  }
}

/** Counts of the line ends of a text. */
export interface LineEnds {
  readonly lf: number
  readonly crlf: number
}

export function lineEnds(text: string): LineEnds {
  let lf = 0
  let crlf = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf++
    else lf++
  }
  return { lf, crlf }
}

/** How the lines of a text end. */
export function eolOf(ends: LineEnds): FileSide['eol'] {
  if (ends.lf === 0 && ends.crlf === 0) return 'none'
  return ends.lf === 0 ? 'crlf' : ends.crlf === 0 ? 'lf' : 'mixed'
}

const IMAGES: readonly (readonly [extension: RegExp, type: string, magic: (bytes: Buffer) => boolean])[] = [
  [/\.png$/i, 'image/png', (b) => startsWith(b, 0x89, 0x50, 0x4e, 0x47)],
  [/\.jpe?g$/i, 'image/jpeg', (b) => startsWith(b, 0xff, 0xd8, 0xff)],
  [/\.gif$/i, 'image/gif', (b) => startsWith(b, 0x47, 0x49, 0x46, 0x38)],
  [/\.webp$/i, 'image/webp', (b) => b.toString('latin1', 8, 12) === 'WEBP'],
  [/\.avif$/i, 'image/avif', (b) => b.toString('latin1', 4, 8) === 'ftyp'],
  [/\.bmp$/i, 'image/bmp', (b) => startsWith(b, 0x42, 0x4d)],
  [/\.ico$/i, 'image/x-icon', (b) => startsWith(b, 0, 0, 1, 0)],
  [/\.svg$/i, 'image/svg+xml', (b) => b.subarray(0, 4096).toString('latin1').includes('<svg')],
]

/** The media type of an image by its name and its first bytes; null for any other file. */
export function imageType(path: string, bytes: Buffer): string | null {
  return IMAGES.find(([extension, , magic]) => extension.test(path) && magic(bytes))?.[1] ?? null
}
