import { fieldOf } from './document.ts'
import { decodeReferences } from './references.ts'

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
/** The end tags take no more than so many bytes. */
const TAIL = 256

/** The bytes of the first article up to the last end tag of one; null where there are none. */
export function articleRange(bytes: Buffer): Range | null {
  const start = bytes.indexOf(OPEN)
  if (start === -1) return null
  const end = bytes.lastIndexOf(CLOSE)
  return end < start ? null : { start, end: end + CLOSE.length }
}

/**
 * The text before the article, where the file has the plain shape that a store writes: a doctype, `html`, `head` with
 * charset, title, metas and links with double-quoted values, `body`, the article, the end tags. null for any other
 * shape: then only a real parser can say what is in the file. That a file with this shape has its article where
 * `articleRange` finds it is what makes comparing raw article bytes safe.
 */
export function headText(bytes: Buffer, article: Range): string | null {
  if (bytes.length - article.end > TAIL || !AFTER.test(bytes.toString('latin1', article.end))) return null
  // After the tag's name comes its end or a blank: `<articles` is another element.
  if (!STARTS.test(bytes.toString('latin1', article.start, article.start + 9))) return null
  const text = bytes.toString('utf8', 0, article.start)
  return SHAPE.test(text) ? text : null
}

const AFTER = /^\s*<\/body>\s*<\/html>\s*$/i
const STARTS = /^<article[\s>]/
const PIECE = '<title>[^<\\r\\0\\ufffd]*</title>|<(?:meta|link)(?:\\s+[a-z-]+="[^"\\r\\0\\ufffd]*")+\\s*/?>'
const SHAPE = new RegExp(
  `^\\ufeff?<!doctype html>\\s*<html(?: lang="[A-Za-z-]*")?>\\s*<head>\\s*(?:(?:${PIECE})\\s*)*</head>\\s*<body>\\s*$`,
  'i',
)

/** Title and fields of a head whose shape `headText` has checked; null where a parser has to read it after all. */
export function readHead(text: string): Head | null {
  const from = text.search(/<head>/i) + '<head>'.length
  return readPieces(text.slice(from, text.search(/<\/head>/i)))
}

const TITLE = /<title>([^<]*)<\/title>/y
const TAG = /<(meta|link)((?:\s+[a-z-]+="[^"]*")+)\s*\/?>/y
/** A meta or link as a store writes it, with nothing in it that would have to be decoded. */
const PLAIN = /<(?:meta name="(?:memhtml-)?([^"&]*)" content|link rel="(?:memhtml-)?([^"&]*)" href)="([^"&]*)">/y
const ATTRIBUTE = /\s+([a-z-]+)="([^"]*)"/g
const BLANKS = /[ \t\n\f]+/y

/** Reads a run of titles, metas and links; null where it holds anything else, or a second title. */
export function readPieces(text: string): Head | null {
  let title: string | null = null
  const fields = new Map<string, string[]>()
  const add = (name: string, value: string) => {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  for (let at = 0; at < text.length; ) {
    BLANKS.lastIndex = at
    if (BLANKS.test(text)) {
      at = BLANKS.lastIndex
      continue
    }
    PLAIN.lastIndex = at
    const plain = PLAIN.exec(text)
    if (plain) {
      add((plain[1] ?? plain[2]) as string, plain[3] as string)
      at = PLAIN.lastIndex
      continue
    }
    TITLE.lastIndex = at
    const named = TITLE.exec(text)
    if (named) {
      const words = decodeReferences(named[1] as string)
      if (words === null || title !== null) return null
      title = words.replaceAll(/[ \t\n\f]+/g, ' ').trim()
      at = TITLE.lastIndex
      continue
    }
    TAG.lastIndex = at
    const tag = TAG.exec(text)
    const attributes = tag && readAttributes(tag[2] as string)
    if (!attributes) return null
    const field = fieldOf(tag[1] as string, (name) => attributes.get(name) ?? null)
    if (field) add(field.name, field.value)
    at = TAG.lastIndex
  }
  return { title, fields }
}

function readAttributes(text: string): Map<string, string> | null {
  const found = new Map<string, string>()
  for (const [, name, raw] of text.matchAll(ATTRIBUTE)) {
    const value = decodeReferences(raw as string)
    if (value === null || found.has(name as string)) return null
    found.set(name as string, value)
  }
  return found
}

/**
 * The lines of two checked heads in which they differ, whole lines, without the common ones around them. Only where
 * the fields of those lines occur in no other line do they tell all; `others` are the common lines, to look that up.
 */
export function differingLines(before: string, after: string): { before: string; after: string; others: string } {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  start = before.lastIndexOf('\n', start - 1) + 1
  let end = 0
  while (end < most - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end++
  const cut = before.indexOf('\n', before.length - end)
  end = cut === -1 ? 0 : before.length - cut - 1
  return {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    others: before.slice(0, start) + before.slice(before.length - end),
  }
}
