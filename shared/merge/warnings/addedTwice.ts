import type { Changes, Line } from './changes.ts'
import type { Warning } from './warning.ts'
import { hasLetters, isItem, looksLikeCode, withoutMark } from './words.ts'

/**
 * The same line or item added by both sides in different places: the merge has it twice. Lines of code have to be long
 * to count, since short ones repeat without meaning anything by it.
 */
export function addedTwice(changes: Changes): Warning[] {
  const inTheirs = new Map<string, { readonly index: number; readonly line: Line }>()
  for (const { index, added } of changes.theirs)
    for (const line of added) {
      const key = keyOf(line.text)
      if (key !== null && !inTheirs.has(key)) inTheirs.set(key, { index, line })
    }
  const warnings: Warning[] = []
  for (const { index, added } of changes.ours)
    for (const line of added) {
      const key = keyOf(line.text)
      const other = key === null ? undefined : inTheirs.get(key)
      if (key === null || other === undefined || other.index === index) continue
      inTheirs.delete(key)
      if (changes.baseLines().some((text) => withoutMark(text) === key)) continue
      if (!isTwice(changes.result, key)) continue
      const lines = [
        { side: 'ours', ...line },
        { side: 'theirs', ...other.line },
      ] as const
      warnings.push({ kind: 'added-twice', lines })
    }
  return warnings
}

function keyOf(text: string): string | null {
  const key = withoutMark(text)
  const least = isItem(text) || !looksLikeCode(text) ? 3 : 40
  return hasLetters(key, least) ? key : null
}

function isTwice(result: string, key: string): boolean {
  let found = 0
  for (let at = result.indexOf(key); at !== -1; at = result.indexOf(key, at + key.length)) {
    const start = result.lastIndexOf('\n', at - 1) + 1
    const end = result.indexOf('\n', at)
    if (withoutMark(result.slice(start, end === -1 ? undefined : end)) === key && ++found === 2) return true
  }
  return false
}
