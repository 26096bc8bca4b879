/** Words and what they say about a line. Text is one character per byte; bytes above 127 count as letters. */

const WORD = /[\w\x80-\xff]+/g

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

export function hasLetters(text: string, least: number): boolean {
  return text.replace(/[^0-9A-Za-z\x80-\xff]/g, '').length >= least
}

/** The text of an item of a list, without its mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').trim()
}

export function isItem(text: string): boolean {
  return /^\s*(?:[-*+]|\d+[.)])\s+\S/.test(text)
}

export function isTableRow(text: string): boolean {
  return /^\s*\|.*\|\s*$/.test(text)
}

/** The title of a Markdown heading, null for other lines. */
export function headingOf(text: string): string | null {
  return /^#{1,6}\s+(.*?)\s*#*\s*$/.exec(text)?.[1] ?? null
}

/** Whether a line reads as code or markup, whose lines repeat without meaning anything by it. */
export function looksLikeCode(text: string): boolean {
  return /[(){}[\];=<>@\\"'`]|^\s|[:,]$|^(?:return|else|try|import|from|end|pass|break|continue|fi|done)\b/.test(text)
}

/** How often a word or phrase stands alone in a text, at most `most`. */
export function countOf(text: string, word: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0
  for (let at = text.indexOf(word); at !== -1 && count < most; at = text.indexOf(word, at + word.length))
    if (alone(text, at, at + word.length)) count++
  return count
}

const JOINS = /[\w\x80-\xff]/

function alone(text: string, start: number, end: number): boolean {
  const before = start > 0 && JOINS.test(text[start - 1] as string) && JOINS.test(text[start] as string)
  const after = end < text.length && JOINS.test(text[end] as string) && JOINS.test(text[end - 1] as string)
  return !before && !after
}
