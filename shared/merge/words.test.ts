import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Span } from '../model/review.ts'
import { diffWords, tokens } from './words.ts'

const seed = Number(process.env.FC_SEED ?? 20261130)
console.log(`fast-check seed ${seed}`)
const check = (property: fc.IProperty<unknown>) => fc.assert(property, { seed, numRuns: 400 })

const piece = fc.constantFrom(
  'the',
  'pool',
  'ceiling',
  ' ',
  '  ',
  '\n',
  '40',
  '1.000',
  ',',
  '.',
  'é',
  '池',
  '👩‍💻',
  "don't",
  '\ud83d',
)
const text = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((p) => p.join('')),
  fc.string({ unit: 'binary' }),
)
const join = (spans: readonly Span[]) => spans.map((span) => span.text).join('')
const only = (spans: readonly Span[], op: Span['op']) => spans.filter((s) => s.op === op).map((s) => s.text)
const marked = (spans: readonly Span[]) => spans.map((s) => (s.op === 'equal' ? s.text : `[${s.text}]`)).join('')

describe('tokens', () => {
  it('keeps every character', () => {
    check(fc.property(text, (t) => tokens(t).join('') === t))
  })

  it('cuts words, numbers, blanks and signs as a reader would', () => {
    expect(tokens("don't raise 1.000, été!")).toEqual(["don't", ' ', 'raise', ' ', '1.000', ',', ' ', 'été', '!'])
    expect(tokens('連絡先 ok')).toEqual(['連', '絡', '先', ' ', 'ok'])
    expect(tokens('👩‍💻👍🏽')).toEqual(['👩‍💻', '👍🏽'])
    expect(tokens('a\r\nb')).toEqual(['a', '\r\n', 'b'])
  })
})

describe('diffWords', () => {
  it('gives both sides back, with the same equal text on each', () => {
    check(
      fc.property(text, text, (from, to) => {
        const { before, after } = diffWords(from, to)
        expect(join(before)).toBe(from)
        expect(join(after)).toBe(to)
        expect(only(before, 'equal').join('')).toBe(only(after, 'equal').join(''))
        expect(before.every((s) => s.op !== 'insert' && s.text !== '')).toBe(true)
        expect(after.every((s) => s.op !== 'delete' && s.text !== '')).toBe(true)
      }),
    )
  })

  it('shows only what changed', () => {
    const { before, after } = diffWords('the pool ceiling is 40', 'the pool ceiling is 60')
    expect(marked(before)).toBe('the pool ceiling is [40]')
    expect(marked(after)).toBe('the pool ceiling is [60]')
    expect(marked(diffWords('confidence 1.000', 'confidence 0.920').after)).toBe('confidence [0.920]')
  })

  it('makes no confetti of blanks and short words', () => {
    expect(marked(diffWords('one two three', 'four five six').before)).toBe('[one two three]')
    const { before } = diffWords(
      'Deploys are frozen from Thursday to the Monday after a release.',
      'Our builds stay green since a bot of the team watches every push.',
    )
    expect(before.filter((s) => s.op === 'delete')).toHaveLength(1)
  })

  it('is quick on a huge single line', () => {
    const words = Array.from({ length: 200_000 }, (_, i) => `w${i}`)
    const changed = [...words]
    changed[100_000] = 'other'
    const { before, after } = diffWords(words.join(' '), changed.join(' '))
    expect(only(before, 'delete')).toEqual(['w100000'])
    expect(only(after, 'insert')).toEqual(['other'])
  })
})
