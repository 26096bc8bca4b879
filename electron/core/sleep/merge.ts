import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigEntry } from '../git/drivers.ts'
import { mergeBase } from '../git/mergeBase.ts'
import { type MergeTreeOptions, mergeTree } from '../git/mergeTree.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import type { Git } from '../git/process.ts'
import { type TreeEntry, touchedPaths } from '../git/touched.ts'
import { atOnce } from '../operations/atOnce.ts'

export interface Merged {
  readonly tree: string
  /** Paths that could not be settled; sorted. With any, `tree` is of no use. */
  readonly conflicts: readonly string[]
  /** Paths that both sides changed. */
  readonly both: readonly string[]
}

/**
 * Merges two commits in memory. No driver of the repository runs; a path whose attribute names a driver that is
 * literally `true` ("keep ours") gets our side's entry, which is what that driver would do. Null: no common history.
 * `scratch`: only the paths are wanted, and nothing is written into the repository.
 */
export async function mergeCommits(
  git: Git,
  config: readonly ConfigEntry[],
  ours: string,
  theirs: string,
  scratch?: MergeTreeOptions['scratch'],
): Promise<Merged | null> {
  const base = await mergeBase(git, ours, theirs)
  if (base === null) return null
  const result = await mergeTree(git, ours, theirs, scratch ? { scratch } : {})
  const [mine, other] = await Promise.all([touchedPaths(git, base, ours), touchedPaths(git, base, theirs)])
  const myEntries = new Map(mine.map((one) => [one.path, one.new]))
  const both = other.filter((one) => myEntries.has(one.path)).map((one) => one.path)
  const conflicts = new Set(result.conflicts.keys())
  const keep = await keptOurs(git, config, ours, [...new Set([...both, ...conflicts])], (path) => myEntries.get(path))
  if (keep.length === 0) return { tree: result.tree, conflicts: [...conflicts].sort(), both }
  for (const { path } of keep) conflicts.delete(path)
  if (scratch) return { tree: result.tree, conflicts: [...conflicts].sort(), both }
  const tree = await withPrivateTree(git, result.tree, async (open) => {
    await open.set(keep)
    return open.write()
  })
  return { tree, conflicts: [...conflicts].sort(), both }
}

/** How many answers are kept. */
const KEPT = 32
const known = new Map<string, Promise<string[] | null>>()

/**
 * The paths that merging two commits could not settle, found without writing anything into the repository. Asked once
 * for each pair. Null: no common history.
 */
export function conflictsBetween(
  git: Git,
  config: readonly ConfigEntry[],
  commonDir: string,
  ours: string,
  theirs: string,
): Promise<string[] | null> {
  const key = [commonDir, ours, theirs, ...keepingDrivers(config)].join('\0')
  const asked = known.get(key) ?? merging(() => inScratch(git, config, commonDir, ours, theirs))
  known.delete(key)
  known.set(key, asked)
  // A failure is told once and tried anew the next time.
  asked.catch(() => known.delete(key))
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return asked
}

/** Many nights behind a moved trunk must not be merged all together. */
const merging = atOnce(2)

async function inScratch(git: Git, config: readonly ConfigEntry[], commonDir: string, ours: string, theirs: string) {
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-merge-'))
  try {
    const merged = await mergeCommits(git, config, ours, theirs, { folder, commonDir })
    return merged === null ? null : [...merged.conflicts]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Names of the merge drivers that are literally `true`. */
const keepingDrivers = (config: readonly ConfigEntry[]): Set<string> =>
  new Set(
    config.flatMap((entry) => {
      const name = /^merge\.(.+)\.driver$/s.exec(entry.key)?.[1]
      return name !== undefined && entry.value.trim() === 'true' ? [name] : []
    }),
  )

/** Which of these paths keep our side, with the entry that it has. A path that we deleted is left to the merge. */
async function keptOurs(
  git: Git,
  config: readonly ConfigEntry[],
  ours: string,
  paths: readonly string[],
  entryOf: (path: string) => TreeEntry | null | undefined,
): Promise<{ path: string; entry: TreeEntry }[]> {
  const drivers = keepingDrivers(config)
  if (drivers.size === 0 || paths.length === 0) return []
  const attributes = await withPrivateTree(git, ours, (open) => open.attributes('merge', paths))
  return paths.flatMap((path) => {
    const [driver, entry] = [attributes.get(path), entryOf(path)]
    return driver !== undefined && drivers.has(driver) && entry ? [{ path, entry }] : []
  })
}
