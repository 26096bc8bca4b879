/** A commit's message: one line, and the trailers as its last paragraph. */
export function messageOf(subject: string, trailers: readonly (readonly [key: string, value: string])[]): string {
  const lines = trailers.map(([key, value]) => `${key}: ${trailerValue(value)}`)
  const first = oneLine(subject) || 'Update'
  return lines.length === 0 ? `${first}\n` : `${first}\n\n${lines.join('\n')}\n`
}

/** One line of a subject: line breaks and other control characters become blanks. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 500)

/** A value that cannot end its line, and so cannot forge a second trailer: JSON-quoted where it holds more than plain text. */
export function trailerValue(value: string): string {
  const text = value.toWellFormed()
  const plain = text !== '' && text.trim() === text && !text.startsWith('"') && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
  return plain ? text : JSON.stringify(text).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, escaped)
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** What `trailerValue` was made from. */
export function readTrailer(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    const read: unknown = JSON.parse(value)
    return typeof read === 'string' ? read : value
  } catch {
    return value
  }
}
