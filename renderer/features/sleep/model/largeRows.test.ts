import { describe, expect, it } from 'vitest'
import { differenceOf, largeRows, linesOf, sliceOf } from './largeRows.ts'

const hunk = (oldStart: number, oldLines: number, newStart: number, newLines: number) =>
  ({ part: 'lines', key: '', viewed: false, oldStart, oldLines, newStart, newLines }) as const

const rowsOf = (before: string, after: string, hunks: ReturnType<typeof hunk>[], inline: boolean, columns = 80) => {
  const [old, now] = [linesOf(before), linesOf(after)]
  return largeRows(old, now, hunks, { inline, columns, difference: (o, n) => differenceOf(old, o, now, n) })
}

const table = (...of: Parameters<typeof rowsOf>) => {
  const rows = rowsOf(...of)
  return Array.from({ length: rows.length }, (_, i) => {
    const row = rows.at(i)
    return [row.old, row.new, row.changed ? 1 : 0]
  })
}

describe('linesOf', () => {
  it('cuts at line feeds, without a line after the last one', () => {
    const texts = (text: string) => {
      const lines = linesOf(text)
      return Array.from({ length: lines.starts.length - 1 }, (_, i) => sliceOf(lines, i, 0, 80))
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
    const rows = rowsOf('a\nb\nc\n', 'x\nb\ny\n', [hunk(1, 1, 1, 1), hunk(3, 1, 3, 1)], true)
    expect(rows.starts).toEqual([0, 3])
  })

  it('wraps a long line over rows so that all of it can be read, and begins where it differs', () => {
    const after = `${'x'.repeat(205)}y\n`
    const rows = rowsOf(`${'x'.repeat(205)}\n`, after, [hunk(1, 1, 1, 1)], false, 100)
    expect(rows.length).toBe(3)
    expect(rows.starts).toEqual([2])
    expect(rows.at(2)).toEqual({ old: 0, new: 0, chunk: 2, mate: -1, changed: true })
    expect(sliceOf(linesOf(after), 0, 200, 300)).toBe('xxxxxy')
  })

  it('knows which line a changed one is to be compared with, inline too', () => {
    const rows = rowsOf('a\nb\n', 'A\n', [hunk(1, 2, 1, 1)], true)
    expect([0, 1, 2].map((i) => rows.at(i).mate)).toEqual([0, -1, 0])
  })

  it('takes a line of 10 MB in little time', () => {
    const before = performance.now()
    const line = 'y'.repeat(10_000_000)
    expect(rowsOf(line, `${line}z`, [hunk(1, 1, 1, 1)], false, 40).length).toBe(250_001)
    expect(performance.now() - before).toBeLessThan(2000)
  })
})

describe('differenceOf', () => {
  it('is what stands between the like beginning and the like end', () => {
    const of = (a: string, b: string) => {
      const d = differenceOf(linesOf(a), 0, linesOf(b), 0)
      return [a.slice(d.from, d.oldTo), b.slice(d.from, d.newTo)]
    }
    expect(of('the 40 of', 'the 60 of')).toEqual(['4', '6'])
    expect(of('aa', 'aaa')).toEqual(['', 'a'])
    expect(of('abc', '')).toEqual(['abc', ''])
    expect(of('same', 'same')).toEqual(['', ''])
  })
})
