import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputs, SEED } from '../../../e2e/support/mergeInputs.ts'
import { latin1 } from '../bytes/ranges.ts'
import { encodeText, showText } from '../bytes/text.ts'
import { chunksOf } from '../threeway/chunks.ts'
import { merge } from '../threeway/merge.ts'
import { markedText } from '../threeway/render.ts'
import { bytesOf } from '../threeway/side.ts'
import { parseMarkers } from './parse.ts'

console.log(`fast-check seed ${SEED}`)

/** Each conflict as ours, base and theirs; or the reasons why there are none. */
function parse(text: string, size?: number) {
  const bytes = encodeText(text)
  const found = parseMarkers(bytes, size)
  if (!found.decidable) return found.undecidable.map((place) => place.reason)
  return found.conflicts.map(({ ours, base, theirs }) =>
    [ours, base, theirs].map((part) => (part === null ? null : showText(bytes.subarray(part.start, part.end)))),
  )
}
const S = '<<<<<<< main\n'
const B = '||||||| base\n'
const M = '=======\n'
const E = '>>>>>>> sleep/x\n'

describe('parseMarkers', () => {
  it('reads conflicts with and without base', () => {
    expect(parse(`a\n${S}o\n${M}t\n${E}b\n${S}${B}b1\nb2\n${M}${E}`)).toEqual([
      ['o\n', null, 't\n'],
      ['', 'b1\nb2\n', ''],
    ])
    expect(parse('no conflict\n')).toEqual([])
    expect(parse('')).toEqual([])
  })

  it('gives labels and places', () => {
    const text = encodeText(`a\n${S}${B}${M}${E}z`)
    const found = parseMarkers(text)
    expect(found).toMatchObject({
      conflicts: [{ start: 2, end: text.length - 1, labels: { ours: 'main', base: 'base', theirs: 'sleep/x' } }],
    })
  })

  it('reads CRLF and a last marker without newline', () => {
    expect(parse(`${S}o\n${M}t\n${E}`.replaceAll('\n', '\r\n'))).toEqual([['o\r\n', null, 't\r\n']])
    expect(parse(`${S}o\n${M}t\n>>>>>>> theirs`)).toEqual([['o\n', null, 't\n']])
  })

  it('goes by the marker size', () => {
    const ten = `${S}o\n${M}t\n${E}`.replace(/([<=>])\1{6}/g, '$1$1$1$1$1$1$1$1$1$1')
    expect(parse(ten)).toEqual([])
    expect(parse(ten, 10)).toEqual([['o\n', null, 't\n']])
    expect(parse(`${'<'.repeat(10)}\n${S}x\n${M}${'='.repeat(10)}\n${'>'.repeat(10)}\n`, 10)).toEqual([
      [`${S}x\n${M}`, null, ''],
    ])
  })

  it('takes a heading for text where it is no conflict', () => {
    expect(parse(`Title\n${M}text\n${S}o\n${M}t\n${E}Other\n${M}`)).toEqual([['o\n', null, 't\n']])
    expect(parse('======= \n<<<<<<<x\n>>>>>>>>\n')).toEqual([])
  })

  it('does not guess which of several dividers divides', () => {
    expect(parse(`${S}Roadmap\n${M}theirs\n${M}Summary\n${M}ours\n${E}`)).toEqual(['several-dividers'])
    expect(parse(`${S}Roadmap\n${M}${B}b\n${M}t\n${E}`)).toEqual(['several-dividers'])
    expect(parse(`${S}o\n${M}${B}t\n${E}`)).toEqual(['several-bases'])
    expect(parse(`${S}o\n${B}b\n${B}${M}t\n${E}`)).toEqual(['several-bases'])
  })

  it('takes whole conflicts in a base section as text of it', () => {
    const inner = `${S}i\n${M}j\n${E}`
    expect(parse(`${S}o\n${B}x\n${inner}${M}t\n${E}`)).toEqual([['o\n', `x\n${inner}`, 't\n']])
    const innerBase = `${S}i\n${B}k\n${M}j\n${E}`
    expect(parse(`${S}o\n${B}${innerBase}${M}t\n${E}`)).toEqual([['o\n', innerBase, 't\n']])
    expect(parse(`${S}o\n${inner}${M}t\n${E}`)).toEqual(['nested'])
    expect(parse(`${S}o\n${M}${inner}${E}`)).toEqual(['nested'])
    expect(parse(`${S}o\n${B}${S}i\n${E}${M}t\n${E}`)).toEqual(['incomplete'])
  })

  it('says where a conflict does not end or begin', () => {
    expect(parse(`${S}o\n${M}t\n`)).toEqual(['incomplete'])
    expect(parse(`${S}o\n${E}`)).toEqual(['incomplete'])
    expect(parse(`o\n${M}t\n${E}`)).toEqual(['stray'])
    expect(parse(`${B}o\n`)).toEqual(['stray'])
  })

  it('reads back what the engine writes, or says that it cannot', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom('merge' as const, 'diff3' as const, 'zdiff3' as const), (input, style) => {
        const merged = merge(input)
        const { bytes } = markedText(merged, { style })
        const found = parseMarkers(bytes)
        const looksMarked = [input.base, input.ours, input.theirs].some((b) => /^[<=>|]{7}/m.test(latin1(b)))
        if (looksMarked) return
        expect(found.decidable).toBe(true)
        if (!found.decidable) return
        const chunks = chunksOf(merged, style)
        expect(found.conflicts).toHaveLength(chunks.length)
        for (const [i, conflict] of found.conflicts.entries())
          for (const side of ['ours', 'theirs'] as const) {
            const read = latin1(bytes, conflict[side].start, conflict[side].end)
            const meant = latin1(bytesOf(merged[side], (chunks[i] as (typeof chunks)[number])[side]))
            expect(read === meant || read === `${meant}\n` || read === `${meant}\r\n`).toBe(true)
          }
      }),
      { seed: SEED, numRuns: 300 },
    )
  })
})
