import { AppError } from '../../../shared/errors/index.ts'
import type { MarksOutcome } from '../../../shared/model/index.ts'
import { ledgerPath } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import type { Git } from '../git/process.ts'
import { shortName } from '../git/refs.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { prepareRefs } from '../git/refTransaction.ts'
import { holdersOf, readWorktrees } from '../git/worktrees.ts'
import type { Ports } from '../ports.ts'
import { parseLedger } from '../sleep/ledger.ts'
import { applyMarks, copyRun, restoreRows, setRunStatus } from '../sleep/marks.ts'
import { endCandidate } from '../store/candidates.ts'
import { forgetDeclined, rememberDeclined } from '../store/declined.ts'
import { type OperationRow, setStage, setUndone } from '../store/operations.ts'
import { keptRef, type Plan } from './plan.ts'
import { locksOfRefs, removeSeen, seeLocks } from './seenLocks.ts'

/** What came of the steps after the refs had moved. Kept as the operation's outcome, beside the plan's facts. */
export interface FollowedUp {
  readonly marks: MarksOutcome | null
  readonly branchRemoved: boolean
  /** Why something after the move could not be done, null where all was. */
  readonly problem: string | null
}

interface Setup {
  readonly repo: RepositoryContext
  readonly ports: Ports
  readonly git: Git
  readonly fault: (point: string) => void
}

/**
 * Does what follows once the refs have moved: marks, the run's row, removal of the branch, rows put back. Every step
 * may be done twice, so this also finishes what a killed process left. Ends the operation.
 */
export async function followUp(
  setup: Setup,
  row: Pick<OperationRow, 'id' | 'branch'>,
  plan: Plan,
): Promise<FollowedUp> {
  const { repo, ports, fault } = setup
  const { follow } = plan
  let problem: string | null = null
  fault('before marks')
  const marks = follow.marks
    ? applyMarks(
        repo.state,
        row.id,
        plan.store,
        await readMarks(repo, follow.marks.run, follow.marks.commit),
        follow.marks.held,
      )
    : null
  fault('marks applied')
  const { restoreRowsOf, restoreRunAs } = follow
  if (restoreRowsOf)
    problem = orProblem(() => {
      const { changed } = restoreRows(repo.state, restoreRowsOf, plan.store)
      return changed.length > 0 ? `rows changed by someone else were left as they are: ${changed.join('; ')}` : null
    })
  if (restoreRunAs)
    problem =
      orProblem(() => {
        copyRun(repo.state, restoreRunAs, plan.store)
        return null
      }) ?? problem
  fault('rows restored')
  if (follow.run)
    problem = setRunStatus(repo.state, row.id, plan.store, follow.run, ports.clock().toISOString()) ?? problem
  fault('run row set')
  if (follow.declined.length > 0) rememberDeclined(repo.state, row.branch, follow.declined, ports.clock().toISOString())
  if (follow.forgetDeclinedOf) forgetDeclined(repo.state, follow.forgetDeclinedOf)
  fault('declined remembered')
  const branchRemoved = follow.removeBranch ? await removeBranch(setup, row.id, follow.removeBranch) : false
  fault('branch removed')
  for (const { candidate, answer, lost } of follow.answered ?? [])
    endCandidate(repo.state, candidate, 'published', answer, ports.clock().toISOString(), lost)
  fault('candidates answered')
  if (follow.undoes) setUndone(repo.state, follow.undoes, row.id)
  fault('undone noted')
  const followed = { marks, branchRemoved, problem }
  setStage(repo.state, row.id, 'done', {
    endedAt: ports.clock().toISOString(),
    outcome: { ...plan.facts, ...followed },
  })
  fault('done')
  return followed
}

/** Why a store's databases could not be written: the refs have moved, so that it is told, not thrown. */
function orProblem(work: () => string | null): string | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The marks of a run's ledger at a commit; none where it has no ledger. */
export async function readMarks(repo: RepositoryContext, run: string, commit: string) {
  const blob = await repo.objects.read(`${commit}:${ledgerPath(run)}`)
  return blob?.type === 'blob' ? parseLedger(blob.bytes) : []
}

/** Removes a branch that is still where it was and that no worktree holds. True where it is gone. */
async function removeBranch(setup: Setup, operation: string, branch: RemovedBranch): Promise<boolean> {
  const { repo, git } = setup
  const kept = keptRef(operation)
  const now = await readRefsNow(git, [branch.ref, kept])
  if (now.get(branch.ref) === null) return true
  const tip = now.get(kept) ?? null
  // The operation's own ref is locked along with it: that is how the locks of a killed git are known for ours.
  const updates = [
    { ref: branch.ref, old: branch.oid, new: null },
    { ref: kept, old: tip, new: tip },
  ]
  const prepared = await prepareRefs(git, updates, 'daybreak: approved')
  if (!prepared.prepared) return false
  const locks = seeLocks(locksOfRefs(repo.repository.commonDir, [branch.ref, kept]))
  // Asked while the ref is locked: who checks it out from now on finds it gone.
  const holders = holdersOf(await readWorktrees(git, repo.repository.commonDir), shortName(branch.ref))
  const gone = holders.length === 0
  // A git that was ended in the middle of it must not leave the branch locked for ever.
  if (!(await (gone ? prepared.refs.commit() : prepared.refs.abort()))) {
    await removeSeen(locks)
    return (await readRefsNow(git, [branch.ref])).get(branch.ref) === null
  }
  return gone
}

type RemovedBranch = NonNullable<Plan['follow']['removeBranch']>
