import { relative } from 'node:path'
import type { Refusal } from '../../../shared/model/index.ts'
import type { Plan, TreeMove } from '../operations/plan.ts'
import type { OperationRow } from '../store/operations.ts'
import { type Situation, usableHolders } from './situation.ts'

/** What undoing comes to: the plan, and what to answer once it is carried out. */
export interface UndoPlan {
  readonly plan: Plan
  readonly how: 'undo' | 'revert'
  readonly restoredAs: string | null
  readonly from: string | null
  readonly to: string | null
}

export type UndoAnswer = UndoPlan | { readonly refusal: Refusal }

/**
 * The worktrees that have trunk checked out, on the way to another commit. `undone`: the operation that is taken back;
 * files that the person had before it made them tracked stay.
 */
export function trunkTrees(
  situation: Situation,
  to: string,
  undone: OperationRow,
): TreeMove[] | { readonly refusal: Refusal } {
  const usable = usableHolders(situation.checkouts, situation.trunk.branch)
  if (usable.refusal) return usable
  const plan = undone.plan as Plan | null
  const place = (commonDir: string, gitDir: string) => relative(commonDir, gitDir)
  const adopted = new Map(plan?.adopted?.map((one) => [place(plan.commonDir, one.gitDir), one.paths]))
  return usable.holders.map((one) => ({
    worktree: one.path,
    gitDir: one.gitDir,
    from: situation.trunk.oid,
    to,
    guard: null,
    keep: adopted.get(place(situation.home.commonDir, one.gitDir)) ?? [],
  }))
}
