import { fieldOf } from './document.ts'

/** The head of a memory, read without a parser. */
export interface Head {
  readonly title: string | null
  readonly fields: ReadonlyMap<string, readonly string[]>
}

/** Where the article's bytes are: from `<article` to the end of `</article>`. */
export interface Range {
  readonly start: number
  readonly end: number
}

const OPEN = Buffer.from('<article')
const CLOSE = Buffer.from('</article>')
const SPACE = /[ \t\n\f\r]/

/** The bytes of the first article up to the last end tag of one; null where there are none. */
export function articleRange(bytes: Buffer): Range | null {
  const start = bytes.indexOf(OPEN)
  if (start === -1) return null
  const end = bytes.lastIndexOf(CLOSE)
  return end < start ? null : { start, end: end + CLOSE.length }
}

/**
 * Reads everything before and after the article, but only where it has the plain shape that a store writes: a
 * doctype, `html`, `head` with charset, title, metas and links with double-quoted values, `body`, the article, the end
 * tags. null for any other shape: then only a real parser can say what is in the file. That a file with this shape has
 * its article where `articleRange` finds it is what makes comparing raw article bytes safe.
 */
export function readSkeleton(bytes: Buffer, article: Range): Head | null {
  const after = bytes.toString('latin1', article.end)
  if (!/^\s*<\/body>\s*<\/html>\s*$/i.test(after)) return null
  // After the tag's name comes its end or a blank: `<articles` is another element.
  if (!/^<article[\s>]/.test(bytes.toString('latin1', article.start, article.start + 9))) return null
  const text = bytes.toString('utf8', 0, article.start)
  if (text.includes('\ufffd') || text.includes('\0')) return null
  return readHead(text)
}

const START = /^\ufeff?<!doctype html>\s*<html(?: lang="[A-Za-z-]*")?>\s*<head>/i
const END = /<\/head>\s*<body>\s*$/i
const TITLE = /<title>([^<]*)<\/title>/y
const TAG = /<(meta|link)((?:\s+[a-z-]+="[^"]*")+)\s*\/?>/y
const ATTRIBUTE = /\s+([a-z-]+)="([^"]*)"/g

function readHead(text: string): Head | null {
  const start = START.exec(text)
  const end = END.exec(text)
  if (!start || !end) return null
  const head = text.slice(start[0].length, end.index)
  let title: string | null = null
  const fields = new Map<string, string[]>()
  for (let at = 0; at < head.length; ) {
    if (SPACE.test(head[at] as string)) {
      at++
      continue
    }
    TITLE.lastIndex = at
    TAG.lastIndex = at
    const named = TITLE.exec(head)
    if (named && title === null) {
      const words = decode(named[1] as string)
      if (words === null) return null
      title = words.replaceAll(/[ \t\n\f\r]+/g, ' ').trim()
      at = TITLE.lastIndex
      continue
    }
    const tag = TAG.exec(head)
    if (!tag) return null
    const attributes = readAttributes(tag[2] as string)
    if (!attributes) return null
    const field = fieldOf(tag[1] as string, (name) => attributes.get(name) ?? null)
    if (field) fields.set(field.name, [...(fields.get(field.name) ?? []), field.value])
    at = TAG.lastIndex
  }
  return { title, fields }
}

function readAttributes(text: string): Map<string, string> | null {
  const found = new Map<string, string>()
  for (const [, name, raw] of text.matchAll(ATTRIBUTE)) {
    const value = decode(raw as string)
    if (value === null || found.has(name as string)) return null
    found.set(name as string, value)
  }
  return found
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }

/** Text with its character references resolved; null where one is not among the few that a store writes. */
function decode(text: string): string | null {
  if (text.includes('\r')) return null
  if (!text.includes('&')) return text
  let known = true
  const out = text.replaceAll(/&([A-Za-z0-9#]*;?)/g, (whole, name: string) => {
    const found = name.endsWith(';') ? ENTITIES[name.slice(0, -1)] : undefined
    if (found === undefined) known = false
    return found ?? whole
  })
  return known ? out : null
}
