import type { DefaultTreeAdapterMap } from 'parse5'

type Node = DefaultTreeAdapterMap['node']
type Element = DefaultTreeAdapterMap['element']

/** One readable block of an article: a paragraph, list item, heading, table row, preformatted text. */
export interface Block {
  /** Name of its element, `text` for text outside any. */
  readonly name: string
  /** Its text: blanks collapsed, `pre` verbatim; the claim is left out. */
  readonly text: string
}

/** What the article says, apart from how it is marked up. */
export interface Article {
  /** The text that the content hash is taken over. */
  readonly text: string
  /** The one claim, blanks collapsed; null where there is none. */
  readonly claim: string | null
  readonly blocks: readonly Block[]
  /** Elements and attributes in order: differs where markup alone differs. */
  readonly markup: string
}

export interface ParsedMemory {
  readonly title: string | null
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** null where there is no `<article>`. */
  readonly article: Article | null
}

/** Elements of the format that run on in the text; the edge of any other one counts as a blank in the hashed text. */
const INLINE = new Set('a abbr cite code data dfn em kbd mark q samp span strong time var'.split(' '))
/** Elements that a reader sees as a block of their own. */
const BLOCKS = new Set(
  'address article aside blockquote caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main menu nav ol p pre search section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** Elements that part words without opening a block. */
const GAPS = new Set(['td', 'th', 'br', 'hr'])
const NOT_TEXT = new Set(['script', 'style', 'template'])

const isElement = (node: Node): node is Element => 'tagName' in node
const attribute = (element: Element, name: string) => element.attrs.find((a) => a.name === name)?.value ?? null
const children = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : [])

/** Blanks of HTML: other blanks, such as a no-break space, are text. */
const collapse = (text: string) => text.replaceAll(/[ \t\n\f\r]+/g, ' ')
const trim = (text: string) => text.replaceAll(/^ +| +$/g, '')

/** Reads a parsed HTML document as a memory. Never fails: what is missing is null or empty. */
export function readDocument(document: Node): ParsedMemory {
  const fields = new Map<string, string[]>()
  const found: { title: string | null; article: Element | null } = { title: null, article: null }
  const queue: Node[] = [document]
  for (let node = queue.pop(); node; node = queue.pop()) {
    if (isElement(node)) {
      if (node.tagName === 'article') {
        found.article ??= node
        continue
      }
      if (node.tagName === 'title' && node.namespaceURI === 'http://www.w3.org/1999/xhtml')
        found.title ??= collapse(plainText(node)).trim()
      const field = fieldOf(node.tagName, (name) => attribute(node as Element, name))
      if (field) fields.set(field.name, [...(fields.get(field.name) ?? []), field.value])
    }
    const inside = children(node)
    for (let at = inside.length - 1; at >= 0; at--) queue.push(inside[at] as Node)
  }
  return { title: found.title, fields, article: found.article ? readArticle(found.article) : null }
}

/** The field that a head element stands for; null where it stands for none. */
export function fieldOf(
  tag: string,
  attribute: (name: string) => string | null,
): { readonly name: string; readonly value: string } | null {
  if (tag === 'meta') {
    const name = attribute('name') ?? attribute('property') ?? attribute('http-equiv')
    if (name !== null) return { name: name.replace(/^memhtml-/, ''), value: attribute('content') ?? '' }
    const charset = attribute('charset')
    return charset === null ? null : { name: 'charset', value: charset }
  }
  if (tag === 'link') {
    const rel = attribute('rel')
    return rel === null ? null : { name: rel.replace(/^memhtml-/, ''), value: attribute('href') ?? '' }
  }
  return null
}

function plainText(node: Node): string {
  if ('value' in node) return node.value
  return children(node).map(plainText).join('')
}

/** Reads one article. Walks with a stack of its own, since nesting is as deep as the file says. */
export function readArticle(article: Element): Article {
  const hash = { text: '', open: false }
  const blocks: Block[] = []
  let current = { name: 'text', text: '' }
  let claim: string | null = null
  let inMark = false
  const markup: string[] = []

  const flush = (name: string) => {
    const text = current.name === 'pre' ? current.text : trim(collapse(current.text))
    if (text !== '') blocks.push({ name: current.name, text })
    current = { name, text: '' }
  }
  const say = (text: string, verbatim: boolean) => {
    if (verbatim) {
      if (text === '') return
      if (hash.open && hash.text !== '') hash.text += ' '
      hash.text += text
      hash.open = false
      return
    }
    for (const piece of collapse(text).split(/( )/)) {
      if (piece === '') continue
      if (piece === ' ') hash.open = true
      else {
        if (hash.open && hash.text !== '') hash.text += ' '
        hash.text += piece
        hash.open = false
      }
    }
  }

  type Step = { readonly node: Node; readonly leave: boolean; readonly pre: boolean; readonly block: string }
  const stack: Step[] = [{ node: article, leave: false, pre: false, block: 'text' }]
  let markElement: Element | null = null
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, leave, pre, block } = step
    if (node.nodeName === '#text' && 'value' in node) {
      say(node.value, pre)
      if (inMark) claim = (claim ?? '') + node.value
      else current.text += node.value
      continue
    }
    if (!isElement(node) || NOT_TEXT.has(node.tagName)) continue
    const { tagName } = node
    const opens = BLOCKS.has(tagName)
    if (!INLINE.has(tagName)) hash.open = true
    if (GAPS.has(tagName)) current.text += ' '
    if (leave) {
      markup.push('/')
      if (opens) flush(block)
      if (node === markElement) {
        inMark = false
        current.text += ' '
      }
      continue
    }
    markup.push(tagName, ...node.attrs.map((a) => `${a.name}=${a.value}`))
    if (opens) flush(tagName)
    if (tagName === 'mark' && markElement === null) {
      markElement = node
      inMark = true
      claim = ''
    }
    stack.push({ node, leave: true, pre, block })
    const inside = { leave: false, pre: pre || tagName === 'pre', block: opens ? tagName : block }
    for (const child of [...children(node)].reverse()) stack.push({ node: child, ...inside })
  }
  flush('text')
  return {
    text: hash.text,
    claim: claim === null ? null : trim(collapse(claim)) || null,
    blocks,
    markup: JSON.stringify(markup),
  }
}
