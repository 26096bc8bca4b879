import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HandedVersion } from '../../store/versions.ts'
import { type Numbered, numberChanges } from './numbering.ts'

const seed = Number(process.env.FC_SEED ?? 20261201)
console.log(`fast-check seed ${seed}`)

const line = (bytes: string): Numbered[] =>
  [...bytes].map((oid, at) => ({ commit: `c${at}`, oid: oid === '-' ? null : oid }))
const handed = (bytes: string): HandedVersion[] => line(bytes).map((one, at) => ({ ...one, version: at + 1 }))

describe('numbers', () => {
  it.each([
    ['nothing was handed out', 'abc', '', [1, 2, 3]],
    ['all was', 'abc', 'abc', [1, 2, 3]],
    ['some was', 'abc', 'a', [1, 2, 3]],
    ['the last was amended', 'ax', 'ab', [1, 3]],
    ['it was set back', 'a', 'abc', [1]],
    ['and went on', 'ax', 'abc', [1, 4]],
    ['the same bytes came again', 'abc', 'abx', [1, 2, 4]],
    ['one was dropped', 'ac', 'abc', [1, 3]],
    ['all was squashed', 'c', 'abc', [3]],
    ['bytes were there twice', 'aba', 'aba', [1, 2, 3]],
    ['they were reverted', 'aba', 'ab', [1, 2, 3]],
    ['it was deleted', 'a-b', 'a', [1, 2, 3]],
    ['the order was changed', 'ba', 'ab', [2, 3]],
  ])('where %s', (_, history, before, expected) => {
    expect(numberChanges(line(history), handed(before), 0)).toEqual(expected)
  })

  it('rise, never change once handed out, and never mean two things', () => {
    const history = fc.array(fc.constantFrom('a', 'b', 'c', 'd', null), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(history, { minLength: 1, maxLength: 8 }), (histories) => {
        const all: HandedVersion[] = []
        const told = new Map<string, number[]>()
        for (const oids of [...histories, ...histories]) {
          const changes = oids.map((oid, at) => ({ commit: `${oids.slice(0, at + 1)}`, oid }))
          const numbers = numberChanges(changes, all, 0)
          expect([...numbers].sort((a, b) => a - b)).toEqual(numbers)
          expect(new Set(numbers).size).toBe(numbers.length)
          changes.forEach((change, at) => {
            const version = numbers[at] as number
            const known = all.find((one) => one.version === version)
            if (known) expect(known.oid).toBe(change.oid)
            else {
              expect(version).toBe(all.length + 1)
              all.push({ ...change, version })
            }
          })
          const key = String(oids)
          expect(told.get(key) ?? numbers).toEqual(numbers)
          told.set(key, numbers)
          // Told from any change on, the rest gets the same numbers.
          numbers.forEach((before, at) => {
            const above = all.filter((one) => one.version > before)
            expect(numberChanges(changes.slice(at + 1), above, before)).toEqual(numbers.slice(at + 1))
          })
        }
      }),
      { seed, numRuns: 300 },
    )
  })
})
