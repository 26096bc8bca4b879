import { count, someOf } from '../../../../shared/errors/refusals.ts'
import type { ConflictSet, ProceedOutcome, Refusal } from '../../../../shared/model/index.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { dropStash } from './dropStash.ts'
import {
  type GitsOperation,
  gitsOperation,
  headOf,
  operationName,
  stateText,
  terminalSteps,
  unmergedPaths,
} from './gitsOperation.ts'
import { ownCodeOfContinuing } from './ownCode.ts'
import { findPlace, type SettlePlace } from './place.ts'
import { resolvedHere } from './reopen.ts'
import { CALM, failed, no, runGit } from './runGit.ts'
import { stagedPaths, sweptAlong } from './sweptAlong.ts'
import { unstagedPaths } from './unstaged.ts'

/**
 * Goes on with what git is in the middle of, by git's own command with the message that it prepared: commits the
 * merge, continues the rebase, cherry-pick, revert or series of patches. Refused while anything is unmerged, where
 * something that others staged would be committed along, or where code that was not accepted would run.
 */
export async function proceed(
  operation: RunningOperation,
  set: ConflictSet,
  worktree: string,
): Promise<ProceedOutcome> {
  const place = await findPlace(operation, worktree)
  if ('refusal' in place) return no(place.refusal)
  const what = gitsOperation(place.gitDir)
  if (what === null) {
    const why = 'nothing of git waits here to be gone on with; commit what is staged when you like'
    return set.operation === 'stash' ? dropStash(operation, place, set) : no(failed(set.title, why))
  }
  const head = await headOf(place.reading)
  const refusal = await whyNotContinue(operation, place, what, head)
  if (refusal) return no(refusal)
  return runGit(operation, place, {
    what,
    act: 'continue',
    head,
    args: [...CALM, what, await howToGoOn(place, what, head)],
  })
}

async function whyNotContinue(
  operation: RunningOperation,
  place: SettlePlace,
  what: GitsOperation,
  head: string | null,
): Promise<Refusal | null> {
  const { reading, gitDir } = place
  const name = operationName[what]
  const unmerged = await unmergedPaths(reading)
  if (unmerged.length > 0) return { refusal: 'unresolved', conflicts: unmerged }
  const began = what === 'merge' ? stateText(gitDir, 'ORIG_HEAD') : null
  if (began !== null && began !== head)
    return failed(name, `it began at ${began.slice(0, 10)}, and HEAD is at ${head?.slice(0, 10) ?? 'nothing'} now`)
  const swept = head === null ? [] : await sweptAlong(place, what, await plansHere(operation, place), head)
  if (swept.length > 0)
    return failed(
      name,
      `${count(swept.length, 'file was', 'files were')} staged beside it and would be committed along: ${someOf(swept)}`,
    )
  const steps = terminalSteps(gitDir)
  if (steps.length > 0)
    return failed(name, `its steps need a terminal (${someOf(steps)}); go on with it there: git rebase --continue`)
  const items = operation.trusted ? [] : await ownCodeOfContinuing(place, what)
  return items.length > 0 ? { refusal: 'not-trusted', items } : null
}

/** What was resolved here since git stopped. */
export const plansHere = async (operation: RunningOperation, place: SettlePlace) =>
  (await resolvedHere(operation.repo, place)).map((one) => one.plan)

/** A commit that the decisions left nothing of is passed over: git refuses to make an empty one. */
async function howToGoOn(place: SettlePlace, what: GitsOperation, head: string | null): Promise<string> {
  if (what === 'merge' || what === 'rebase' || head === null) return '--continue'
  if ((await stagedPaths(place.reading, head)).length > 0) return '--continue'
  // Skipping puts the files to what HEAD has: only where nothing of anyone's is in them.
  return (await unstagedPaths(place)).length === 0 ? '--skip' : '--continue'
}
