/** Text between people and bytes. Both classes exist wherever this runs; only their names are not in the language. */

declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: string,
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string }

const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}

/** The text of UTF-8 bytes, a mark at the start included; null where they are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

/** For showing only: what is not UTF-8 becomes U+FFFD. */
export function showText(bytes: Uint8Array): string {
  return lenient.decode(bytes)
}
