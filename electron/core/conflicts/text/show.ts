import { decodePath, encodePath } from '../../git/bytes.ts'
import { decodeLegacy, encodeLegacy } from './legacy.ts'
import type { Prepared } from './prepare.ts'

type Reading = Pick<Prepared, 'reading' | 'mark'>

const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Bytes of a prepared text as people see them: line endings as `\n`, as many lines as the bytes have. */
export function shown(how: Reading, bytes: Uint8Array): string {
  const text = decoded(how, bytes)
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', how.mark) : text
}

function decoded({ reading }: Reading, bytes: Uint8Array): string {
  if (reading === 'legacy') return decodeLegacy(bytes)
  if (reading === 'utf-8') return buffer(bytes).toString('utf8')
  // Line by line: only lines with odd bytes in them are slow to read.
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(10, at)
    const end = newline === -1 ? bytes.length : newline + 1
    lines.push(decodePath(bytes.subarray(at, end)))
    at = end
  }
  return lines.join('')
}

/** The bytes of text that a person wrote, without line ending; null where the encoding has no byte for a character of it. */
export function written(how: Reading, text: string): Uint8Array | null {
  const plain = text.replaceAll(how.mark, '\r')
  if (how.reading === 'utf-8' && !plain.isWellFormed()) return null
  if (how.reading === 'legacy') return encodeLegacy(plain)
  return how.reading === 'escaped' ? encodePath(plain) : Buffer.from(plain, 'utf8')
}
