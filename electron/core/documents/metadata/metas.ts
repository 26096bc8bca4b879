/** One meta of a memory, by its place in the bytes (of their Latin-1 text). */
export interface Meta {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
}

const PREFIX = 'memhtml-'
const META = /<meta\b[^>]*\bname\s*=\s*"memhtml-([^"]*)"[^>]*>/gi
const CONTENT = /\bcontent\s*=\s*"([^"]*)"/i

/** The metas of a memory's head, in order. Names without their prefix. */
export function readMetas(bytes: Buffer): Meta[] {
  const text = bytes.toString('latin1')
  const head = text.slice(0, headEnd(text))
  return [...head.matchAll(META)].map((match) => ({
    name: match[1] ?? '',
    value: unescapeText(Buffer.from(CONTENT.exec(match[0])?.[1] ?? '', 'latin1').toString('utf8')),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Where the head ends: what follows is never touched. */
function headEnd(text: string): number {
  const at = text.search(/<\/head>|<body\b|<article\b/i)
  return at === -1 ? text.length : at
}

/** The memory with these values of one meta, none for an empty list: a splice of the head, no other byte moves. */
export function setMeta(bytes: Buffer, name: string, values: readonly string[]): Buffer {
  const text = bytes.toString('latin1')
  const known = readMetas(bytes)
  const same = known.filter((one) => one.name === name)
  if (same.length === values.length && same.every((one, i) => one.value === values[i])) return bytes
  const closing = text.search(/<\/head>/i)
  const place = same[0]?.start ?? known.at(-1)?.end ?? (closing === -1 ? 0 : closing)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = indentOf(text, known[0]?.start ?? place)
  const rows = values.map((one) =>
    Buffer.from(`<meta name="${PREFIX}${escapeText(name)}" content="${escapeText(one)}">`).toString('latin1'),
  )
  if (same.length === 0) {
    const joined = rows.map((row) => eol + indent + row).join('')
    return Buffer.from(text.slice(0, place) + joined + text.slice(place), 'latin1')
  }
  const keep = rows.length > 0
  const without = same.toReversed().reduce((all, one, i) => cut(all, one, keep && i === same.length - 1), text)
  return Buffer.from(
    keep ? without.slice(0, place) + rows.join(eol + indent) + without.slice(place) : without,
    'latin1',
  )
}

/** The text without a meta; with its whole line, unless its place is used again. */
function cut(text: string, meta: Meta, keepPlace: boolean): string {
  if (keepPlace) return text.slice(0, meta.start) + text.slice(meta.end)
  const from = text.lastIndexOf('\n', meta.start - 1) + 1
  const next = text.indexOf('\n', meta.end)
  const alone = text.slice(from, meta.start).trim() === '' && next !== -1 && text.slice(meta.end, next).trim() === ''
  return alone ? text.slice(0, from) + text.slice(next + 1) : text.slice(0, meta.start) + text.slice(meta.end)
}

const indentOf = (text: string, at: number): string => /[ \t]*$/.exec(text.slice(0, at))?.[0] ?? ''

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const unescapeText = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
