import { existsSync } from 'node:fs'
import type { ConflictItem, Refusal, ReopenOutcome, UndoOutcome } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { findOperation, listOperations, type OperationRow } from '../../store/operations.ts'
import { captureForm, compareForm, look } from './diskForms.ts'
import { outcomeOf, placeNow } from './mend.ts'
import { duringOf, findPlace, type SettlePlace } from './place.ts'
import { type DiskForm, isSettlePlan, type PathStep, type SettlePlan, sameEntries, stagesOf } from './plan.ts'
import { beginSteps, type LockedIndex, runSteps, type Steps } from './transition.ts'

const no = (refusal: Refusal): ReopenOutcome => ({ reopened: false, refusal })
const cannot = (why: string): Refusal => ({ refusal: 'cannot-undo', why })

/** How far back resolved items are looked for. */
const RECENT = 1000

/** A resolving that stands: done, and not taken back. */
export interface StandingResolve {
  readonly row: OperationRow
  readonly plan: SettlePlan
}

const standing = (row: OperationRow): StandingResolve[] =>
  row.verb === 'resolve' && row.stage === 'done' && row.undoneBy === null && isSettlePlan(row.plan)
    ? [{ row, plan: row.plan }]
    : []

/** The items that were marked resolved here in what git is in the middle of now, newest first, each once. */
export async function resolvedHere(
  repo: RepositoryContext,
  place: Pick<SettlePlace, 'reading' | 'gitDir'>,
): Promise<StandingResolve[]> {
  const all = listOperations(repo.state, RECENT).flatMap(standing)
  if (all.length === 0) return []
  const during = await duringOf(place.reading, place.gitDir)
  const seen = new Set<string>()
  return all.filter(({ plan }) => {
    const id = plan.item?.id
    if (plan.during !== during || id === undefined || seen.has(id)) return false
    seen.add(id)
    return true
  })
}

/** The resolving of an item that can be taken back; null where it was not resolved here and now. */
export async function standingOf(
  repo: RepositoryContext,
  worktree: string,
  item: string,
): Promise<StandingResolve | null> {
  for (const found of listOperations(repo.state, RECENT).flatMap(standing)) {
    if (found.plan.item?.id !== item) continue
    const place = await placeNow(repo, found.plan)
    if (place.worktree !== worktree || !existsSync(worktree)) continue
    // The same path in an operation that ended long ago is another conflict.
    if ((await duringOf(repo.git.at(worktree), place.gitDir)) === found.plan.during) return found
  }
  return null
}

/** Whether taking a resolving back is still possible, as far as that is told without looking at the files. */
export async function canReopen(repo: Pick<RepositoryContext, 'repository' | 'git'>, row: OperationRow) {
  const [found] = standing(row)
  if (!found) return false
  const { gitDir, worktree } = await placeNow(repo, found.plan)
  return existsSync(worktree) && (await duringOf(repo.git.at(worktree), gitDir)) === found.plan.during
}

/** Takes a resolving back as an entry of the history. */
export async function undoResolve(operation: RunningOperation, operationId: string): Promise<UndoOutcome> {
  const row = findOperation(operation.repo.state, operationId)
  const [target] = row ? standing(row) : []
  if (!row || !target) return { undone: false, refusal: cannot('it was taken back already, or changed nothing') }
  const outcome = await reopen(operation, target)
  if (!outcome.reopened) return { undone: false, refusal: outcome.refusal }
  const { branch, verb } = row
  return {
    undone: true,
    operationId: operation.id,
    of: row.id,
    verb,
    how: 'undo',
    branch,
    restoredAs: null,
    from: null,
    to: null,
  }
}

/**
 * Puts the stages of a resolved item back, and its files as they were, byte for byte. Refused where what git was in
 * the middle of has ended, where the index says something else by now, or where a file was edited since.
 */
export async function reopen(operation: RunningOperation, target: StandingResolve): Promise<ReopenOutcome> {
  const { repo } = operation
  const before = target.plan
  const place = await findPlace(operation, (await placeNow(repo, before)).worktree)
  if ('refusal' in place) return no(place.refusal)
  const begun = await beginSteps(operation, place, before.item, target.row.id)
  if (begun.during !== before.during) return no(cannot('what git was in the middle of has ended or gone on'))
  const refusal = await runSteps(
    operation,
    place,
    begun,
    (index) => stepsBack(operation, place, before, index),
    outcomeOf(before),
  )
  return refusal ? no(refusal) : { reopened: true, operationId: operation.id }
}

/**
 * Puts the stages of an item back that someone resolved with git itself, as git remembers them. What the file was before
 * nobody knows: it stays as it is.
 */
export async function reopenByGit(
  operation: RunningOperation,
  worktree: string,
  item: ConflictItem,
): Promise<ReopenOutcome> {
  const place = await findPlace(operation, worktree)
  if ('refusal' in place) return no(place.refusal)
  if (item.state !== 'resolved' || item.stages.length === 0) return no(cannot('it is not resolved'))
  const begun = await beginSteps(operation, place, item)
  const stays: DiskForm = { is: 'as-it-is' }
  const look = async (index: LockedIndex): Promise<Steps> => {
    const paths = [...new Set(item.stages.map((one) => one.path))]
    const entriesAt = (path: string) => index.entries.get(path) ?? []
    if (paths.some((path) => entriesAt(path).some((one) => one.stage !== 0)))
      return { refusal: { refusal: 'conflict-changed', path: item.path } }
    return {
      steps: paths.map((path) => ({
        path,
        index: { from: entriesAt(path), to: stagesOf(item.stages, path) },
        disk: { from: stays, to: stays },
      })),
    }
  }
  const refusal = await runSteps(operation, place, begun, look, outcomeOf(begun))
  return refusal ? no(refusal) : { reopened: true, operationId: operation.id }
}

async function stepsBack(
  operation: RunningOperation,
  place: SettlePlace,
  before: SettlePlan,
  index: LockedIndex,
): Promise<Steps> {
  const { git } = place
  const disk = { git, objects: operation.repo.objects }
  const steps: PathStep[] = []
  const edited: string[] = []
  for (const step of before.steps) {
    const entries = index.entries.get(step.path) ?? []
    if (!sameEntries(entries, step.index.to))
      return { refusal: { refusal: 'conflict-changed', path: before.item?.path ?? '' } }
    const found = look(git.cwd, step.path)
    const known =
      found.is === 'nothing' ||
      (await compareForm(disk, step.path, found, step.disk.to)) === 'same' ||
      (await compareForm(disk, step.path, found, step.disk.from)) === 'same'
    if (!known) edited.push(step.path)
    const to = step.disk.to.is === 'as-it-is' ? step.disk.to : step.disk.from
    steps.push({
      path: step.path,
      index: { from: entries, to: step.index.from },
      disk: { from: await captureForm(git, found), to },
    })
  }
  return edited.length > 0 ? { refusal: { refusal: 'edited-on-disk', paths: edited } } : { steps }
}
