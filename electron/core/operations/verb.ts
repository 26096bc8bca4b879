import type { Caller } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { Refusal, Verb } from '../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { readConfig } from '../git/drivers.ts'
import { recordOperation } from '../store/operations.ts'
import { isAccepted } from '../usecases/trust.ts'
import { pruneOldRefs } from './prune.ts'
import { recover } from './recover.ts'
import { rowOf } from './row.ts'
import { asOperation, type RunningOperation } from './running.ts'

/** Tries of a verb whose refs someone else moved between the look and the lock. */
export const ROUNDS = 5

export interface VerbSetup {
  readonly core: CoreContext
  readonly repoId: string
  readonly verb: Verb
  readonly branch: string
  readonly caller: Caller
}

/**
 * Runs a verb in its repository's queue: first what was cut off before is mended, then the work; a refusal or a
 * failure is recorded in history like a success. Errors: ERR_READ_ONLY, those of `recover` and of the work.
 */
export async function runVerb<T>(
  setup: VerbSetup,
  work: (operation: RunningOperation) => Promise<T>,
  refusalOf: (result: T) => Refusal | null,
): Promise<T> {
  const { core, verb, branch, caller } = setup
  const repo = core.repo(setup.repoId)
  return repo.queue.run(async () => {
    mustBeWritable(repo)
    await recover(repo, core.ports, () => isAccepted(core, repo))
    // What there is nothing of now may be there in a moment: only an accepted text may run.
    const trusted = await isAccepted(core, repo)
    const who = { ...caller, actor: caller.actor ?? (await personOf(repo)) }
    return asOperation(
      { repo, ports: core.ports, emit: core.emit, verb, branch, caller: who, trusted },
      async (operation) => {
        try {
          const result = await work(operation)
          const refusal = refusalOf(result)
          if (refusal) record(operation, 'refused', refusal)
          else await pruneOldRefs(repo, core.ports).catch((error) => core.ports.log(`pruning failed: ${String(error)}`))
          return result
        } catch (error) {
          if (!operation.intent)
            record(operation, 'failed', { code: error instanceof AppError ? error.code : 'ERR_INTERNAL' })
          throw error
        } finally {
          core.emit('repo.changed', { repoId: repo.repository.id, what: ['refs', 'worktree', 'marks', 'history'] })
        }
      },
    )
  })
}

/** The person as git knows them. */
async function personOf(repo: RepositoryContext): Promise<string> {
  const config = await readConfig(repo.git)
  return config.findLast((entry) => entry.key === 'user.name')?.value || 'person'
}

/** Errors: ERR_READ_ONLY, or why `state.db` is not used. */
export function mustBeWritable(repo: RepositoryContext): void {
  if (repo.state.problem) throw repo.state.problem
  if (repo.repository.readOnly) throw new AppError('ERR_READ_ONLY', { path: repo.repository.commonDir })
}

function record(operation: RunningOperation, stage: 'refused' | 'failed' | 'done', outcome: unknown): void {
  const { repo } = operation
  try {
    recordOperation(repo.state, {
      ...rowOf(operation),
      endedAt: operation.ports.clock().toISOString(),
      stage,
      from: null,
      to: null,
      plan: null,
      outcome,
    })
  } catch (error) {
    // What was refused stays refused; only its line in the history is missing.
    operation.ports.log(`${operation.id} could not be recorded: ${String(error)}`)
  }
}
