import type { Change, Changes, Line, SideName } from './changes.ts'
import type { Warning } from './warning.ts'
import { countOf, wordsOf } from './words.ts'

/** More words than this are not looked for. */
const MOST = 200

/** A number or name that one side replaced everywhere, and that only the other's new text still has. */
export function stale(changes: Changes): Warning[] {
  return [...from(changes, 'ours', 'theirs'), ...from(changes, 'theirs', 'ours')]
}

function from(changes: Changes, changer: SideName, other: SideName): Warning[] {
  const gone = new Map<string, Line>()
  for (const change of changes[changer])
    for (const [word, line] of replacedWords(change)) if (gone.size < MOST) gone.set(word, line)
  if (gone.size === 0) return []
  const added = changes[other].flatMap((change) => change.added)
  const text = added.map((line) => line.text).join('\n')
  const warnings: Warning[] = []
  for (const [word, line] of gone) {
    const inAdded = countOf(text, word)
    if (inAdded === 0 || countOf(changes.result, word, inAdded + 1) > inAdded) continue
    const user = added.find((candidate) => countOf(candidate.text, word) > 0) as Line
    warnings.push({
      kind: 'stale',
      subject: word,
      lines: [
        { side: 'base', ...line },
        { side: other, ...user },
      ],
    })
  }
  return warnings
}

/** Words of lines that were edited in place, where one or two words stand for one or two others. */
function replacedWords({ removed, added }: Change): [string, Line][] {
  if (removed.length !== added.length) return []
  return removed.flatMap((line, i): [string, Line][] => {
    const old = wordsOf(line.text)
    const now = wordsOf((added[i] as Line).text)
    if (old.length !== now.length) return []
    const places = old.flatMap((word, at) => (word === now[at] ? [] : [at]))
    if (places.length === 0 || places.length > 2 || places.length === old.length) return []
    return places
      .map((at) => old[at] as string)
      .filter(isTelling)
      .map((word) => [word, line])
  })
}

/** Numbers of two digits and more, numbers with a unit, and words of four letters and more. */
function isTelling(word: string): boolean {
  return /^\d.+/.test(word) || /^[A-Za-z_\x80-\xff][\w\x80-\xff]{3,}$/.test(word)
}
