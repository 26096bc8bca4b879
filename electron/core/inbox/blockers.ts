import type { Readiness, Refusal } from '../../../shared/model/index.ts'
import type { Checkout } from '../git/checkouts.ts'
import type { OngoingOperation } from '../git/operationState.ts'
import { holdersOf, type Worktree } from '../git/worktrees.ts'
import type { BranchFacts } from './facts.ts'
import type { SleepRef } from './sleepRefs.ts'

/** A worktree that a verb on the branch would have to keep consistent, with what stands in the way there. */
export interface Involved {
  readonly worktree: Checkout
  readonly operation: OngoingOperation | null
  readonly inTheWay: readonly string[]
}

export interface BlockerInput {
  readonly ref: SleepRef
  readonly trunk: { readonly branch: string; readonly oid: string | null }
  /** null: the branch's commit is gone. */
  readonly facts: BranchFacts | null
  readonly empty: boolean
  /** Paths that a merge with trunk could not settle; null where that was not asked. */
  readonly conflicts: string[] | null
  readonly worktrees: readonly Worktree[]
  readonly involved: readonly Involved[]
  /** What would have to be trusted before anything can be approved. */
  readonly untrusted: Extract<Refusal, { refusal: 'not-trusted' }>['items']
}

/** All that stands between a branch and its approval, the gravest first. Empty: it can be approved now. */
export function blockersOf(input: BlockerInput): Refusal[] {
  const { ref, trunk, facts } = input
  if (!facts) return [{ refusal: 'branch-gone', branch: ref.branch }]
  if (ref.remote !== null) return [{ refusal: 'remote-branch', branch: ref.branch, remote: ref.remote }]
  if (trunk.oid === null) return [{ refusal: 'branch-gone', branch: trunk.branch }]
  if (input.empty) return [{ refusal: 'empty-run', branch: ref.branch }]
  const blockers: Refusal[] = []
  for (const { worktree } of input.involved)
    if (worktree.outside !== null)
      blockers.push({ refusal: 'worktree-outside', worktree: worktree.path, target: worktree.outside })
  for (const { worktree, operation } of input.involved)
    if (operation) blockers.push({ refusal: 'operation-in-progress', worktree: worktree.path, operation })
  const used = heldElsewhere(input.worktrees, ref.branch, trunk.branch)
  if (used) blockers.push({ refusal: 'branch-in-use', branch: ref.branch, worktree: used.path })
  const dirty = input.involved.filter((one) => one.inTheWay.length > 0)
  if (dirty.length > 0)
    blockers.push({
      refusal: 'dirty-tree',
      worktrees: dirty.map((one) => ({ worktree: one.worktree.path, paths: [...one.inTheWay] })),
    })
  if (facts.base !== trunk.oid)
    blockers.push({
      refusal: 'main-advanced',
      commits: facts.trunkCommits,
      overlap: [...facts.overlap],
      conflicts: input.conflicts,
    })
  if (input.untrusted.length > 0) blockers.push({ refusal: 'not-trusted', items: input.untrusted })
  return blockers
}

/**
 * A worktree that holds the sleep branch and cannot go over to trunk after an approval, since another one has trunk
 * checked out, or several hold the branch.
 */
export function heldElsewhere(worktrees: readonly Worktree[], branch: string, trunk: string): Worktree | null {
  const holders = holdersOf(worktrees, branch)
  if (holders.length === 0) return null
  if (holders.length === 1 && holdersOf(worktrees, trunk).length === 0) return null
  return holders[0] ?? null
}

const STOP = new Set<Refusal['refusal']>(['branch-gone', 'remote-branch', 'empty-run', 'worktree-outside'])

/** `stop` where no step in Daybreak helps. */
export function readinessOf(blockers: readonly Refusal[]): Readiness {
  if (blockers.length === 0) return 'ready'
  return blockers.some((one) => STOP.has(one.refusal)) ? 'stop' : 'needs'
}
