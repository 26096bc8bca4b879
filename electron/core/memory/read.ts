import { createHash } from 'node:crypto'
import type { DefaultTreeAdapterMap, TreeAdapter } from 'parse5'
import { type Article, type ParsedMemory, readDocument } from './document.ts'

/** Above this many bytes a file is shown as text: too much to read as a memory. */
export const MEMORY_LIMIT = 2 * 1024 * 1024

/** The content hash of an article's text, as the store writes it. */
export const contentHash = (article: Pick<Article, 'text'>): string =>
  `sha256:${createHash('sha256').update(article.text, 'utf8').digest('hex')}`

/** Whether the bytes carry a memory's metas, so that the file is one if its path allows. */
export const looksLikeMemory = (bytes: Buffer): boolean => bytes.indexOf(MARK) !== -1
const MARK = Buffer.from('memhtml-type')

/** How much is given to the parser between two pauses, in characters: about ten milliseconds. */
const SLICE = 64 * 1024
/** HTML's rules let a short file grow a huge or endlessly deep tree; past these bounds it is no memory. */
const MOST_ELEMENTS = 100_000
const DEEPEST = 500

class TooMuch extends Error {}

/**
 * Reads a file as a memory with a real HTML parser, which is loaded when it is first needed. Long files are parsed in
 * slices, so that nothing else waits. null for a file that nests too deep or holds too much to be a memory.
 */
export async function parseMemory(bytes: Buffer): Promise<ParsedMemory | null> {
  const { Parser, defaultTreeAdapter } = await parser()
  const text = bytes.toString('utf8')
  let elements = 0
  const bounded: TreeAdapter<DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement: (...given) => {
      elements += 1
      if (elements > MOST_ELEMENTS || run.openElements.stackTop > DEEPEST) throw new TooMuch()
      return defaultTreeAdapter.createElement(...given)
    },
  }
  const run = new Parser<DefaultTreeAdapterMap>({ treeAdapter: bounded })
  try {
    for (let at = 0; at < text.length || at === 0; at += SLICE) {
      const end = Math.min(text.length, at + SLICE)
      run.tokenizer.write(text.slice(at, end), end === text.length)
      if (end < text.length) await pause()
    }
  } catch (error) {
    if (error instanceof TooMuch) return null
    throw error
  }
  return readDocument(run.document)
}

let loaded: Promise<typeof import('parse5')> | null = null
const parser = () => {
  loaded ??= import('parse5')
  return loaded
}

/** Lets everything else that waits run first. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
