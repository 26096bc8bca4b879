import type { ApproveOutcome, MarksOutcome } from '../../../shared/model/index.ts'
import type { RunningOperation } from '../operations/running.ts'
import { NO_MARKS } from './approvable.ts'
import { finishMarks } from './finishMarks.ts'
import { type RunState, standingApproval } from './runState.ts'
import type { Situation } from './situation.ts'

/** The answer for a night that is on trunk already: a success that says so. Marks that still wait are applied now. */
export async function alreadyMerged(
  operation: RunningOperation,
  situation: Situation,
  run: Extract<RunState, { state: 'merged' }>,
): Promise<ApproveOutcome> {
  const approval = await standingApproval(situation, operation.branch)
  const outcome = approval?.outcome as
    | { marks?: MarksOutcome; leftOut?: string[]; stale?: string[]; commits?: number }
    | undefined
  const waits = outcome?.marks ? outcome.marks.failure !== null : run.row !== null && run.row.status !== 'merged'
  const marks = waits ? await finishMarks(operation, situation) : (outcome?.marks ?? NO_MARKS)
  const at = situation.trunk.oid
  return {
    approved: true,
    operationId: approval?.id ?? operation.id,
    branch: operation.branch,
    alreadyMerged: true,
    from: approval?.from ?? at,
    to: approval?.to ?? at,
    commits: outcome?.commits ?? 0,
    leftOut: outcome?.leftOut ?? [],
    stale: outcome?.stale ?? [],
    marks,
    branchRemoved: false,
    rounds: 0,
  }
}
