import type { Mark, MarksOutcome } from '../../../shared/model/index.ts'
import { readMarks } from '../operations/followUp.ts'
import type { Plan } from '../operations/plan.ts'
import { rowOf } from '../operations/row.ts'
import type { RunningOperation } from '../operations/running.ts'
import { recordOperation, setOutcome } from '../store/operations.ts'
import { applyMarks, setRunStatus } from './marks.ts'
import { standingApproval } from './runState.ts'
import type { Situation } from './situation.ts'

/**
 * Applies the marks of a night that is on trunk; done twice it is as if done once. The ledger is read from the commit
 * that was approved, else from trunk. What the rows held before is kept with the approval, so that undoing it also
 * undoes this. Recorded as an act of its own.
 */
export async function finishMarks(operation: RunningOperation, situation: Situation): Promise<MarksOutcome> {
  const { repo, ports, branch } = operation
  const approval = await standingApproval(situation, branch)
  const plan = (approval?.plan ?? null) as Plan | null
  const commit = plan?.follow.marks?.commit ?? situation.trunk.oid
  const held: readonly Mark[] = plan?.follow.marks?.held ?? []
  const marks = await readMarks(repo, plan?.follow.marks?.run ?? branch, commit)
  const now = () => ports.clock().toISOString()
  const owner = approval?.id ?? operation.id
  const row = {
    ...rowOf(operation),
    verb: 'apply-marks' as const,
    from: null,
    to: null,
    plan: null,
  }
  // Rows are kept under an operation that must be there first.
  recordOperation(repo.state, { ...row, stage: 'failed', endedAt: now(), outcome: null })
  operation.fault('before marks')
  const outcome = applyMarks(repo.state, owner, situation.store, marks, held)
  operation.fault('marks applied')
  setRunStatus(repo.state, owner, situation.store, { runId: branch, status: 'merged', headSha: commit }, now())
  operation.fault('run row set')
  if (approval) setOutcome(repo.state, approval.id, { ...(approval.outcome as object), marks: outcome })
  operation.fault('outcome kept')
  recordOperation(repo.state, {
    ...row,
    stage: outcome.failure === null ? 'done' : 'failed',
    endedAt: now(),
    outcome: { marks: outcome },
  })
  return outcome
}
