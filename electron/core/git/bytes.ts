const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Decodes a path as git prints it under `-z`. Bytes that are not UTF-8 become lone surrogates U+DC80..U+DCFF, one a
 * byte (Python's surrogateescape, PEP 383), so that `encodePath` gives the same bytes back.
 */
export function decodePath(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return decodeEscaped(bytes)
  }
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 0
}

function decodeEscaped(bytes: Uint8Array): string {
  let out = ''
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0)
    const piece = bytes.subarray(at, at + length)
    if (length > 0 && piece.length === length) {
      try {
        out += strict.decode(piece)
        at += length
        continue
      } catch {
        // Falls through: the lead byte alone is escaped, the rest is looked at again.
      }
    }
    out += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    at += 1
  }
  return out
}

/** The bytes of a path that `decodePath` made. */
export function encodePath(path: string): Buffer {
  if (path.isWellFormed()) return Buffer.from(path, 'utf8')
  const pieces: Buffer[] = []
  let text = ''
  for (const char of path) {
    const code = char.charCodeAt(0)
    if (char.length === 1 && code >= 0xdc80 && code <= 0xdcff) {
      pieces.push(Buffer.from(text, 'utf8'), Buffer.from([code - 0xdc00]))
      text = ''
    } else text += char
  }
  pieces.push(Buffer.from(text, 'utf8'))
  return Buffer.concat(pieces)
}

/** Splits NUL-terminated output into its fields; a missing last terminator is tolerated. */
export function splitNul(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = []
  let from = 0
  while (from < bytes.length) {
    const end = bytes.indexOf(0, from)
    fields.push(bytes.subarray(from, end === -1 ? bytes.length : end))
    if (end === -1) break
    from = end + 1
  }
  return fields
}
