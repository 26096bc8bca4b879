import fc from 'fast-check'
import { encodeText } from '../../shared/merge/bytes/text.ts'
import type { MergeInput } from '../../shared/merge/threeway/merge.ts'

/** Seed of the property tests; printed by them, set FC_SEED to repeat a run. */
export const SEED = Number(process.env.FC_SEED ?? 20261130)

/** Lines over alphabets of several sizes, with bytes that are no text. */
const line = (letters: number) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.nat({ max: letters - 1 }).map((n) => encodeText(n % 5 === 4 ? '' : `l${n}`)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        Uint8Array.of(0),
        Uint8Array.of(0, 0),
        Uint8Array.of(0xff, 0xfe),
        Uint8Array.of(13),
        encodeText('======='),
        encodeText('<<<<<<< ours'),
        encodeText('\ufeffl1'),
        encodeText('l'.repeat(300)),
      ),
    },
  )

interface Change {
  readonly at: number
  readonly drop: number
  readonly put: readonly Uint8Array[]
}

const changes = (letters: number) =>
  fc.array(
    fc.record({ at: fc.nat({ max: 40 }), drop: fc.nat({ max: 3 }), put: fc.array(line(letters), { maxLength: 3 }) }),
    { maxLength: 5 },
  )

function edited(lines: readonly Uint8Array[], list: readonly Change[]): Uint8Array[] {
  const out = [...lines]
  for (const { at, drop, put } of list) out.splice(at % (out.length + 1), drop, ...put)
  return out
}

function joined(lines: readonly Uint8Array[], ending: Uint8Array, last: boolean): Uint8Array {
  const parts = lines.flatMap((bytes, i) => (i < lines.length - 1 || last ? [bytes, ending] : [bytes]))
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

/** Three texts that come from one, with all kinds of line endings. */
export const inputs: fc.Arbitrary<MergeInput> = fc.constantFrom(1, 2, 3, 8, 50, 10_000).chain((letters) =>
  fc
    .record({
      base: fc.array(line(letters), { maxLength: 40 }),
      ours: changes(letters),
      theirs: changes(letters),
      endings: fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 3, maxLength: 3 }),
      mixed: fc.boolean(),
      last: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      unrelated: fc.integer({ min: 0, max: 9 }),
      other: fc.array(line(letters), { maxLength: 40 }),
    })
    .map(({ base, ours, theirs, endings, mixed, last, unrelated, other }) => {
      const ending = (i: number) => encodeText(endings[mixed ? i : 0] as string)
      return {
        base: joined(base, ending(0), last[0] === true),
        ours: joined(edited(base, ours), ending(1), last[1] === true),
        theirs: joined(unrelated === 0 ? other : edited(base, theirs), ending(2), last[2] === true),
      }
    }),
)

/** Length of a longest common subsequence, the slow and plain way. */
export function longestCommon(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let row = new Int32Array(b.length + 1)
  for (let i = 0; i < a.length; i++) {
    const next = new Int32Array(b.length + 1)
    for (let j = 0; j < b.length; j++)
      next[j + 1] = a[i] === b[j] ? (row[j] as number) + 1 : Math.max(row[j + 1] as number, next[j] as number)
    row = next
  }
  return row[b.length] as number
}
