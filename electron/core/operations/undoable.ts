import type { HistoryEntry } from '../../../shared/model/index.ts'
import { canReopen } from '../conflicts/settle/reopen.ts'
import type { RepositoryContext } from '../context.ts'
import { isAncestor } from '../git/mergeBase.ts'
import type { OperationRow } from '../store/operations.ts'

/** What Undo would do now: `revert` where trunk has moved on since an approval. */
export async function undoOf(
  repo: Pick<RepositoryContext, 'git' | 'repository'>,
  row: OperationRow,
  trunk: string | null,
): Promise<HistoryEntry['undo']> {
  if (row.stage !== 'done' || row.undoneBy !== null) return null
  if (row.verb === 'abort') return 'undo'
  if (row.verb === 'resolve') return (await canReopen(repo, row).catch(() => false)) ? 'undo' : null
  if (row.verb !== 'approve' || row.to === null || row.from === row.to || trunk === null) return null
  if (row.to === trunk) return 'undo'
  return (await isAncestor(repo.git, row.to, trunk).catch(() => false)) ? 'revert' : null
}
