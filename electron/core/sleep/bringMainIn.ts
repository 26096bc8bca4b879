import type { BringMainInOutcome, Refusal } from '../../../shared/model/index.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { LOCAL } from '../git/refs.ts'
import { followUp } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { NO_FOLLOW, type Plan, undoRef } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { ROUNDS } from '../operations/verb.ts'
import { advancedBy } from './approvable.ts'
import { lookAt } from './look.ts'
import { mergeMainIn, type SettleConflicts } from './mergeMainIn.ts'
import { holdersSignature, usableHolders } from './situation.ts'

const no = (refusal: Refusal): BringMainInOutcome => ({ brought: false, refusal })

/**
 * Merges trunk into a sleep branch. Conflicts are settled by `settle`; without it they are listed, and nothing changes.
 */
export async function bringMainIn(operation: RunningOperation, settle?: SettleConflicts): Promise<BringMainInOutcome> {
  const { branch, repo, ports } = operation
  for (let round = 1; ; round++) {
    const looked = await lookAt(operation, { branch })
    if (looked.kind === 'no') return no(looked.refusal)
    const upToDate = (tip: string): BringMainInOutcome => ({
      brought: true,
      operationId: operation.id,
      branch,
      from: tip,
      to: tip,
      upToDate: true,
      both: [],
    })
    if (looked.kind === 'merged')
      return looked.run.tip === null ? no({ refusal: 'branch-gone', branch, merged: true }) : upToDate(looked.run.tip)
    const { found } = looked
    const { situation, run, facts } = found
    if (facts.base === situation.trunk.oid) return upToDate(run.tip)
    const merged = await mergeMainIn(operation, found, settle)
    if ('refusal' in merged) return no(merged.refusal)
    const usable = usableHolders(situation.checkouts, branch)
    if (usable.refusal) return no(usable.refusal)
    const ref = LOCAL + branch
    const plan: Plan = {
      refs: [
        { ref, old: run.tip, new: merged.commit },
        { ref: undoRef(operation.id), old: null, new: run.tip },
      ],
      trees: usable.holders.map((one) => ({
        worktree: one.path,
        gitDir: one.gitDir,
        from: run.tip,
        to: merged.commit,
        guard: null,
      })),
      heads: [],
      ...situation.home,
      trusted: operation.trusted,
      follow: NO_FOLLOW,
      facts: { both: merged.both },
    }
    const before = holdersSignature(situation.checkouts, [branch])
    const moved = await moveByPlan(operation, plan, {
      config: situation.config,
      ignoreCase: situation.ignoreCase,
      stillFits: async () =>
        holdersSignature(await readCheckouts(repo.git, repo.repository, situation.config), [branch]) === before,
    })
    if (!moved.moved && moved.refusal) return no(moved.refusal)
    if (moved.moved) {
      await followUp({ repo, ports, git: operation.git, fault: operation.fault }, operation, plan)
      const both = [...merged.both]
      return {
        brought: true,
        operationId: operation.id,
        branch,
        from: run.tip,
        to: merged.commit,
        upToDate: false,
        both,
      }
    }
    if (round === ROUNDS) return no(await advancedBy(found))
  }
}
