import { AppError } from '../../../../shared/errors/index.ts'
import type { ProceedOutcome, Refusal } from '../../../../shared/model/index.ts'
import { indexLockPath } from '../../git/indexFile.ts'
import { heldLock, LOCK_PATIENCE, untilFree } from '../../git/locks.ts'
import { writeIntent } from '../../operations/intent.ts'
import { undoRef } from '../../operations/plan.ts'
import { rowOf } from '../../operations/row.ts'
import { type RunningOperation, stopIfCancelled } from '../../operations/running.ts'
import { recordOperation } from '../../store/operations.ts'
import { type GitsOperation, gitsOperation, headOf, mergingOf, operationName, unmergedPaths } from './gitsOperation.ts'
import { mendContinue } from './mendContinue.ts'
import { identityFor, personsHooks } from './ownCode.ts'
import { duringOf, type SettlePlace } from './place.ts'
import type { ContinuePlan } from './plan.ts'

export const no = (refusal: Refusal): ProceedOutcome => ({ done: false, refusal })

export const failed = (operation: string, output: string): Refusal => ({
  refusal: 'operation-failed',
  operation,
  output: output.toWellFormed(),
})

/** Nothing runs on in the background after the command has ended. */
export const CALM = ['-c', 'gc.auto=0', '-c', 'maintenance.auto=false']

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
  const { repo, id, ports } = operation
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
  await indexFree(operation, place)
  stopIfCancelled(operation)
  await writeIntent(operation, plan)
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
      ...rowOf(operation),
      endedAt: ports.clock().toISOString(),
      stage: 'done',
      from: head,
      to: now,
      plan,
      outcome: { operation: what, act, ended },
    })
  operation.fault('done')
  operation.intent = false
  return outcome
}

/** Git gives up at once where someone holds the index. Errors: ERR_LOCKED. */
async function indexFree(operation: RunningOperation, place: SettlePlace): Promise<void> {
  const lock = { path: indexLockPath(place.gitDir), what: `The index of ${place.worktree}` }
  const free = async () => (heldLock([lock]) ? null : true)
  await untilFree(free, [lock], operation.ports.lockPatience ?? LOCK_PATIENCE)
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
