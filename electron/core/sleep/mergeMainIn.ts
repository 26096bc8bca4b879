import type { Refusal } from '../../../shared/model/index.ts'
import { withTrailers, writeCommit } from '../git/commit.ts'
import { blobsOf } from '../git/mergeTree.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import { type TreeEntry, treePaths } from '../git/touched.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { Approvable } from './approvable.ts'
import { type Merged, mergeCommits } from './merge.ts'

/** What becomes of the paths that could not be settled; null removes one. */
export type SettledPaths =
  | { readonly entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[] }
  | { readonly refusal: Refusal }

/** Settles what merging trunk (ours) into a branch (theirs) left in conflict. */
export type SettleConflicts = (found: Approvable, merged: Merged) => Promise<SettledPaths>

/**
 * The commit that merges trunk into the branch: parents trunk, then the branch, so that trunk's first-parent line
 * keeps every version. Nothing refers to it yet.
 */
export async function mergeMainIn(
  operation: RunningOperation,
  found: Approvable,
  settle?: SettleConflicts,
): Promise<{ readonly commit: string; readonly both: readonly string[] } | { readonly refusal: Refusal }> {
  const { git, branch } = operation
  const { situation, run, facts } = found
  const { trunk, config } = situation
  const merged = await mergeCommits(operation.reading, config, trunk.oid, run.tip)
  // Without a common history every path that both have is in conflict.
  if (!merged) return { refusal: { refusal: 'unresolved', conflicts: [...facts.overlap] } }
  let { tree } = merged
  if (merged.conflicts.length > 0) {
    if (!settle) return { refusal: collision(merged) }
    const settled = await settle(found, merged)
    if ('refusal' in settled) return settled
    const written = await writeSettled(operation, merged.tree, settled.entries)
    if ('refusal' in written) return written
    tree = written.tree
  }
  const message = withTrailers(`Bring ${trunk.branch} into ${branch}`, [
    ['Daybreak-Operation', operation.id],
    ['Daybreak-Brings-In', trunk.oid],
  ])
  const commit = await writeCommit(
    { git, config, now: operation.ports.clock(), trusted: operation.trusted },
    { tree, parents: [trunk.oid, run.tip], message },
  )
  return { commit, both: merged.both }
}

/** Every path in conflict with both blobs, read from the stages. Here trunk is merged with the branch: stage 2 is trunk's. */
function collision({ conflicts, stages }: Merged): Refusal {
  const blobs = conflicts.map((path) => {
    const { ours: brought, theirs: moved } = blobsOf(stages.get(path) ?? [])
    return { path, ours: moved, theirs: brought }
  })
  return { refusal: 'unresolved', conflicts: [...conflicts], blobs }
}

/** The merged tree with these entries. Refused where a file and a folder of one name would both have to be there. */
async function writeSettled(
  { git }: RunningOperation,
  merged: string,
  entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[],
): Promise<{ readonly tree: string } | { readonly refusal: Refusal }> {
  const tree = await withPrivateTree(git, merged, async (open) => {
    await open.set(entries)
    return open.write()
  })
  // Git silently drops one of the two.
  const paths = new Set(await treePaths(git, tree))
  const wanted = entries.flatMap(({ path, entry }) => (entry === null ? [] : [path]))
  const lost = [...new Set([...wanted, ...(await treePaths(git, merged))])].filter(
    (path) => !paths.has(path) && !entries.some((one) => one.path === path && one.entry === null),
  )
  if (lost.length === 0) return { tree }
  const clashes = lost.map((file) => ({ file, inside: [...paths].find((one) => meets(one, file)) ?? file }))
  return { refusal: { refusal: 'path-clash', clashes } }
}

const meets = (a: string, b: string): boolean => a.startsWith(`${b}/`) || b.startsWith(`${a}/`)
