import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds } from './compare.ts'
import { runWhole } from './drive.ts'
import { applyEdits, editsOf } from './edit.ts'
import { diffLines, diffLinesSliced, splitLines } from './lines.ts'

const seed = Number(process.env.FC_SEED ?? 20261130)
console.log(`fast-check seed ${seed}`)
const check = (property: fc.IProperty<unknown> | fc.IPropertyWithHooks<unknown>, runs = 400) =>
  fc.assert(property as fc.IProperty<unknown>, { seed, numRuns: runs })

const line = fc.constantFrom('a', 'b', 'c', '', ' a', '\r', 'x\u0000y', '=======', '😀', '\ud800')
const text = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, last]) => lines.join(end) + (last && lines.length > 0 ? end : ''))

/** Length of a longest common subsequence, the slow way. */
function longestCommon(a: readonly unknown[], b: readonly unknown[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const x of a) {
    const next = [0]
    for (let j = 0; j < b.length; j++)
      next.push(x === b[j] ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number))
    row = next
  }
  return row[b.length] as number
}

describe('splitLines', () => {
  it('keeps every character', () => {
    check(fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (t) => splitLines(t).join('') === t))
    expect(splitLines('')).toEqual([])
    expect(splitLines('a\r\nb')).toEqual(['a\r\n', 'b'])
    expect(splitLines('\n\n')).toEqual(['\n', '\n'])
  })
})

describe('diffLines', () => {
  it('gives the other side when it is applied, in both directions', () => {
    check(
      fc.property(text, text, (from, to) => {
        const { old, now, edits } = diffLines(from, to)
        expect(old.join('')).toBe(from)
        expect(applyEdits(old, edits, now).join('')).toBe(to)
        const back = edits.map((e) => ({
          oldStart: e.newStart,
          oldEnd: e.newEnd,
          newStart: e.oldStart,
          newEnd: e.oldEnd,
        }))
        expect(applyEdits(now, back, old).join('')).toBe(from)
      }),
    )
  })

  it('orders edits, keeps them apart and leaves equal lines between them', () => {
    check(
      fc.property(text, text, (from, to) => {
        const { old, now, edits } = diffLines(from, to)
        let i = 0
        let j = 0
        for (const [at, e] of edits.entries()) {
          expect(e.oldStart - i).toBe(e.newStart - j)
          if (at > 0) expect(e.oldStart).toBeGreaterThan(i)
          expect(old.slice(i, e.oldStart)).toEqual(now.slice(j, e.newStart))
          expect(e.oldEnd - e.oldStart + e.newEnd - e.newStart).toBeGreaterThan(0)
          i = e.oldEnd
          j = e.newEnd
        }
        expect(old.slice(i)).toEqual(now.slice(j))
      }),
    )
  })

  it('keeps as many lines as any diff could, where it says exact', () => {
    check(
      fc.property(text, text, (from, to) => {
        const { old, edits, now, exact } = diffLines(from, to)
        expect(exact).toBe(true)
        expect(old.length - edits.reduce((sum, e) => sum + e.oldEnd - e.oldStart, 0)).toBe(longestCommon(old, now))
      }),
    )
  })

  it('stays correct whatever the budget', () => {
    const ids = fc.array(fc.nat({ max: 5 }), { maxLength: 120 })
    check(
      fc.property(ids, ids, fc.nat({ max: 60 }), fc.nat({ max: 200 }), (a, b, search, total) => {
        const found = runWhole(compareIds(Int32Array.from(a), Int32Array.from(b), { search, words: search, total }))
        expect(applyEdits(a, editsOf(found.oldChanged, found.newChanged), b)).toEqual(b)
        const kept = a.filter((_, i) => !found.oldChanged[i])
        expect(kept).toEqual(b.filter((_, j) => !found.newChanged[j]))
        if (found.exact) expect(kept.length).toBe(longestCommon(a, b))
      }),
    )
  })

  it('finds nothing between equal texts and everything between unlike ones', () => {
    expect(diffLines('a\nb\n', 'a\nb\n').edits).toEqual([])
    expect(diffLines('', 'a\n').edits).toEqual([{ oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 1 }])
    expect(diffLines('a', 'a\n').edits).toEqual([{ oldStart: 0, oldEnd: 1, newStart: 0, newEnd: 1 }])
    expect(diffLines('a\n', 'a\r\n').edits).toHaveLength(1)
  })

  it('puts an added block where it reads best', () => {
    const old = 'f() {\n  a\n}\n\ng() {\n  b\n}\n'
    const now = 'f() {\n  a\n}\n\nnew() {\n  c\n}\n\ng() {\n  b\n}\n'
    const { edits, now: lines } = diffLines(old, now)
    expect(edits).toHaveLength(1)
    expect(lines.slice(edits[0]?.newStart, edits[0]?.newEnd).join('')).toBe('new() {\n  c\n}\n\n')
  })

  it('bounds the work on large inputs that share little', () => {
    const words = 'alpha beta gamma delta return self value item index config token parse'.split(' ')
    const make = (start: number) => {
      let state = start
      const next = () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0
        return words[(state >>> 16) % words.length]
      }
      return Array.from({ length: 20_000 }, next).join('\n')
    }
    let slices = 0
    const work = diffLinesSliced(make(1), make(2))
    let step = work.next()
    while (!step.done) {
      slices++
      step = work.next()
    }
    expect(slices).toBeGreaterThan(10)
    expect(step.value.exact).toBe(false)
    expect(applyEdits(step.value.old, step.value.edits, step.value.now)).toEqual(step.value.now)
  })
})
