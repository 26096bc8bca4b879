import { describe, expect, it } from 'vitest'
import { longestCommon } from '../../../e2e/support/mergeInputs.ts'
import { LineIds } from '../bytes/lineIds.ts'
import { encodeText } from '../bytes/text.ts'
import { Comparer, compareWhole } from './compare.ts'
import type { Limits } from './steps.ts'

/** Ids that look random, the same at every run. */
function random(length: number, letters: number, seed: number): Int32Array {
  let state = seed
  return Int32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 9) % letters
  })
}
const kept = (found: { readonly oldChanged: Uint8Array }) => found.oldChanged.filter((flag) => flag === 0).length

describe('comparison of long sequences', () => {
  const NO_SEARCH: Limits = { search: 0, words: 20_000_000, total: 120_000_000 }
  // Rows over lists of words, rows over all words, matching of few pairs; within one word and over many.
  for (const [n, m, letters] of [
    [3000, 3000, 150],
    [900, 1000, 3],
    [1000, 900, 400],
    [2000, 40, 2],
  ] as const)
    it(`is exact without the search: ${n} and ${m} elements of ${letters}`, () => {
      const a = random(n, letters, 1)
      const b = random(m, letters, 2)
      const found = compareWhole(a, b, letters, NO_SEARCH)
      expect(found.exact).toBe(true)
      expect(kept(found)).toBe(longestCommon(a, b))
      expect(b.filter((_, j) => found.newChanged[j] === 0)).toEqual(a.filter((_, i) => found.oldChanged[i] === 0))
      expect(kept(compareWhole(a, b, letters))).toBe(kept(found))
    })

  it('is bounded, and still right, where it cannot be exact', () => {
    const a = random(60_000, 4, 3)
    const b = random(60_000, 4, 4)
    const comparer = new Comparer(a, b, 4, { search: 20_000, words: 0, total: 2_000_000 })
    let slices = 0
    while (!comparer.run(100_000)) slices++
    expect(slices).toBeLessThan(100)
    expect(comparer.exact).toBe(false)
    expect(b.filter((_, j) => comparer.newChanged[j] === 0)).toEqual(a.filter((_, i) => comparer.oldChanged[i] === 0))
  })

  it('finds its way by runs of lines where none is unique', () => {
    const a = random(100_000, 4, 5)
    const b = a.filter((_, i) => i % 1000 !== 7)
    const found = compareWhole(a, b, 4, { search: 50_000, words: 0, total: 20_000_000 })
    expect(kept(found)).toBe(b.length)
  })
})

describe('LineIds', () => {
  it('does not take the beginning of a line for the last line of another text', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
    for (const [one, other] of [
      ['end', 'endless\n'],
      ['end', 'end\n'],
      ['end', 'end'],
    ] as const) {
      const ids = new LineIds(8)
      const near = ids.add(encodeText(lines + one))
      const found = ids.add(encodeText(lines + other), 0, undefined, near)
      expect(found.ids).toHaveLength(61)
      expect(found.ids[60] === near.ids[60]).toBe(one === (other as string))
      expect(found.starts[61]).toBe(lines.length + other.length)
    }
  })

  it('tells apart lines whose hash is the same, however many', () => {
    // Long lines are hashed by samples; these differ where no sample is taken.
    const long = (i: number) =>
      `${'x'.repeat(4096)}${'y'.repeat(8000)}${String(i).padStart(6, '0')}${'y'.repeat(200_000)}\n`
    const texts = Array.from({ length: 40 }, (_, i) => long(i)).join('')
    const ids = new LineIds(8)
    const first = ids.add(encodeText(texts))
    expect(ids.count).toBe(40)
    expect(ids.add(encodeText(texts)).ids).toEqual(first.ids)
    expect(ids.count).toBe(40)
  })
})
