import { basename } from 'node:path/posix'
import { parse } from 'yaml'
import { splitFrontMatter } from '../../sleep/frontMatter.ts'

/** What a document is called, and its text as it is searched. */
export interface ReadableText {
  readonly title: string
  readonly body: string
}

/** A title beyond so many characters is cut. */
const LONGEST_TITLE = 300

/**
 * The title is the front matter's, else the first heading of Markdown or the `<title>` of HTML, else the file's name.
 * Of HTML the body is what it says, with the contents of its metas and without its tags.
 */
export function readableText(path: string, text: string): ReadableText {
  const found = /\.(?:html?|xhtml)$/i.test(path) ? ofHtml(text) : ofText(path, text)
  const title = found.title?.replaceAll(/\s+/g, ' ').trim() || basename(path)
  return { title: title.toWellFormed().slice(0, LONGEST_TITLE).toWellFormed(), body: found.body }
}

function ofText(path: string, text: string): { title: string | null; body: string } {
  const parts = splitFrontMatter(text)
  const title = (parts && frontTitle(parts.front)) ?? null
  if (title !== null || !/\.(?:md|markdown|mdx|mkd)$/i.test(path)) return { title, body: text }
  return { title: firstHeading(parts?.body ?? text), body: text }
}

function frontTitle(front: string): string | null {
  const found = /^title[ \t]*:.*(?:\r?\n[ \t]+.*)*/m.exec(front)
  if (!found) return null
  try {
    const value = (parse(found[0], { prettyErrors: false, logLevel: 'silent' }) as Record<string, unknown>).title
    return typeof value === 'string' || typeof value === 'number' ? String(value) : null
  } catch {
    return null
  }
}

/** Past so many lines nobody would call it the title. */
const LOOKED_AT_LINES = 500

function firstHeading(text: string): string | null {
  let fence: string | null = null
  let before = ''
  for (const line of text.split('\n', LOOKED_AT_LINES)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark !== undefined) fence = fence === null ? mark.slice(0, 3) : mark.startsWith(fence) ? null : fence
    else if (fence === null) {
      const heading = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line)?.[1]
      const text = heading?.trim().replace(/(?:^|[ \t])#+$/, '')
      if (text) return text
      if (/^ {0,3}(?:=+|-+)[ \t\r]*$/.test(line) && before.trim() !== '') return before
    }
    before = line
  }
  return null
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toWellFormed() : whole
  })

/** Walks from tag to tag once, whatever the text. */
function ofHtml(text: string): { title: string | null; body: string } {
  const lower = text.toLowerCase()
  const said: string[] = []
  let title: string | null = null
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('<', at)
    if (open === -1) {
      said.push(text.slice(at))
      break
    }
    said.push(text.slice(at, open))
    const close = text.indexOf('>', open)
    if (close === -1) {
      said.push(text.slice(open))
      break
    }
    const tag = text.slice(open + 1, close)
    at = close + 1
    const name = /^[a-z]+/i.exec(tag)?.[0].toLowerCase()
    if (name === 'meta') said.push(' ', /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).join('') ?? '')
    if (name === 'script' || name === 'style') at = endOf(lower, name, at)
    if (name === 'title' && title === null) title = unescaped(text.slice(at, startOfEnd(lower, name, at)))
    said.push(' ')
  }
  return { title, body: unescaped(said.join('')) }
}

const startOfEnd = (lower: string, name: string, from: number): number => {
  const end = lower.indexOf(`</${name}`, from)
  return end === -1 ? lower.length : end
}

const endOf = (lower: string, name: string, from: number): number => startOfEnd(lower, name, from)
