import { describe, expect, it } from 'vitest'
import { CHUNK, chunkOf, largeRows, linesOf } from './largeRows.ts'

const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number) =>
  ({ part: 'lines', key: '', viewed: false, oldStart, oldLines, newStart, newLines }) as const

const table = (before: string, after: string, hunks: ReturnType<typeof hunk>[], inline: boolean) => {
  const rows = largeRows(linesOf(before), linesOf(after), hunks, inline)
  return Array.from({ length: rows.length }, (_, i) => [rows.old[i], rows.new[i], rows.changed[i]])
}

describe('linesOf', () => {
  it('cuts at line feeds, without a line after the last one', () => {
    const texts = (text: string) => {
      const lines = linesOf(text)
      return Array.from({ length: lines.starts.length - 1 }, (_, i) => chunkOf(lines, i, 0))
    }
    expect(texts('')).toEqual([])
    expect(texts('a\nb\n')).toEqual(['a', 'b'])
    expect(texts('a\r\n\r\nb')).toEqual(['a', '', 'b'])
    expect(texts('\n')).toEqual([''])
  })
})

describe('largeRows', () => {
  it('puts a changed line beside the old one, or below it inline', () => {
    expect(table('a\nb\nc\n', 'a\nB\nc\n', [hunk(2, 1, 2, 1)], false)).toEqual([
      [0, 0, 0],
      [1, 1, 1],
      [2, 2, 0],
    ])
    expect(table('a\nb\nc\n', 'a\nB\nc\n', [hunk(2, 1, 2, 1)], true)).toEqual([
      [0, 0, 0],
      [1, -1, 1],
      [-1, 1, 1],
      [2, 2, 0],
    ])
  })

  it('leaves a gap where a side has no line, at the place a unified diff names', () => {
    expect(table('a\nc\n', 'a\nb\nc\n', [hunk(1, 0, 2, 1)], false)).toEqual([
      [0, 0, 0],
      [-1, 1, 1],
      [1, 2, 0],
    ])
    expect(table('a\nb\nc\n', 'a\nc\n', [hunk(2, 1, 1, 0)], false)).toEqual([
      [0, 0, 0],
      [1, -1, 1],
      [2, 1, 0],
    ])
  })

  it('shows a created file as added and marks where changes begin', () => {
    expect(table('', 'a\nb', [], true)).toEqual([
      [-1, 0, 1],
      [-1, 1, 1],
    ])
    const rows = largeRows(linesOf('a\nb\nc\n'), linesOf('x\nb\ny\n'), [hunk(1, 1, 1, 1), hunk(3, 1, 3, 1)], true)
    expect(rows.starts).toEqual([0, 3])
  })

  it('wraps a long line over rows so that all of it can be read', () => {
    const long = 'x'.repeat(2 * CHUNK + 5)
    const rows = largeRows(linesOf(`${long}\n`), linesOf(`${long}y\n`), [hunk(1, 1, 1, 1)], false)
    expect(rows.length).toBe(3)
    expect(chunkOf(linesOf(`${long}y\n`), 0, 2)).toBe('xxxxxy')
  })

  it('takes a line of 10 MB in little time', () => {
    const before = performance.now()
    const text = linesOf('y'.repeat(10_000_000))
    expect(largeRows(text, text, [], false).length).toBeGreaterThan(9999)
    expect(performance.now() - before).toBeLessThan(1000)
  })
})
