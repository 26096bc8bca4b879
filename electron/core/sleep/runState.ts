import { AppError } from '../../../shared/errors/index.ts'
import { ledgerPath, type Refusal, reportPath } from '../../../shared/model/index.ts'
import { isBranchName } from '../git/branchName.ts'
import { isAncestor, mergeBase } from '../git/mergeBase.ts'
import { LOCAL, resolveCommit } from '../git/refs.ts'
import { readTip } from '../inbox/facts.ts'
import { settledState } from '../inbox/settled.ts'
import { findSleepRefs } from '../inbox/sleepRefs.ts'
import { type OperationRow, operationsOfBranch } from '../store/operations.ts'
import { readStoreRuns, type StoreRun } from '../store/storeRuns.ts'
import type { Situation } from './situation.ts'

/** Where a run stands. */
export type RunState =
  | { readonly state: 'open'; readonly tip: string; readonly base: string | null; readonly row: StoreRun | null }
  | { readonly state: 'merged'; readonly tip: string | null; readonly row: StoreRun | null }
  | { readonly state: 'empty'; readonly tip: string }
  | { readonly state: 'no'; readonly refusal: Refusal }

/** Acts on a branch that still stand, newest first. */
const standing = (rows: readonly OperationRow[], verb: OperationRow['verb']) =>
  rows.filter((row) => row.verb === verb && row.stage === 'done' && row.undoneBy === null)

/**
 * The approval of a branch that still stands, and whose commit trunk still holds: someone may have taken it back with
 * plain git. null where there is none.
 */
export async function standingApproval(situation: Situation, branch: string): Promise<OperationRow | null> {
  const { repo, trunk } = situation
  const row = standing(operationsOfBranch(repo.state, branch), 'approve')[0]
  if (!row?.to) return null
  const onTrunk = (await resolveCommit(repo.git, row.to)) !== null && (await isAncestor(repo.git, row.to, trunk.oid))
  return onTrunk ? row : null
}

/**
 * Finds out what a name stands for: a branch to settle, a run that is settled already, or nothing. A run's `merged`
 * row comes before the absence of its branch.
 */
export async function readRunState(situation: Situation, branch: string): Promise<RunState> {
  const { repo, snapshot, trunk, settings } = situation
  const runs = situation.store === null ? [] : (await readStoreRuns(situation.store)).runs
  const row = runs.find((one) => one.runId === branch) ?? null
  const tip = snapshot.refs.get(LOCAL + branch)
  if (tip === undefined || branch === trunk.branch) {
    const remote = findSleepRefs(snapshot, settings.sleepPattern, trunk.branch).find((one) => one.branch === branch)
    if (remote?.remote) return { state: 'no', refusal: { refusal: 'remote-branch', branch, remote: remote.remote } }
    return withoutBranch(situation, branch, row)
  }
  try {
    const commit = await readTip(repo.objects, tip)
    if (!commit) return { state: 'no', refusal: { refusal: 'branch-gone', branch } }
    const approval = await standingApproval(situation, branch)
    const settled = settledState({
      tip,
      onTrunk: await isAncestor(repo.git, tip, trunk.oid),
      row,
      tipNamesRun: commit.run === branch,
      approvedHere: approval !== null && factOf(approval, 'tip') === tip,
    })
    if (settled === 'empty') return { state: 'empty', tip }
    if (settled === 'already-merged' || (approval !== null && factOf(approval, 'tip') === tip))
      return { state: 'merged', tip, row }
    return { state: 'open', tip, base: await mergeBase(repo.git, trunk.oid, tip), row }
  } catch (error) {
    if (error instanceof AppError && (error.code === 'ERR_GIT' || error.code === 'ERR_REPOSITORY_DAMAGED'))
      return { state: 'no', refusal: { refusal: 'branch-gone', branch } }
    throw error
  }
}

function factOf(row: OperationRow, name: string): unknown {
  return (row.outcome as Record<string, unknown> | null)?.[name]
}

async function withoutBranch(situation: Situation, branch: string, row: StoreRun | null): Promise<RunState> {
  const { repo, trunk } = situation
  if (branch === trunk.branch) return { state: 'no', refusal: { refusal: 'unknown-run', branch } }
  if (row?.status === 'merged' || (await standingApproval(situation, branch)))
    return { state: 'merged', tip: null, row }
  if (row || operationsOfBranch(repo.state, branch).some((one) => one.stage === 'done'))
    return { state: 'no', refusal: { refusal: 'branch-gone', branch } }
  // What no branch can be called is no run either, and would not be a path on trunk.
  if (!isBranchName(branch)) return { state: 'no', refusal: { refusal: 'unknown-run', branch } }
  for (const path of [reportPath(branch), ledgerPath(branch)])
    if (await repo.objects.read(`${trunk.oid}:${path}`)) return { state: 'merged', tip: null, row }
  return { state: 'no', refusal: { refusal: 'unknown-run', branch } }
}
