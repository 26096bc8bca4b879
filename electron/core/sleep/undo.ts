import { AppError } from '../../../shared/errors/index.ts'
import type { Refusal, UndoOutcome } from '../../../shared/model/index.ts'
import { ledgerPath, reportPath } from '../../../shared/model/index.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { isAncestor } from '../git/mergeBase.ts'
import { LOCAL, resolveCommit } from '../git/refs.ts'
import type { RefUpdate } from '../git/refTransaction.ts'
import { followUp } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { keptRef, NO_FOLLOW, undoRef } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { whileStill } from '../operations/standStill.ts'
import { ROUNDS } from '../operations/verb.ts'
import { findOperation, type OperationRow } from '../store/operations.ts'
import { readStoreRuns } from '../store/storeRuns.ts'
import { rowsChangedSince } from './marks.ts'
import { revertPlan } from './revert.ts'
import { holdersSignature, readSituation, type Situation } from './situation.ts'
import { trunkTrees, type UndoAnswer } from './undoPlan.ts'

export interface UndoInput {
  readonly operationId: string
  /** Takes a night back from a trunk that has moved on since, by a new commit. */
  readonly revert: boolean
}

const no = (refusal: Refusal): UndoOutcome => ({ undone: false, refusal })
const cannot = (why: string): { readonly refusal: Refusal } => ({ refusal: { refusal: 'cannot-undo', why } })

/** The operation to undo. Errors: ERR_NO_SUCH_OPERATION. */
export function operationToUndo(operation: Pick<RunningOperation, 'repo'>, id: string): OperationRow {
  const row = findOperation(operation.repo.state, id)
  if (!row) throw new AppError('ERR_NO_SUCH_OPERATION', { operationId: id })
  return row
}

/** Takes an approval or an abort back: refs, files, the databases' rows. Nothing moves on a refusal. */
export async function undo(operation: RunningOperation, input: UndoInput): Promise<UndoOutcome> {
  const { repo, ports } = operation
  for (let round = 1; ; round++) {
    const row = operationToUndo(operation, input.operationId)
    const situation = await readSituation(repo)
    const first = await planUndo(operation, situation, row, input)
    if ('refusal' in first) return no(first.refusal)
    let answer = first
    const branches = [situation.trunk.branch]
    const before = holdersSignature(situation.checkouts, branches)
    // Someone was faster: this time trunk stands still while the plan is made.
    const planAgain = () =>
      whileStill(operation, situation.trunk.ref, async () => {
        const again = await planUndo(operation, await readSituation(repo), row, input)
        if ('refusal' in again) return again
        answer = again
        return again.plan
      })
    const moved = await moveByPlan(operation, first.plan, {
      ...(round > 1 ? { planAgain } : {}),
      config: situation.config,
      ignoreCase: situation.ignoreCase,
      stillFits: async () =>
        holdersSignature(await readCheckouts(repo.git, repo.repository, situation.config), branches) === before,
    })
    if (!moved.moved && moved.refusal) return no(moved.refusal)
    if (moved.moved) {
      await followUp({ repo, ports, git: operation.git, fault: operation.fault }, operation, answer.plan)
      const { how, restoredAs, from, to } = answer
      return {
        undone: true,
        operationId: operation.id,
        of: row.id,
        verb: row.verb,
        how,
        branch: row.branch,
        restoredAs,
        from,
        to,
      }
    }
    if (round === ROUNDS) return no({ refusal: 'cannot-undo', why: 'someone else keeps moving the branches' })
  }
}

async function planUndo(
  operation: RunningOperation,
  situation: Situation,
  row: OperationRow,
  input: UndoInput,
): Promise<UndoAnswer> {
  if (row.undoneBy !== null) return cannot('it was undone already')
  if (row.stage !== 'done') return cannot('it did not change anything')
  if (row.verb === 'abort') return undoAbort(operation, situation, row)
  if (row.verb !== 'approve' || row.from === null || row.to === null || row.from === row.to)
    return cannot('only an approval or an abort can be undone')
  const now = situation.trunk.oid
  const { git } = operation
  if (now === row.to)
    return input.revert ? revertPlan(operation, situation, row) : undoApprove(operation, situation, row)
  if (!(await resolveCommit(git, row.to)) || !(await isAncestor(git, row.to, now)))
    return cannot(`${situation.trunk.branch} does not hold that night any more`)
  if (!input.revert) return { refusal: { refusal: 'moved-on', from: row.from, to: row.to, now } }
  return revertPlan(operation, situation, row)
}

