import { AppError } from '../../shared/errors/index.ts'
import type { Inbox, Repository, SleepBranch } from '../../shared/model/index.ts'
import type { Session } from './session.ts'

/** Local sleep branches that are not merged yet: what a verb without a RUN may mean. */
export function waiting(inbox: Inbox): SleepBranch[] {
  return inbox.sleepBranches.filter((run) => run.remote === null && run.status.state !== 'already-merged')
}

/**
 * The branch that RUN names: a branch's name as it is, else a run's id (`2026-11-30`), found in the inbox or put into the
 * pattern of sleep branches. Without RUN the only one that waits. Errors: ERR_WHICH_RUN.
 */
export async function resolveRun(
  session: Session,
  repository: Repository,
  run: string | undefined,
  verb: string,
): Promise<string> {
  if (run?.includes('/')) return run
  const inbox = await session.call('inbox.get', { repoId: repository.id })
  if (run !== undefined) {
    const known = inbox.sleepBranches.find((one) => one.branch === run || one.branch.endsWith(`/${run}`))
    if (known) return known.branch
    const config = await session.call('config.get', { repoId: repository.id })
    return (config.sleep?.value ?? 'sleep/*').replace('*', () => run)
  }
  const runs = waiting(inbox).map((one) => one.branch)
  const [only] = runs
  if (only === undefined || runs.length > 1) throw new AppError('ERR_WHICH_RUN', { runs, verb })
  return only
}
