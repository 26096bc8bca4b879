import { describe, expect, it } from 'vitest'
import type { Mark } from './decorate.ts'
import { wordMarks } from './wordMarks.ts'

/** What the marks cover, read out of the text by lines and columns. */
function marked(text: string, marks: readonly Mark[]): string[] {
  const lines = text.split('\n')
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  return marks.map((one) => text.slice(offset(one.line, one.column), offset(one.endLine, one.endColumn)))
}

describe('words that a side has and base lacks', () => {
  const base = '- Pool ceiling: 40 connections per node\n'
  const ours = '- Pool ceiling: 60 connections per node\n- Measured peak: 52\n'
  const theirs = '- Pool ceiling: 48 connections per shard\n'

  it('are marked on both sides of a conflict', () => {
    const marks = wordMarks({ kind: 'conflict', base, ours, theirs })
    expect(marked(ours, marks.ours)).toEqual(['60', '- Measured peak: 52\n'])
    expect(marked(theirs, marks.theirs)).toEqual(['48', 'shard'])
  })

  it('are marked on the side that alone changed it', () => {
    const marks = wordMarks({ kind: 'theirs', base, ours: base, theirs })
    expect(marks.ours).toEqual([])
    expect(marked(theirs, marks.theirs)).toEqual(['48', 'shard'])
  })

  it('are marked on both where both changed it alike', () => {
    const marks = wordMarks({ kind: 'same', base, ours, theirs: ours })
    expect(marks.theirs).toEqual(marks.ours)
    expect(marks.ours.length).toBeGreaterThan(0)
  })

  it('are found behind characters of several bytes', () => {
    const text = (word: string) => `é 😀 \uD800 ünder ${word} ẞ\nnext 😀 ${word}\n`
    const marks = wordMarks({ kind: 'conflict', base: text('one'), ours: text('two'), theirs: text('one') })
    expect(marked(text('two'), marks.ours)).toEqual(['two', 'two'])
  })

  it('are not marked one by one where nearly every word differs', () => {
    const words = (word: string) => Array.from({ length: 8000 }, (_, i) => `${word}${i} same${i}`).join(' ')
    expect(wordMarks({ kind: 'conflict', base: words('a'), ours: words('b'), theirs: words('a') }).ours).toEqual([])
  })
})
