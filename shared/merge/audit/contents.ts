import { LineIds } from '../bytes/lineIds.ts'
import { latin1 } from '../bytes/ranges.ts'

/** The lines of several texts, numbered by what they hold: the line ending does not count. */
export interface Contents<Name extends string> {
  readonly texts: Readonly<Record<Name, Content>>
  /** Numbers are below this. */
  readonly count: number
  /** By number: whether the line holds a letter or digit (or a byte above 127). */
  readonly hasWord: Uint8Array
}

export interface Content {
  readonly bytes: Uint8Array
  /** Byte offsets of the lines, and the end. */
  readonly starts: Int32Array
  readonly ids: Int32Array
}

/** Numbers the lines of texts by content. */
export function contentsOf<Name extends string>(texts: Readonly<Record<Name, Uint8Array>>): Contents<Name> {
  const names = Object.keys(texts) as Name[]
  const lines = new LineIds(256)
  const added = names.map((name) => lines.add(texts[name]))
  const byText = new Map<string, number>()
  const contentOf = new Int32Array(lines.count).fill(-1)
  const words: number[] = []
  const result: Partial<Record<Name, Content>> = {}
  for (const [i, name] of names.entries()) {
    const { bytes, starts, ids } = added[i] as Content
    const out = new Int32Array(ids.length)
    for (let line = 0; line < ids.length; line++) {
      const id = ids[line] as number
      let content = contentOf[id] as number
      if (content === -1) {
        const text = lineText(bytes, starts[line] as number, starts[line + 1] as number)
        content = byText.get(text) ?? byText.size
        if (content === byText.size) {
          byText.set(text, content)
          words.push(/[0-9A-Za-z\x80-\xff]/.test(text) ? 1 : 0)
        }
        contentOf[id] = content
      }
      out[line] = content
    }
    result[name] = { bytes, starts, ids: out }
  }
  return { texts: result as Record<Name, Content>, count: byText.size, hasWord: Uint8Array.from(words) }
}

function lineText(bytes: Uint8Array, start: number, end: number): string {
  let to = end
  if (to > start && bytes[to - 1] === 10) to--
  if (to > start && bytes[to - 1] === 13) to--
  return latin1(bytes, start, to)
}

/** How often each number occurs. */
export function countsOf(content: Content, count: number): Int32Array {
  const counts = new Int32Array(count)
  for (let i = 0; i < content.ids.length; i++) {
    const id = content.ids[i] as number
    counts[id] = (counts[id] as number) + 1
  }
  return counts
}
