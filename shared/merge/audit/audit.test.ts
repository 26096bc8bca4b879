import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputs, SEED } from '../../../e2e/support/mergeInputs.ts'
import { encodeText, showText } from '../bytes/text.ts'
import { cleanBytes, type Decision, decidedBytes } from '../threeway/decide.ts'
import { merge } from '../threeway/merge.ts'
import { type AuditLine, auditLoss } from './loss.ts'
import { prove } from './proof.ts'

console.log(`fast-check seed ${SEED}`)
const input = (base: string, ours: string, theirs: string) => ({
  base: encodeText(base),
  ours: encodeText(ours),
  theirs: encodeText(theirs),
})
const audit = (base: string, ours: string, theirs: string, result: string) =>
  auditLoss(input(base, ours, theirs), encodeText(result))
const show = (lines: readonly AuditLine[]) => lines.map((line) => `${line.line}:${showText(line.bytes)}`)

describe('loss audit', () => {
  it('finds nothing in a result that has all', () => {
    expect(audit('a\nz\n', 'a\no\nz\n', 'a\nt\nz\n', 'a\no\nt\nz\n')).toEqual({
      lost: [],
      missing: [],
      duplicated: [],
      moved: [],
      complete: true,
    })
  })

  it('finds lines that a side added and the result lacks', () => {
    const found = audit('a\nz\n', 'a\no1\no2\nz\n', 'a\nt\nz\n', 'a\no1\nz\n')
    expect(found.lost.map((l) => [l.side, l.line, showText(l.bytes)])).toEqual([
      ['ours', 2, 'o2'],
      ['theirs', 1, 't'],
    ])
    expect(found.complete).toBe(false)
  })

  it('asks for one copy of what both added', () => {
    expect(audit('a\n', 'a\nn\n', 'a\nn\n', 'a\nn\n').complete).toBe(true)
    expect(audit('a\n', 'a\nn\n', 'n\na\n', 'a\n').lost).toMatchObject([{ side: 'both', line: 1 }])
  })

  it('finds lines of base that both kept and the result lacks', () => {
    const found = audit('a\nk\nz\n', 'A\nk\nz\n', 'a\nk\nZ\n', 'A\nZ\n')
    expect(show(found.missing)).toEqual(['1:k'])
    expect(found.lost).toEqual([])
  })

  it('lets go what one side deleted', () => {
    expect(audit('a\nk\nz\n', 'a\nz\n', 'a\nk\nz\n', 'a\nz\n').complete).toBe(true)
  })

  it('finds duplicates that neither side had', () => {
    const found = audit('# L\na\nb\nc\n', '# L\nnew\na\nb\nc\n', '# L\na\nb\nc\nnew\n', '# L\nnew\na\nb\nc\nnew\n')
    expect(show(found.duplicated)).toEqual(['5:new'])
    expect(audit('a\n', 'o\n', 't\n', 'by hand\n').duplicated).toEqual([])
    expect(show(audit('a\n', 'o\n', 't\n', 'by hand\nby hand\n').duplicated)).toEqual(['1:by hand'])
    expect(audit('}\n', '}\n}\n', '}\n}\n', '}\n}\n}\n').duplicated).toEqual([])
  })

  it('knows a moved line from a lost one', () => {
    const found = audit('1\n2\n3\n', '3\n1\n2\n', '1\n2\n3\n', '3\n1\n2\n')
    expect(found.complete).toBe(true)
    expect(found.moved).toMatchObject([{ side: 'theirs', line: 2, to: 0 }])
  })

  it('finds what is lost when two sides reordered and one is taken', () => {
    // Neither choice within the block is right: the text around it has changed already.
    expect(show(audit('1\n2\n3\n', '3\n1\n2\n', '2\n3\n1\n', '2\n1\n').missing)).toEqual(['2:3'])
    expect(show(audit('1\n2\n3\n', '3\n1\n2\n', '2\n3\n1\n', '3\n1\n2\n1\n').duplicated)).toEqual(['3:1'])
  })

  it('does not count line endings', () => {
    expect(audit('a\r\n', 'a\r\nb', 'a\n', 'a\nb\n').complete).toBe(true)
  })

  it('finds nothing in any clean merge', () => {
    fc.assert(
      fc.property(inputs, (sides) => {
        const clean = cleanBytes(merge(sides))
        if (clean === null) return
        const found = auditLoss(sides, clean)
        expect(show(found.lost)).toEqual([])
        expect(show(found.missing)).toEqual([])
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})

describe('proof', () => {
  const merged = merge(input('a\nb\nc\nd\ne\n', 'A\nb\nc\nd\no\n', 'a\nb\nC\nd\nt\n'))
  const mine: Decision = { take: 'text', text: encodeText('mine\n') }

  it('states what each stretch is identical to', () => {
    const { bytes } = decidedBytes(merged, [{ take: 'theirs' }])
    expect(prove(merged, [{ take: 'theirs' }], bytes)).toEqual({
      holds: true,
      decided: 1,
      taken: 2,
      differsAt: null,
      sentence: '1 hunk decided; all else identical',
      parts: [
        { start: 0, end: 2, equals: ['ours'] },
        { start: 2, end: 4, equals: ['base', 'ours', 'theirs'] },
        { start: 4, end: 6, equals: ['theirs'] },
        { start: 6, end: 8, equals: ['base', 'ours', 'theirs'] },
        { start: 8, end: 10, equals: ['theirs'], conflict: 0, take: 'theirs' },
      ],
    })
  })

  it('fails where one byte is another', () => {
    const { bytes } = decidedBytes(merged, [mine])
    expect(prove(merged, [mine], bytes).holds).toBe(true)
    bytes[2] = 66
    expect(prove(merged, [mine], bytes)).toMatchObject({ holds: false, differsAt: 2 })
    expect(prove(merged, [mine], bytes.subarray(0, 9))).toMatchObject({ holds: false })
    expect(prove(merged, [mine], encodeText('A\nb\nC\nd\nmine\nmore\n'))).toMatchObject({ holds: false, differsAt: 13 })
  })
})
