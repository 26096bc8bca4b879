// What a terminal does not show as it is: controls, marks of direction, and lone surrogates, which stand for bytes.
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const ESCAPED = new RegExp(`['\\\\]|${UNSEEN.source}`, 'gu')

/**
 * Any text as one word of a POSIX shell, to be shown and copied: as it is where it needs no quotes, else in single ones,
 * and as bash's and zsh's `$'…'` where it holds what cannot be seen. Bytes that are no text (U+DC80..U+DCFF) are `\xNN`.
 */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (!UNSEEN.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  return `$'${text.replace(ESCAPED, escaped)}'`
}

function escaped(character: string): string {
  if (character === "'" || character === '\\') return `\\${character}`
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  const code = character.codePointAt(0) ?? 0
  const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code
  if (byte < 0x80 || byte !== code) return `\\x${byte.toString(16).padStart(2, '0')}`
  return `\\u${code.toString(16).padStart(4, '0')}`
}
