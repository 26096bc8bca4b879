import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigEntry } from '../git/drivers.ts'
import { mergeBase } from '../git/mergeBase.ts'
import { type MergeStage, type MergeTreeOptions, mergeTree, scratchObjects } from '../git/mergeTree.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import type { Git } from '../git/process.ts'
import { type TreeEntry, touchedPaths } from '../git/touched.ts'
import { atOnce } from '../operations/atOnce.ts'
import { type Linking, linksTo } from './linking.ts'

export interface Merged {
  /** The commit that both come from. */
  readonly base: string
  readonly tree: string
  /** Paths that could not be settled; sorted. In `tree` they hold marked-up files. */
  readonly conflicts: readonly string[]
  /** What each of these paths has in base (1), ours (2) and theirs (3). */
  readonly stages: ReadonlyMap<string, readonly MergeStage[]>
  /** Paths that both sides changed. */
  readonly both: readonly string[]
}

/** What merging two commits could not settle, found without writing anything into the repository. */
export interface MergePreview extends Pick<Merged, 'base' | 'conflicts' | 'stages'> {
  /** Blobs that stages name and that the repository does not have: bases that were merged themselves. */
  readonly blobs: ReadonlyMap<string, Buffer>
  /** Which pages of the merged tree link to the paths in conflict. */
  readonly linking: Linking
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
  const stages = new Map(result.conflicts)
  const conflicts = new Set(stages.keys())
  const keep = await keptOurs(git, config, ours, [...new Set([...both, ...conflicts])], (path) => myEntries.get(path))
  for (const { path } of keep) {
    conflicts.delete(path)
    stages.delete(path)
  }
  const merged = { base, tree: result.tree, conflicts: [...conflicts].sort(), stages, both }
  if (keep.length === 0 || scratch) return merged
  const tree = await withPrivateTree(git, result.tree, async (open) => {
    await open.set(keep)
    return open.write()
  })
  return { ...merged, tree }
}

/** How many answers are kept. */
const KEPT = 48
const known = new Map<string, Promise<MergePreview | null>>()

/** What merging two commits could not settle. Asked once for each pair. Null: no common history. */
export function previewMerge(
  git: Git,
  config: readonly ConfigEntry[],
  commonDir: string,
  ours: string,
  theirs: string,
): Promise<MergePreview | null> {
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

/** Only the paths that merging two commits could not settle. Null: no common history. */
export async function conflictsBetween(
  git: Git,
  config: readonly ConfigEntry[],
  commonDir: string,
  ours: string,
  theirs: string,
): Promise<string[] | null> {
  const preview = await previewMerge(git, config, commonDir, ours, theirs)
  return preview === null ? null : [...preview.conflicts]
}

/** Many nights behind a moved trunk must not be merged all together. */
const merging = atOnce(2)

async function inScratch(
  git: Git,
  config: readonly ConfigEntry[],
  commonDir: string,
  ours: string,
  theirs: string,
): Promise<MergePreview | null> {
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-merge-'))
  try {
    const merged = await mergeCommits(git, config, ours, theirs, { folder, commonDir })
    if (merged === null) return null
    const { base, conflicts, stages } = merged
    const env = scratchObjects(folder, commonDir)
    const linking = await linksTo(git, { tree: merged.tree, env }, [...stages.keys()])
    const blobs = new Map<string, Buffer>()
    for (const { oid, mode } of [...stages.values()].flat()) {
      if (mode === '160000' || !existsSync(join(folder, oid.slice(0, 2), oid.slice(2)))) continue
      blobs.set(oid, (await git.run(['cat-file', 'blob', oid], { env })).stdout)
    }
    return { base, conflicts, stages, blobs, linking }
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
