import { diffTrees, type RawChange } from './diffTree.ts'
import { mergeBase } from './mergeBase.ts'
import type { Git } from './process.ts'

/** What a branch changes since it left trunk. */
export interface NightDiff {
  /** Merge base with trunk; null where there is none, then everything at the tip is new. */
  readonly base: string | null
  readonly changes: readonly RawChange[]
}

/** How many are kept for one repository. */
const KEPT = 12
const caches = new WeakMap<Git, Map<string, Promise<NightDiff>>>()

/** The diff from the merge base to the tip, asked once for each pair: it never changes. */
export function nightDiff(git: Git, trunk: string | null, tip: string): Promise<NightDiff> {
  const cache = caches.get(git) ?? new Map<string, Promise<NightDiff>>()
  caches.set(git, cache)
  const key = `${trunk} ${tip}`
  const known = cache.get(key)
  cache.delete(key)
  const value = known ?? ask(git, trunk, tip)
  cache.set(key, value)
  // A failure is told once and tried anew the next time.
  if (!known) value.catch(() => cache.delete(key))
  for (const old of [...cache.keys()].slice(0, Math.max(0, cache.size - KEPT))) cache.delete(old)
  return value
}

async function ask(git: Git, trunk: string | null, tip: string): Promise<NightDiff> {
  const base = trunk === null ? null : await mergeBase(git, trunk, tip)
  return { base, changes: base === tip ? [] : await diffTrees(git, base, tip) }
}
