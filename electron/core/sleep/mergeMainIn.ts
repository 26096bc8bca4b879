import type { Refusal } from '../../../shared/model/index.ts'
import { withTrailers, writeCommit } from '../git/commit.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { Approvable } from './approvable.ts'
import { mergeCommits } from './merge.ts'

/**
 * The commit that merges trunk into the branch: parents trunk, then the branch, so that trunk's first-parent line
 * keeps every version. Nothing refers to it yet.
 */
export async function mergeMainIn(
  operation: RunningOperation,
  found: Approvable,
): Promise<{ readonly commit: string; readonly both: readonly string[] } | { readonly refusal: Refusal }> {
  const { git, branch } = operation
  const { situation, run, facts } = found
  const { trunk, config } = situation
  const merged = await mergeCommits(operation.reading, config, trunk.oid, run.tip)
  // Without a common history every path that both have is in conflict.
  if (!merged) return { refusal: { refusal: 'unresolved', conflicts: [...facts.overlap] } }
  if (merged.conflicts.length > 0) return { refusal: { refusal: 'unresolved', conflicts: [...merged.conflicts] } }
  const message = withTrailers(`Bring ${trunk.branch} into ${branch}`, [
    ['Daybreak-Operation', operation.id],
    ['Daybreak-Brings-In', trunk.oid],
  ])
  const commit = await writeCommit(
    { git, config, now: operation.ports.clock(), trusted: operation.trusted },
    { tree: merged.tree, parents: [trunk.oid, run.tip], message },
  )
  return { commit, both: merged.both }
}
