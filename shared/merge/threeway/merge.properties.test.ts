import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputs, longestCommon, SEED } from '../../../e2e/support/mergeInputs.ts'
import { LineIds } from '../bytes/lineIds.ts'
import { concatBytes, latin1 } from '../bytes/ranges.ts'
import { editsOf } from '../edit.ts'
import { compareWhole } from '../lcs/compare.ts'
import { slide } from '../lcs/slide.ts'
import { type Limits, TINY_LIMITS } from '../lcs/steps.ts'
import { chunksOf } from './chunks.ts'
import { decidedBytes } from './decide.ts'
import { type Merge, type MergeInput, type MergeOptions, merge } from './merge.ts'
import type { Region } from './regions.ts'
import { markedText } from './render.ts'
import { bytesOf } from './side.ts'

console.log(`fast-check seed ${SEED}`)
const check = <T>(arbitrary: fc.Arbitrary<T>, test: (value: T) => void, numRuns = 150) =>
  fc.assert(fc.property(arbitrary, test), { seed: SEED, numRuns })

/** The configurations under which the properties must hold: exact, bit-parallel at once, and every fall-back forced. */
const BITS: Limits = { search: 0, words: 20_000_000, total: 120_000_000 }
const ANCHORS: Limits = { search: 0, words: 0, total: 120_000_000 }
const CONFIGS: readonly [string, MergeOptions][] = [
  ['as it is', {}],
  ['bit-parallel', { limits: BITS }],
  ['anchors', { limits: ANCHORS }],
  ['tiny', { limits: TINY_LIMITS }],
  ['touching is clean', { touching: 'clean' }],
]

const text = (bytes: Uint8Array) => latin1(bytes)
const splitLines = (bytes: Uint8Array) => text(bytes).match(/[^\n]*\n|[^\n]+/g) ?? []
const SIDES = ['base', 'ours', 'theirs'] as const

/** Ids of the lines of two texts. */
function idsOf({ base, ours }: MergeInput) {
  const lines = new LineIds(8)
  const a = lines.add(base)
  return { a: a.ids, b: lines.add(ours, 0, ours.length, a).ids, count: lines.count }
}

const linesAre = (merged: Merge, region: Region, x: (typeof SIDES)[number], y: (typeof SIDES)[number]) =>
  text(bytesOf(merged[x], region[x])) === text(bytesOf(merged[y], region[y]))

describe('line ids', () => {
  it('(a) are equal exactly when the bytes are', () => {
    check(inputs, ({ base, ours, theirs }) => {
      const numbers = new LineIds(4)
      const first = numbers.add(base)
      const all = [first, numbers.add(ours, 0, ours.length, first), numbers.add(theirs)]
      const known = new Map<string, number>()
      for (const lines of all) {
        const expected = splitLines(lines.bytes)
        expect(lines.ids).toHaveLength(expected.length)
        for (const [i, line] of expected.entries()) {
          expect(text(lines.bytes.subarray(lines.starts[i], lines.starts[i + 1]))).toBe(line)
          expect(known.get(line) ?? lines.ids[i]).toBe(lines.ids[i])
          known.set(line, lines.ids[i] as number)
        }
      }
      expect(new Set(known.values()).size).toBe(known.size)
      expect(numbers.count).toBe(known.size)
    })
  })
})

describe('comparison', () => {
  for (const [name, limits] of [
    ['exact', undefined],
    ['bit-parallel', BITS],
    ['anchors', ANCHORS],
    ['tiny', TINY_LIMITS],
  ] as const) {
    it(`(b) (c) rebuilds both sides, and keeps the most lines where exact: ${name}`, () => {
      check(inputs, (input) => {
        const { a, b, count } = idsOf(input)
        const found = compareWhole(a, b, count, limits)
        const kept = () => a.length - found.oldChanged.reduce((sum, flag) => sum + flag, 0)
        const rebuilds = () => {
          const old = [...a].filter((_, i) => found.oldChanged[i] === 0)
          expect([...b].filter((_, i) => found.newChanged[i] === 0)).toEqual(old)
          let at = 0
          const out: number[] = []
          for (const edit of editsOf(found.oldChanged, found.newChanged)) {
            out.push(...a.slice(at, edit.oldStart), ...b.slice(edit.newStart, edit.newEnd))
            at = edit.oldEnd
          }
          expect([...out, ...a.slice(at)]).toEqual([...b])
        }
        rebuilds()
        const before = kept()
        if (found.exact) expect(before).toBe(longestCommon(a, b))
        slide(a, found.oldChanged, b, found.newChanged)
        rebuilds()
        expect(kept()).toBe(before)
      })
    })
  }

  it('says exact for all but the limits that force a fall-back', () => {
    check(inputs, (input) => {
      const { a, b, count } = idsOf(input)
      expect(compareWhole(a, b, count).exact).toBe(true)
      expect(compareWhole(a, b, count, BITS).exact).toBe(true)
    })
  })
})

