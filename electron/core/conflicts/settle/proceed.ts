import { AppError } from '../../../../shared/errors/index.ts'
import { count, someOf } from '../../../../shared/errors/refusals.ts'
import type { ConflictSet, ProceedOutcome, Refusal } from '../../../../shared/model/index.ts'
import { undoRef } from '../../operations/plan.ts'
import { ownMark } from '../../operations/processes.ts'
import { type RunningOperation, stopIfCancelled } from '../../operations/running.ts'
import { recordOperation } from '../../store/operations.ts'
import {
  commandsToCome,
  type GitsOperation,
  gitsOperation,
  headOf,
  mergingOf,
  operationName,
  stateText,
  unmergedPaths,
} from './gitsOperation.ts'
import { mendContinue } from './mendContinue.ts'
import { identityFor, ownCodeOfContinuing, personsHooks } from './ownCode.ts'
import { duringOf, findPlace, type SettlePlace } from './place.ts'
import type { ContinuePlan } from './plan.ts'
import { resolvedHere } from './reopen.ts'
import { stagedPaths, sweptAlong } from './sweptAlong.ts'
import { beginIntent } from './transition.ts'
import { unstagedPaths } from './unstaged.ts'

export const no = (refusal: Refusal): ProceedOutcome => ({ done: false, refusal })

export const failed = (operation: string, output: string): Refusal => ({
  refusal: 'operation-failed',
  operation,
  output: output.toWellFormed(),
})

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

/** Nothing runs on in the background after the command has ended. */
export const CALM = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false']

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
  const commands = commandsToCome(gitDir)
  if (commands.length > 0)
    return failed(
      name,
      `its next steps run commands of their own (${someOf(commands)}); go on with it in a terminal: git rebase --continue`,
    )
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

interface Command {
  readonly what: GitsOperation
  readonly act: ContinuePlan['act']
  readonly head: string | null
  readonly args: readonly string[]
  /** What is kept at the operation's undo ref; HEAD where it is not said. */
  readonly kept?: string | null
}

/** Runs git's command under an intent, and tells by git's state files what came of it. */
export async function runGit(
  operation: RunningOperation,
  place: SettlePlace,
  command: Command,
): Promise<ProceedOutcome> {
  const { repo, id, ports, caller } = operation
  const { what, act, head } = command
  const { git, reading, gitDir } = place
  const plan: ContinuePlan = {
    kind: 'continue',
    commonDir: place.commonDir,
    worktree: place.worktree,
    gitDir,
    operation: what,
    act,
    head,
    merging: mergingOf(gitDir),
    startedAt: ports.clock().toISOString(),
  }
  const before = await duringOf(reading, gitDir)
  stopIfCancelled(operation)
  await beginIntent(operation, plan)
  const kept = command.kept ?? head
  if (kept !== null) await reading.run(['update-ref', undoRef(id), kept, '0'.repeat(kept.length)])
  operation.progress(
    act === 'abort' ? `Giving up ${operationName[what]}` : `Going on with ${operationName[what]}`,
    0,
    1,
    {
      cancellable: true,
    },
  )
  const hooks = operation.trusted ? [] : personsHooks(place.config)
  const ran = await git
    .run([...hooks, ...command.args], {
      ok: ANY_CODE,
      env: { GIT_EDITOR: ':', GIT_SEQUENCE_EDITOR: ':', ...identityFor(place.config) },
      signal: operation.signal,
      group: true,
    })
    .catch((error: unknown) => error)
  operation.fault('git ended')
  if (operation.signal.aborted || !isResult(ran)) {
    await mendContinue({ repo, ports, git: reading, trusted: operation.trusted, fault: operation.fault }, { id }, plan)
    if (operation.signal.aborted) throw new AppError('ERR_CANCELLED', { what: `git ${what}` })
    throw ran
  }
  const now = await headOf(reading)
  const after = gitsOperation(gitDir)
  const moved = (await duringOf(reading, gitDir)) !== before
  const stopped = after !== null && moved && (await unmergedPaths(reading)).length > 0
  const ended = after === null && (ran.exitCode === 0 || moved)
  const outcome: ProceedOutcome =
    ended || stopped || (ran.exitCode === 0 && moved)
      ? { done: true, operationId: id, ended, to: now }
      : no(failed(operationName[what], wordsOf(ran)))
  if (outcome.done)
    recordOperation(repo.state, {
      id,
      verb: operation.verb,
      branch: operation.branch,
      actor: caller.actor ?? 'person',
      via: caller.via,
      startedAt: operation.startedAt,
      endedAt: ports.clock().toISOString(),
      stage: 'done',
      from: head,
      to: now,
      plan,
      outcome: { operation: what, act, ended },
      owner: ownMark(),
    })
  operation.fault('done')
  operation.intent = false
  return outcome
}

const ANY_CODE = [...Array(256).keys()]
/** How much of git's own words is passed on, in characters. */
const SAID = 2000

interface Ran {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

const isResult = (ran: unknown): ran is Ran => typeof (ran as Ran | null)?.exitCode === 'number'
const wordsOf = (ran: Ran) => `${ran.stdout.toString('utf8')}${ran.stderr}`.trim().slice(-SAID)

/** Drops the stash whose conflicts were resolved: only on this very act, and kept at the operation's undo ref. */
async function dropStash(operation: RunningOperation, place: SettlePlace, set: ConflictSet): Promise<ProceedOutcome> {
  const { repo, id, ports, caller } = operation
  const unmerged = await unmergedPaths(place.reading)
  if (unmerged.length > 0) return no({ refusal: 'unresolved', conflicts: unmerged })
  const found = await place.reading.run(['rev-parse', '-q', '--verify', 'refs/stash'], { ok: [0, 1, 128] })
  const stash = found.stdout.toString('latin1').trim()
  if (stash === '' || (set.theirs.oid !== null && set.theirs.oid !== stash))
    return no(failed(operationName.stash, 'the newest stash is another one; it is kept'))
  await place.reading.run(['update-ref', undoRef(id), stash, '0'.repeat(stash.length)])
  operation.fault('stash kept')
  await place.git.run(['stash', 'drop', '-q', 'stash@{0}'])
  const head = await headOf(place.reading)
  recordOperation(repo.state, {
    id,
    verb: operation.verb,
    branch: operation.branch,
    actor: caller.actor ?? 'person',
    via: caller.via,
    startedAt: operation.startedAt,
    endedAt: ports.clock().toISOString(),
    stage: 'done',
    from: head,
    to: head,
    plan: null,
    outcome: { operation: 'stash', stash },
    owner: ownMark(),
  })
  return { done: true, operationId: id, ended: true, to: head }
}
