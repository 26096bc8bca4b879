import { encodeLegacy } from './legacy.ts'
import type { Prepared } from './prepare.ts'
import { encodeWide } from './scan.ts'

/** The bytes of a file from those of the merged text; null where the result's encoding cannot hold all of its characters. */
export function finish({ reading, result }: Prepared, merged: Uint8Array): Uint8Array | null {
  const ended = result.ending === 'crlf' ? withCrlf(merged) : merged
  const body = encoded(reading, result.encoding, ended)
  return body === null ? null : marked(result, body)
}

function encoded(
  reading: Prepared['reading'],
  to: Prepared['result']['encoding'],
  bytes: Uint8Array,
): Uint8Array | null {
  if (to === 'utf-16le' || to === 'utf-16be') return encodeWide(Buffer.from(bytes).toString('utf8'), to)
  return to === 'legacy' && reading !== 'legacy' ? encodeLegacy(Buffer.from(bytes).toString('utf8')) : bytes
}

const MARKS: Readonly<Partial<Record<Prepared['result']['encoding'], readonly number[]>>> = {
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
}

function marked({ encoding, bom }: Prepared['result'], body: Uint8Array): Uint8Array {
  if (!bom) return body
  const mark = MARKS[encoding] ?? [0xef, 0xbb, 0xbf]
  const out = new Uint8Array(mark.length + body.length)
  out.set(mark)
  out.set(body, mark.length)
  return out
}

/** Every LF as CRLF. */
function withCrlf(bytes: Uint8Array): Uint8Array {
  let lines = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  const out = new Uint8Array(bytes.length + lines)
  let at = 0
  for (const byte of bytes) {
    if (byte === 10) out[at++] = 13
    out[at++] = byte
  }
  return out
}