for (const [name, options] of CONFIGS) {
  describe(`merge: ${name}`, () => {
    const run = (input: MergeInput) => merge(input, options)

    it('(d) gives back the side that changed', () => {
      check(inputs, ({ base: b, ours: o }) => {
        for (const input of [
          { base: b, ours: o, theirs: b },
          { base: b, ours: b, theirs: o },
          { base: b, ours: o, theirs: o },
        ]) {
          const merged = run(input)
          expect(merged.conflicts).toHaveLength(0)
          expect(text(decidedBytes(merged, []).bytes)).toBe(text(o))
          for (const style of ['merge', 'diff3', 'zdiff3'] as const)
            expect(text(markedText(merged, { style }).bytes)).toBe(text(o))
        }
      })
    })

    it('(e) gives the same regions when the sides are swapped', () => {
      check(inputs, ({ base, ours, theirs }) => {
        const swapped: Record<string, string> = { ours: 'theirs', theirs: 'ours' }
        const back = run({ base, ours: theirs, theirs: ours }).regions.map((r) => ({
          kind: swapped[r.kind] ?? r.kind,
          base: r.base,
          ours: r.theirs,
          theirs: r.ours,
        }))
        expect(back).toEqual(run({ base, ours, theirs }).regions)
      })
    })

    it('(f) (g) covers the files in order, with each region of the kind it says', () => {
      check(inputs, (input) => {
        const merged = run(input)
        for (const side of SIDES) {
          let at = 0
          for (const region of merged.regions) {
            expect(region[side].start).toBe(at)
            expect(region[side].end).toBeGreaterThanOrEqual(at)
            at = region[side].end
          }
          expect(at).toBe(merged[side].lines)
          expect(at).toBe(splitLines(input[side]).length)
          const parts = merged.regions.map((region) => bytesOf(merged[side], region[side]))
          expect(text(concatBytes(parts))).toBe(text(input[side]))
        }
        for (const region of merged.regions) {
          const oursIsBase = linesAre(merged, region, 'ours', 'base')
          const theirsIsBase = linesAre(merged, region, 'theirs', 'base')
          const same = linesAre(merged, region, 'ours', 'theirs')
          if (region.kind === 'unchanged') expect([oursIsBase, theirsIsBase, same]).toEqual([true, true, true])
          if (region.kind === 'ours') expect(theirsIsBase).toBe(true)
          if (region.kind === 'theirs') expect(oursIsBase).toBe(true)
          if (region.kind === 'same') expect(same).toBe(true)
          // With an empty base a side may be nothing but what both begin or end with.
          if (region.kind === 'conflict' && input.base.length > 0)
            expect([oursIsBase, theirsIsBase, same]).toEqual([false, false, false])
        }
      })
    })

    it('(h) rebuilds a side from its own choices', () => {
      check(inputs, (input) => {
        const merged = run(input)
        for (const side of ['ours', 'theirs'] as const) {
          const other = side === 'ours' ? 'theirs' : 'ours'
          const parts = merged.regions.map((region) =>
            region.kind === other ? bytesOf(merged.base, region.base) : bytesOf(merged[side], region[side]),
          )
          expect(text(concatBytes(parts))).toBe(text(input[side]))
        }
      })
    })

    it('(i) shows zdiff3 conflicts within diff3 conflicts', () => {
      check(inputs, (input) => {
        const merged = run(input)
        const outer = chunksOf(merged, 'diff3')
        const inner = chunksOf(merged, 'zdiff3')
        expect(inner).toHaveLength(outer.length)
        for (const [i, chunk] of inner.entries())
          for (const side of SIDES) {
            expect(chunk[side].start).toBeGreaterThanOrEqual(outer[i]?.[side].start as number)
            expect(chunk[side].end).toBeLessThanOrEqual(outer[i]?.[side].end as number)
          }
      })
    })

    it('(j) is the same without trimming and without foretelling', () => {
      check(inputs, (input) => {
        const { regions, exact } = run(input)
        if (!exact) return
        expect(merge(input, { ...options, trim: false }).regions).toEqual(regions)
        expect(merge(input, { ...options, foretell: false }).regions).toEqual(regions)
        expect(merge(input, { ...options, trim: false, foretell: false }).regions).toEqual(regions)
      })
    })

    it('(l) agrees with itself', () => {
      check(inputs, (input) => void expect(run(input).regions).toEqual(run(input).regions), 50)
    })
  })
}

describe('marked text', () => {
  it('leaves alone what no conflict touches, in every style', () => {
    check(inputs, (input) => {
      const merged = merge(input)
      for (const style of ['diff3', 'zdiff3'] as const) {
        const { bytes, conflicts } = markedText(merged, { style, labels: { ours: 'o', base: 'b', theirs: 't' } })
        expect(conflicts).toBe(merged.conflicts.length)
        if (conflicts === 0) expect(text(bytes)).toBe(text(decidedBytes(merged, []).bytes))
      }
      const favoured = text(markedText(merged, { style: 'diff3', favor: 'ours' }).bytes)
      const decided = decidedBytes(
        merged,
        merged.conflicts.map(() => ({ take: 'ours' })),
      )
      expect(favoured).toBe(text(decided.bytes))
    })
  })
})
