import type { DefaultTreeAdapterMap } from 'parse5'
import { decodeReferences } from './references.ts'

type Element = DefaultTreeAdapterMap['element']
type ChildNode = DefaultTreeAdapterMap['childNode']

const INLINE = new Set('mark code em strong span abbr cite dfn kbd samp var q'.split(' '))
const TEXT_BLOCKS = new Set('p pre h2 h3 h4'.split(' '))
const LISTS = new Set(['ul', 'ol'])

/** Which elements may stand in which, so that reading tags as they come gives the tree that HTML's rules give. */
function mayHold(parent: string, child: string): boolean {
  if (INLINE.has(child)) return TEXT_BLOCKS.has(parent) || INLINE.has(parent) || parent === 'li'
  if (parent === 'article') return TEXT_BLOCKS.has(child) || LISTS.has(child)
  if (LISTS.has(parent)) return child === 'li'
  return parent === 'li' && LISTS.has(child)
}

const TAG = /<(\/?)([a-z][a-z0-9]*)>/y

/**
 * The tree of an article of the plainest kind: paragraphs, headings, preformatted text, lists, and a few inline
 * elements without attributes, properly nested. null for anything else, which a real parser has to read. For what it
 * accepts it gives the same tree as a real parser, at a fraction of the cost.
 */
export function readPlainArticle(text: string): Element | null {
  if (!text.startsWith('<article>') || text.includes('\r') || text.includes('\0')) return null
  const root = element('article')
  const open: Element[] = [root]
  let at = '<article>'.length
  while (at < text.length) {
    const top = open[open.length - 1]
    if (!top) return null
    const next = text.indexOf('<', at)
    if (next === -1) return null
    if (next > at) {
      const words = decodeReferences(text.slice(at, next))
      if (words === null) return null
      if (LISTS.has(top.tagName) && /[^ \t\n\f]/.test(words)) return null
      // A line end right after the tag is no part of preformatted text.
      const value = top.tagName === 'pre' && top.childNodes.length === 0 ? words.replace(/^\n/, '') : words
      if (value !== '') top.childNodes.push({ nodeName: '#text', value, parentNode: top } as ChildNode)
    }
    TAG.lastIndex = next
    const tag = TAG.exec(text)
    if (!tag) return null
    at = TAG.lastIndex
    const name = tag[2] as string
    if (tag[1] === '/') {
      if (name !== top.tagName) return null
      open.pop()
      if (top === root) return at === text.length ? root : null
    } else {
      if (!mayHold(top.tagName, name)) return null
      const child = element(name)
      top.childNodes.push(child)
      open.push(child)
    }
  }
  return null
}

const element = (name: string): Element =>
  ({ nodeName: name, tagName: name, attrs: [], childNodes: [], parentNode: null }) as unknown as Element
