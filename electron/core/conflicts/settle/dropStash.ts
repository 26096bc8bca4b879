import type { ConflictSet, ProceedOutcome } from '../../../../shared/model/index.ts'
import { undoRef } from '../../operations/plan.ts'
import { rowOf } from '../../operations/row.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { recordOperation } from '../../store/operations.ts'
import { headOf, operationName, unmergedPaths } from './gitsOperation.ts'
import type { SettlePlace } from './place.ts'
import { failed, no } from './runGit.ts'

/** Drops the stash whose conflicts were resolved: only on this very act, and kept at the operation's undo ref. */
export async function dropStash(
  operation: RunningOperation,
  place: SettlePlace,
  set: ConflictSet,
): Promise<ProceedOutcome> {
  const { repo, id, ports } = operation
  const unmerged = await unmergedPaths(place.reading)
  if (unmerged.length > 0) return no({ refusal: 'unresolved', conflicts: unmerged })
  const found = await place.reading.run(['rev-parse', '-q', '--verify', 'refs/stash'], { ok: [0, 1, 128] })
  const stash = found.stdout.toString('latin1').trim()
  if (stash === '' || (set.theirs.oid !== null && set.theirs.oid !== stash))
    return no(failed(operationName.stash, 'the newest stash is another one; it is kept'))
  await place.reading.run(['update-ref', undoRef(id), stash, '0'.repeat(stash.length)])
  operation.fault('stash kept')
  // A branch may be called stash too.
  await place.git.run(['stash', 'drop', '-q', 'refs/stash@{0}'])
  const head = await headOf(place.reading)
  recordOperation(repo.state, {
    ...rowOf(operation),
    endedAt: ports.clock().toISOString(),
    stage: 'done',
    from: head,
    to: head,
    plan: null,
    outcome: { operation: 'stash', stash },
  })
  return { done: true, operationId: id, ended: true, to: head }
}
