import type { Span } from '../model/review.ts'
import { compareIds, type Limits } from './compare.ts'
import { runWhole } from './drive.ts'
import { type Edit, editsOf } from './edit.ts'
import { intern } from './lines.ts'

/** Both sides of a word-level diff: joined, `before` is the old text and `after` the new one. */
export interface WordDiff {
  readonly before: readonly Span[]
  readonly after: readonly Span[]
}

/** Tokens above this many on one side are not compared word by word. */
const MOST = 40_000
const WORD_LIMITS: Limits = { search: 100_000, words: 100_000, total: 2_000_000 }

/** Scripts that put no blanks between words: cut into characters. */
const UNSPACED = '\\p{Script=Han}|\\p{Script=Hiragana}|\\p{Script=Katakana}|\\p{Script=Thai}'

/** What one token can be, first match wins; the last one takes any character, so that nothing is lost. */
const TOKEN = new RegExp(
  [
    '\\r\\n|\\n|[^\\S\\r\\n]+',
    // Numbers with their inner points.
    '\\p{N}+(?:[.,:]\\p{N}+)*',
    `(?:${UNSPACED})\\p{M}*`,
    // Words with their inner apostrophes.
    `(?:(?!${UNSPACED})[\\p{L}\\p{M}_])+(?:['’](?=\\p{L})\\p{L}+)*`,
    // Picture characters with their joiners.
    '\\p{Extended_Pictographic}(?:[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]|\\u200d\\p{Extended_Pictographic})*',
    '[\\s\\S]',
  ].join('|'),
  'gu',
)

/** Cuts text into tokens; joined they are the text again. */
export const tokens = (text: string): string[] => text.match(TOKEN) ?? []

const isWord = (token: string) => /[\p{L}\p{N}]/u.test(token)

/**
 * Compares two texts word by word, for reading: scraps of equal text between two changes (blanks, commas, a lone short
 * word) are counted into the change, and texts that share too little are shown as one replacement.
 */
export function diffWords(oldText: string, newText: string): WordDiff {
  if (oldText === newText) return sides([oldText], [newText], [])
  const old = tokens(oldText)
  const now = tokens(newText)
  if (old.length > MOST || now.length > MOST) return sides(old, now, [endsOf(old, now)])
  const ends = endsOf(old, now)
  // A text put in, taken out, or one word for another needs no search.
  const [gone, come] = [ends.oldEnd - ends.oldStart, ends.newEnd - ends.newStart]
  if (gone === 0 || come === 0 || (gone === 1 && come === 1)) return sides(old, now, [ends])
  const { a, b } = runWhole(intern(old, now))
  const { oldChanged, newChanged } = runWhole(compareIds(a, b, WORD_LIMITS))
  const edits = joinScraps(editsOf(oldChanged, newChanged), old)
  return sides(old, now, unlike(old, now, edits) ? [endsOf(old, now)] : edits)
}

/** One edit for all between the common start and the common end. */
function endsOf(old: readonly string[], now: readonly string[]): Edit {
  const most = Math.min(old.length, now.length)
  let start = 0
  while (start < most && old[start] === now[start]) start++
  let end = 0
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++
  return { oldStart: start, oldEnd: old.length - end, newStart: start, newEnd: now.length - end }
}

/** Joins edits that only a scrap keeps apart, until nothing changes: a longer edit swallows a longer scrap. */
function joinScraps(edits: readonly Edit[], old: readonly string[]): Edit[] {
  let list = [...edits]
  for (;;) {
    const joined: Edit[] = []
    for (const edit of list) {
      const last = joined.at(-1)
      if (last && isScrap(old, last, edit))
        joined[joined.length - 1] = { ...last, oldEnd: edit.oldEnd, newEnd: edit.newEnd }
      else joined.push(edit)
    }
    if (joined.length === list.length) return joined
    list = joined
  }
}

function isScrap(old: readonly string[], left: Edit, right: Edit): boolean {
  const between = old.slice(left.oldEnd, right.oldStart)
  if (between.some((token) => token.includes('\n'))) return false
  const words = between.filter(isWord)
  if (words.length === 0) return between.length <= 3
  const size = (edit: Edit) => Math.max(edit.oldEnd - edit.oldStart, edit.newEnd - edit.newStart)
  const least = Math.min(size(left), size(right))
  return words.length === 1 && (words[0] as string).length <= 3 && least >= 3
}

/** Whether what is equal is too little to read as one text that was edited. */
function unlike(old: readonly string[], now: readonly string[], edits: readonly Edit[]): boolean {
  if (edits.length < 3) return false
  const weight = (list: readonly string[]) => list.reduce((sum, token) => sum + (isWord(token) ? token.length : 0), 0)
  const changed = edits.reduce((sum, e) => sum + weight(old.slice(e.oldStart, e.oldEnd)), 0)
  const added = edits.reduce((sum, e) => sum + weight(now.slice(e.newStart, e.newEnd)), 0)
  const total = weight(old)
  return total - changed < 0.3 * Math.max(total, total - changed + added)
}

function sides(old: readonly string[], now: readonly string[], edits: readonly Edit[]): WordDiff {
  const before: Span[] = []
  const after: Span[] = []
  const push = (list: Span[], op: Span['op'], text: string) => {
    if (text !== '') list.push({ op, text })
  }
  let at = 0
  for (const edit of edits) {
    const same = old.slice(at, edit.oldStart).join('')
    push(before, 'equal', same)
    push(after, 'equal', same)
    push(before, 'delete', old.slice(edit.oldStart, edit.oldEnd).join(''))
    push(after, 'insert', now.slice(edit.newStart, edit.newEnd).join(''))
    at = edit.oldEnd
  }
  const rest = old.slice(at).join('')
  push(before, 'equal', rest)
  push(after, 'equal', rest)
  return { before, after }
}
