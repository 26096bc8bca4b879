import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { undoResolve } from '../conflicts/settle/reopen.ts'
import type { CoreContext } from '../context.ts'
import { cancelOperation } from '../operations/running.ts'
import { runVerb } from '../operations/verb.ts'
import { abort } from '../sleep/abort.ts'
import { NO_MARKS } from '../sleep/approvable.ts'
import { approve } from '../sleep/approve.ts'
import { bringMainIn } from '../sleep/bringMainIn.ts'
import { finishMarks } from '../sleep/finishMarks.ts'
import { previewApproval } from '../sleep/preview.ts'
import { readRunState, standingApproval } from '../sleep/runState.ts'
import { readSituation } from '../sleep/situation.ts'
import { operationToUndo, undo } from '../sleep/undo.ts'

type Group =
  | 'sleep.preview'
  | 'sleep.bringMainIn'
  | 'sleep.approve'
  | 'sleep.abort'
  | 'sleep.applyMarks'
  | 'sleep.undo'
  | 'operation.cancel'

/** The verbs on sleep branches. Each runs in the repository's queue and is recorded in its history. */
export function sleepHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  return {
    'sleep.preview': ({ repoId, branch, except }) => previewApproval(core, core.repo(repoId), { branch, except }),
    'sleep.bringMainIn': ({ repoId, branch }, caller) =>
      runVerb(
        { core, repoId, verb: 'bring-main-in', branch, caller },
        (operation) => bringMainIn(operation),
        (outcome) => (outcome.brought ? null : outcome.refusal),
      ),
    'sleep.approve': ({ repoId, branch, except, bringMainIn: bring, tip }, caller) =>
      runVerb(
        { core, repoId, verb: 'approve', branch, caller },
        (operation) => approve(core, operation, { branch, except, bringMainIn: bring, ...(tip ? { tip } : {}) }),
        (outcome) => (outcome.approved ? null : outcome.refusal),
      ),
    'sleep.abort': ({ repoId, branch, tip }, caller) =>
      runVerb(
        { core, repoId, verb: 'abort', branch, caller },
        (operation) => abort(operation, { branch, ...(tip ? { tip } : {}) }),
        (outcome) => (outcome.aborted ? null : outcome.refusal),
      ),
    'sleep.applyMarks': ({ repoId, branch }, caller) =>
      runVerb(
        { core, repoId, verb: 'apply-marks', branch, caller },
        async (operation) => {
          const situation = await readSituation(operation.repo)
          const run = await readRunState(situation, branch)
          // The marks of a night that is not on trunk, and its row, are nobody's to touch.
          const marks =
            run.state === 'merged'
              ? await finishMarks(operation, situation)
              : { ...NO_MARKS, failure: `${branch} is not on ${situation.trunk.branch}` }
          return { branch, operationId: (await standingApproval(situation, branch))?.id ?? operation.id, marks }
        },
        () => null,
      ),
    'sleep.undo': async ({ repoId, operationId, revert }, caller) => {
      const { branch, verb } = operationToUndo({ repo: core.repo(repoId) }, operationId)
      if (verb === 'resolve')
        return runVerb(
          { core, repoId, verb: 'reopen', branch, caller },
          (operation) => undoResolve(operation, operationId),
          (outcome) => (outcome.undone ? null : outcome.refusal),
        )
      return runVerb(
        { core, repoId, verb: revert ? 'revert' : 'undo', branch, caller },
        (operation) => undo(operation, { operationId, revert }),
        (outcome) => (outcome.undone ? null : outcome.refusal),
      )
    },
    'operation.cancel': ({ operationId }) => ({ cancelled: cancelOperation(operationId) }),
  }
}
