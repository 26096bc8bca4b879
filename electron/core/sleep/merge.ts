import type { ConfigEntry } from '../git/drivers.ts'
import { mergeBase } from '../git/mergeBase.ts'
import { mergeTree } from '../git/mergeTree.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import type { Git } from '../git/process.ts'
import { type TreeEntry, touchedPaths } from '../git/touched.ts'

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
 */
export async function mergeCommits(
  git: Git,
  config: readonly ConfigEntry[],
  ours: string,
  theirs: string,
): Promise<Merged | null> {
  const base = await mergeBase(git, ours, theirs)
  if (base === null) return null
  const result = await mergeTree(git, ours, theirs)
  const [mine, other] = await Promise.all([touchedPaths(git, base, ours), touchedPaths(git, base, theirs)])
  const myEntries = new Map(mine.map((one) => [one.path, one.new]))
  const both = other.filter((one) => myEntries.has(one.path)).map((one) => one.path)
  const conflicts = new Set(result.conflicts.keys())
  const keep = await keptOurs(git, config, ours, [...new Set([...both, ...conflicts])], (path) => myEntries.get(path))
  if (keep.length === 0) return { tree: result.tree, conflicts: [...conflicts].sort(), both }
  const tree = await withPrivateTree(git, result.tree, async (open) => {
    await open.set(keep)
    return open.write()
  })
  for (const { path } of keep) conflicts.delete(path)
  return { tree, conflicts: [...conflicts].sort(), both }
}

/** Which of these paths keep our side, with the entry that it has. A path that we deleted is left to the merge. */
async function keptOurs(
  git: Git,
  config: readonly ConfigEntry[],
  ours: string,
  paths: readonly string[],
  entryOf: (path: string) => TreeEntry | null | undefined,
): Promise<{ path: string; entry: TreeEntry }[]> {
  const drivers = new Set(
    config.flatMap((entry) => {
      const name = /^merge\.(.+)\.driver$/s.exec(entry.key)?.[1]
      return name !== undefined && entry.value.trim() === 'true' ? [name] : []
    }),
  )
  if (drivers.size === 0 || paths.length === 0) return []
  const attributes = await withPrivateTree(git, ours, (open) => open.attributes('merge', paths))
  return paths.flatMap((path) => {
    const [driver, entry] = [attributes.get(path), entryOf(path)]
    return driver !== undefined && drivers.has(driver) && entry ? [{ path, entry }] : []
  })
}
