import type { Review } from '../../../shared/model/review.ts'
import { operationsOfBranch } from '../store/operations.ts'
import type { StateDb } from '../store/stateDb.ts'

type Last = NonNullable<Review['gate']>['last']

/** How the gate ended when the branch was last refused for it, with the time; null where that was never the case. */
export function lastGate(state: StateDb, branch: string): Last {
  for (const row of operationsOfBranch(state, branch)) {
    if (row.verb !== 'approve' || row.stage !== 'refused' || row.endedAt === null) continue
    const outcome = row.outcome as { refusal?: unknown; reason?: unknown } | null
    if (outcome?.refusal === 'gate-failed' && outcome.reason !== 'cancelled') return { passed: false, at: row.endedAt }
  }
  return null
}