/** A refusal where rows that the operation wrote were changed by someone since. */
export function changedRows(situation: Situation, row: OperationRow): Refusal | null {
  const rows = rowsChangedSince(situation.repo.state, row.id, situation.store)
  return rows.length > 0 ? { refusal: 'rows-changed', rows } : null
}

async function undoApprove(operation: RunningOperation, situation: Situation, row: OperationRow): Promise<UndoAnswer> {
  const { trunk } = situation
  const [from, to] = [row.to, row.from] as [string, string]
  const changed = changedRows(situation, row)
  if (changed) return { refusal: changed }
  const trees = trunkTrees(situation, to, row)
  if ('refusal' in trees) return trees
  const back = await restoredBranch(operation, situation, row)
  if ('refusal' in back) return back
  return {
    how: 'undo',
    restoredAs: back.name,
    from,
    to,
    plan: {
      refs: [
        { ref: trunk.ref, old: from, new: to },
        ...back.refs,
        { ref: undoRef(operation.id), old: null, new: from },
      ],
      trees,
      heads: [],
      ...situation.home,
      trusted: operation.trusted,
      follow: { ...NO_FOLLOW, restoreRowsOf: row.id, forgetDeclinedOf: row.branch, undoes: row.id },
      facts: { of: row.id, how: 'undo', restoredAs: back.name },
    },
  }
}

async function undoAbort(operation: RunningOperation, situation: Situation, row: OperationRow): Promise<UndoAnswer> {
  const back = await restoredBranch(operation, situation, row)
  if ('refusal' in back) return back
  // Under another name the run's row belongs to whoever has the name now.
  const same = back.name === row.branch
  const changed = same ? changedRows(situation, row) : null
  if (changed) return { refusal: changed }
  return {
    how: 'undo',
    restoredAs: back.name,
    from: null,
    to: back.oid,
    plan: {
      refs: [...back.refs, { ref: undoRef(operation.id), old: null, new: back.oid }],
      trees: [],
      heads: [],
      ...situation.home,
      trusted: operation.trusted,
      follow: {
        ...NO_FOLLOW,
        restoreRowsOf: same ? row.id : null,
        restoreRunAs: same ? null : { of: row.id, runId: back.name },
        undoes: row.id,
      },
      facts: { of: row.id, how: 'undo', restoredAs: back.name },
    },
  }
}

interface Restored {
  /** The name that the branch comes back under; null where it is still there. */
  readonly name: string
  readonly oid: string
  readonly refs: readonly RefUpdate[]
}

/** The branch that the operation removed, under its name or, where that is taken again, under the next free `-N`. */
async function restoredBranch(
  operation: RunningOperation,
  situation: Situation,
  row: OperationRow,
): Promise<Restored | { readonly refusal: Refusal }> {
  const oid = await resolveCommit(operation.git, keptRef(row.id))
  const now = situation.snapshot.refs.get(LOCAL + row.branch)
  if (oid === null) {
    const tip = (row.outcome as { tip?: string } | null)?.tip
    // It was kept, so it is still there.
    if (row.verb === 'approve' && now !== undefined && tip === now) return { name: row.branch, oid: now, refs: [] }
    return cannot('the commits of that branch are not kept any more')
  }
  if (now === oid) return { name: row.branch, oid, refs: [] }
  const runs = situation.store === null ? [] : (await readStoreRuns(situation.store)).runs
  const another = row.verb === 'abort' && !(await isAncestor(operation.git, oid, situation.trunk.oid))
  for (let n = 1; ; n++) {
    const name = n === 1 ? row.branch : `${row.branch}-${n}`
    if (situation.snapshot.refs.has(LOCAL + name)) continue
    // What was approved or is on trunk anyway owns its name, and so does its report there.
    if ((n > 1 || another) && (await isTaken(operation, situation, runs, name))) continue
    return { name, oid, refs: [{ ref: LOCAL + name, old: null, new: oid }] }
  }
}

/** A run's id is free only if no row but an abandoned one, and no report or ledger on trunk, bears it. */
async function isTaken(
  operation: RunningOperation,
  situation: Situation,
  runs: readonly { readonly runId: string; readonly status: string }[],
  name: string,
): Promise<boolean> {
  if (runs.some((run) => run.runId === name && run.status !== 'abandoned')) return true
  for (const path of [reportPath(name), ledgerPath(name)])
    if (await operation.repo.objects.read(`${situation.trunk.oid}:${path}`)) return true
  return false
}
