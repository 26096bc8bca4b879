import type { Sliced } from './drive.ts'
import { Comparer, type Comparison } from './lcs/compare.ts'
import type { Limits } from './lcs/steps.ts'

export type { Comparison, Limits }

/** Smaller than those of a merge: no box takes much longer than a slice may. */
export const LIMITS: Limits = { search: 300_000, words: 500_000, total: 40_000_000 }

/** Inner steps between two yields: about a millisecond. */
const SLICE = 300_000

/** Compares two sequences of ids in slices: a longest common subsequence, bounded. */
export function* compareIds(a: Int32Array, b: Int32Array, limits: Limits = LIMITS): Sliced<Comparison> {
  let most = -1
  for (let i = 0; i < a.length; i++) if ((a[i] as number) > most) most = a[i] as number
  for (let j = 0; j < b.length; j++) if ((b[j] as number) > most) most = b[j] as number
  yield
  const comparer = new Comparer(a, b, most + 1, limits)
  while (!comparer.run(SLICE)) yield
  return comparer
}
