import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { restoreLine } from './restore.ts'

const restored = (side: string, line: number, head: string) =>
  Buffer.from(restoreLine(Buffer.from(side), line, Buffer.from(head))).toString()

describe('a line put back', () => {
  it.each([
    ['between its neighbours', 'a\nb\nc\n', 1, 'a\nc\nd\n', 'a\nb\nc\nd\n'],
    ['as the first', 'a\nb\n', 0, 'b\nc\n', 'a\nb\nc\n'],
    ['as the last', 'a\nb\n', 1, 'a\n', 'a\nb\n'],
    ['after what its place was rewritten to', 'a\nb\nc\n', 1, 'a\nX\nc\n', 'a\nX\nb\nc\n'],
    ['where no line is left that stood beside it', 'a\nb\nc\n', 1, 'X\nY\n', 'X\nY\nb\n'],
    ['with the line endings of the document', 'a\nb\nc\n', 1, 'a\r\nc\r\n', 'a\r\nb\r\nc\r\n'],
    ['without a newline at its end', 'a\nb', 1, 'a\n', 'a\nb\n'],
    ['after a last line that has no newline', 'a\nb\n', 1, 'a', 'a\nb\n'],
    ['as the paragraph that it was', 'a\n\nb\n\nc\n', 2, 'a\n\nc\n', 'a\n\nb\n\nc\n'],
    ['as the last paragraph', 'a\n\nb\n', 2, 'a\n', 'a\n\nb\n'],
    ['into an empty document', 'a\nb\n', 1, '', 'b\n'],
  ])('%s', (_, side, line, head, expected) => {
    expect(restored(side, line, head)).toBe(expected)
  })

  it('adds that line and changes nothing else', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'dd'), { maxLength: 12 })
    fc.assert(
      fc.property(text, fc.nat(12), text, (side, at, head) => {
        fc.pre(side.length > 0)
        const line = at % side.length
        const own = `own ${line}`
        const lines = side.map((one, i) => (i === line ? own : one))
        const after = restored(`${lines.join('\n')}\n`, line, head.map((one) => `${one}\n`).join(''))
        const kept = after.split('\n').filter((one) => one !== own)
        expect(kept.join('\n')).toBe(head.map((one) => `${one}\n`).join(''))
        expect(after.split('\n').filter((one) => one === own)).toHaveLength(1)
      }),
    )
  })

  it('is refused where there is no such line', () => {
    expect(() => restored('a\n', 1, 'a\n')).toThrow(RangeError)
  })
})
