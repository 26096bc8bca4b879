/**
 * Characters that Monaco would not keep: it takes a lone CR for a line ending and drops a byte order mark at the start of
 * a text. Each is shown as a character that none of the texts has, and read back as itself.
 */
const UNSAFE = ['\r', '\uFEFF'] as const
/** Unicode's own noncharacters for use inside a program: no text that is meant for exchange has one. */
const FIRST = 0xfdd0
const LAST = 0xfdef
/** Where a text has all of those, the private use area is looked through too. */
const PRIVATE = [0xe000, 0xf8ff] as const

export interface Placeholders {
  /** The text as Monaco can hold it; of the same length. */
  readonly show: (text: string) => string
  /** The text that Monaco's stands for. */
  readonly read: (shown: string) => string
  /** What stands for a lone CR, and for a byte order mark. */
  readonly cr: string
  readonly mark: string
}

/** Placeholders that none of `texts` contains. */
export function placeholdersFor(texts: readonly string[]): Placeholders {
  const free = freeCharacters(texts, UNSAFE.length)
  const [cr, mark] = free as [string, string]
  const swap = (text: string, from: readonly string[], to: readonly string[]) =>
    from.reduce((now, one, i) => (now.includes(one) ? now.replaceAll(one, to[i] as string) : now), text)
  return { show: (text) => swap(text, UNSAFE, free), read: (shown) => swap(shown, free, UNSAFE), cr, mark }
}

function freeCharacters(texts: readonly string[], count: number): string[] {
  const found: string[] = []
  const look = (from: number, to: number) => {
    for (let code = from; code <= to && found.length < count; code++) {
      const one = String.fromCharCode(code)
      if (!texts.some((text) => text.includes(one))) found.push(one)
    }
  }
  look(FIRST, LAST)
  look(...PRIVATE)
  if (found.length < count) throw new RangeError('no character is free')
  return found
}
