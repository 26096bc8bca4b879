import { AppError } from '../../../shared/errors/index.ts'
import type { AbortOutcome, Refusal } from '../../../shared/model/index.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { LOCAL } from '../git/refs.ts'
import { holdersOf } from '../git/worktrees.ts'
import { followUp, readMarks } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { type HeadMove, keptRef, NO_FOLLOW, type Plan, type TreeMove } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { ROUNDS } from '../operations/verb.ts'
import { runIdOf } from './runId.ts'
import { readRunState } from './runState.ts'
import { holdersSignature, readSituation, type Situation, usableHolders } from './situation.ts'

const no = (refusal: Refusal): AbortOutcome => ({ aborted: false, refusal })

/**
 * Removes a sleep branch and applies nothing. A worktree that holds it goes over to trunk, or is detached at trunk's
 * commit where another one has trunk checked out. The tip stays at a ref of the operation.
 */
export async function abort(
  operation: RunningOperation,
  input: { readonly branch: string; readonly tip?: string },
): Promise<AbortOutcome> {
  const { repo, ports } = operation
  for (let round = 1; ; round++) {
    const situation = await readSituation(repo)
    const run = await readRunState(situation, input.branch)
    if (run.state === 'no') return no(run.refusal)
    const { tip } = run
    if (tip === null) return no({ refusal: 'branch-gone', branch: input.branch, merged: true })
    if (input.tip !== undefined && input.tip !== tip)
      throw new AppError('ERR_NO_SUCH_BRANCH', { branch: `${input.branch} at ${input.tip}` })
    const plan = abortPlan(operation, situation, tip, run.state === 'merged')
    if ('refusal' in plan) return no(plan.refusal)
    const branches = [situation.trunk.branch, input.branch]
    const before = holdersSignature(situation.checkouts, branches)
    const discarded =
      run.state === 'merged'
        ? 0
        : (await readMarks(repo, await runIdOf(repo, input.branch, run.state === 'open' ? run.base : null, tip), tip))
            .length
    const moved = await moveByPlan(operation, plan, {
      config: situation.config,
      ignoreCase: situation.ignoreCase,
      whole: true,
      stillFits: async () =>
        holdersSignature(await readCheckouts(repo.git, repo.repository, situation.config), branches) === before,
    })
    if (!moved.moved && moved.refusal) return no(moved.refusal)
    if (moved.moved) {
      await followUp({ repo, ports, git: operation.git, fault: operation.fault }, operation, plan)
      return { aborted: true, operationId: operation.id, branch: input.branch, tip, marksDiscarded: discarded }
    }
    if (round === ROUNDS) throw new AppError('ERR_NO_SUCH_BRANCH', { branch: `${input.branch} at ${tip}` })
  }
}

function abortPlan(
  operation: RunningOperation,
  situation: Situation,
  tip: string,
  merged: boolean,
): Plan | { readonly refusal: Refusal } {
  const { trunk, checkouts } = situation
  const { branch } = operation
  const ref = LOCAL + branch
  const usable = usableHolders(checkouts, branch)
  if (usable.refusal) return usable
  const trees: TreeMove[] = []
  const heads: HeadMove[] = []
  let trunkIsFree = holdersOf(checkouts, trunk.branch).length === 0
  for (const one of usable.holders) {
    trees.push({ worktree: one.path, gitDir: one.gitDir, from: tip, to: trunk.oid, guard: null })
    const to = trunkIsFree ? { ref: trunk.ref } : { detachedAt: trunk.oid }
    heads.push({ worktree: one.path, gitDir: one.gitDir, fromRef: ref, to })
    trunkIsFree = false
  }
  return {
    refs: [
      { ref, old: tip, new: null },
      { ref: keptRef(operation.id), old: null, new: tip },
      // The files go to what trunk is now: it must not move meanwhile.
      ...(trees.length > 0 ? [{ ref: trunk.ref, old: trunk.oid, new: trunk.oid }] : []),
    ],
    trees,
    heads,
    ...situation.home,
    trusted: operation.trusted,
    follow: { ...NO_FOLLOW, run: merged ? null : { runId: branch, status: 'abandoned', headSha: null } },
    facts: { tip },
  }
}
