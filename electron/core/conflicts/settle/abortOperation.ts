import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictSet, ProceedOutcome, Refusal } from '../../../../shared/model/index.ts'
import { decodePath, splitNul } from '../../git/bytes.ts'
import type { RunningOperation } from '../../operations/running.ts'
import { abortSteps } from './abortSteps.ts'
import { type GitsOperation, gitsOperation, headOf, isSequence, stateText } from './gitsOperation.ts'
import { ownFilters } from './ownCode.ts'
import { findPlace, type SettlePlace } from './place.ts'
import { plansHere } from './proceed.ts'
import { CALM, no, runGit } from './runGit.ts'
import { snapshot } from './snapshot.ts'
import { beginSteps, runSteps } from './transition.ts'

/**
 * Gives up what git is in the middle of. Refused where that would throw away what someone edited or staged since. A
 * merge, a single cherry-pick or revert and a popped stash are taken back path by path, so that nothing else is
 * touched; a rebase, a series of patches and a sequence by git's own command, with all that was there kept at the
 * operation's undo ref.
 */
export async function abortOperation(
  operation: RunningOperation,
  set: ConflictSet,
  worktree: string,
): Promise<ProceedOutcome> {
  const place = await findPlace(operation, worktree)
  if ('refusal' in place) return no(place.refusal)
  const what = gitsOperation(place.gitDir)
  const head = await headOf(place.reading)
  if ((what === null && set.operation !== 'stash') || head === null)
    return no({
      refusal: 'operation-failed',
      operation: set.title,
      output: 'git does not know where these conflicts came from, so that there is nothing to go back to',
    })
  const byGit = what !== null && (isSequence(place.gitDir, what) || existsSync(join(place.gitDir, 'MERGE_AUTOSTASH')))
  return byGit ? abortByGit(operation, place, what, head) : abortBySteps(operation, place, what ?? 'stash', head)
}

async function abortBySteps(
  operation: RunningOperation,
  place: SettlePlace,
  what: GitsOperation | 'stash',
  head: string,
): Promise<ProceedOutcome> {
  const { id } = operation
  const ours = await plansHere(operation, place)
  let refusal: Refusal | null = await filtersInTheWay(operation, place, head)
  refusal ??= await runSteps(
    operation,
    place,
    {
      ...(await beginSteps(operation, place, null)),
      quit: what === 'merge' || what === 'cherry-pick' || what === 'revert' ? what : null,
    },
    (index) => abortSteps({ operation, place, what, ours, head }, index),
    { operation: what, act: 'abort', ended: true },
  )
  return refusal ? no(refusal) : { done: true, operationId: id, ended: true, to: head }
}

/** Filters of the repository's own that would have to run when files are put back. */
async function filtersInTheWay(operation: RunningOperation, place: SettlePlace, head: string): Promise<Refusal | null> {
  if (operation.trusted) return null
  const out = await place.reading.run(['diff-index', '--cached', '--name-only', '-z', '--no-renames', head, '--'])
  const paths = splitNul(out.stdout).map(decodePath)
  const items = await ownFilters(place, [head], paths)
  return items.length > 0 ? { refusal: 'not-trusted', items } : null
}

async function abortByGit(
  operation: RunningOperation,
  place: SettlePlace,
  what: GitsOperation,
  head: string,
): Promise<ProceedOutcome> {
  const target = goesBackTo(place.gitDir, what) ?? head
  const looked = await snapshot(operation, place, target)
  if ('refusal' in looked) return no(looked.refusal)
  if (!operation.trusted) {
    const items = await ownFilters(place, [target], looked.paths)
    if (items.length > 0) return no({ refusal: 'not-trusted', items })
  }
  return runGit(operation, place, {
    what,
    act: 'abort',
    head,
    args: [...CALM, what, '--abort'],
    kept: looked.commit,
  })
}

/** The commit that git's own giving up goes back to. */
function goesBackTo(gitDir: string, what: GitsOperation): string | null {
  if (what === 'rebase')
    return stateText(gitDir, 'rebase-merge', 'orig-head') ?? stateText(gitDir, 'rebase-apply', 'orig-head')
  if (what === 'am') return stateText(gitDir, 'rebase-apply', 'orig-head') ?? stateText(gitDir, 'ORIG_HEAD')
  return stateText(gitDir, 'sequencer', 'head')
}
