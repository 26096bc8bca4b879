/**
 * Windows-1252 as the WHATWG encoding standard has it: the five bytes that the code page leaves open stand for the control
 * characters of the same number, so that all 256 bytes round-trip. Written out, since not every runtime decodes it rightly.
 */
const HIGH =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'

const BYTE_OF: ReadonlyMap<string, number> = new Map(Array.from(HIGH, (char, i) => [char, 0x80 + i]))

/** One character a byte. */
export function decodeLegacy(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return text.replace(/[\x80-\x9f]/g, (char) => HIGH[char.charCodeAt(0) - 0x80] as string)
}

/** One byte a character; null where a character has none. */
export function encodeLegacy(text: string): Uint8Array | null {
  const out = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) out[at] = code
    else {
      const byte = BYTE_OF.get(text[at] as string)
      if (byte === undefined) return null
      out[at] = byte
    }
  }
  return out
}
