import { withTrailers, writeCommit } from '../git/commit.ts'
import { NO_FOLLOW, undoRef } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { OperationRow } from '../store/operations.ts'
import { mergeCommits } from './merge.ts'
import type { Situation } from './situation.ts'
import { trunkTrees, type UndoAnswer } from './undoPlan.ts'

/**
 * Takes a night back from a trunk that others wrote on since: one commit on trunk, merged three-way with the approved
 * tip as base, trunk as ours and the old trunk as theirs. Conflicts are the refusal `unresolved`.
 */
export async function revertPlan(
  operation: RunningOperation,
  situation: Situation,
  row: OperationRow,
): Promise<UndoAnswer> {
  const { git } = operation
  const { trunk, config } = situation
  const [before, approved] = [row.from, row.to] as [string, string]
  const now = operation.ports.clock()
  const { trusted } = operation
  const commit = (tree: string, parents: readonly string[], message: string) =>
    writeCommit({ git, config, now, trusted }, { tree, parents, message })
  // git takes the merge base from the parents, so two commits that nobody will see stand on the wanted base.
  const [ours, theirs] = await Promise.all([
    commit(`${trunk.oid}^{tree}`, [approved], 'ours'),
    commit(`${before}^{tree}`, [approved], 'theirs'),
  ])
  const merged = await mergeCommits(operation.reading, config, ours, theirs)
  if (!merged || merged.conflicts.length > 0)
    return { refusal: { refusal: 'unresolved', conflicts: [...(merged?.conflicts ?? [])] } }
  const text = `Revert ${row.branch}\n\nTakes back what ${approved} brought; later changes stay.`
  const to = await commit(
    merged.tree,
    [trunk.oid],
    withTrailers(text, [
      ['Daybreak-Operation', operation.id],
      ['Daybreak-Reverts', row.id],
    ]),
  )
  const trees = trunkTrees(situation, to, row)
  if ('refusal' in trees) return trees
  return {
    how: 'revert',
    restoredAs: null,
    from: trunk.oid,
    to,
    plan: {
      refs: [
        { ref: trunk.ref, old: trunk.oid, new: to },
        { ref: undoRef(operation.id), old: null, new: trunk.oid },
      ],
      trees,
      heads: [],
      ...situation.home,
      trusted: operation.trusted,
      // Rows that others have written since stay as they are, and history says so: they are no reason to keep the night.
      follow: {
        ...NO_FOLLOW,
        restoreRowsOf: row.id,
        forgetDeclinedOf: row.branch,
        run: { runId: row.branch, status: 'abandoned', headSha: null },
        undoes: row.id,
      },
      facts: { of: row.id, how: 'revert', restoredAs: null },
    },
  }
}
