import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { AppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { readCheckouts } from '../../git/checkouts.ts'
import { readConfig } from '../../git/drivers.ts'
import { copyIndex, indexLockPath, ownsIndexLock, releaseIndexLock, takeIndexLock } from '../../git/indexFile.ts'
import { filteredPaths, localFilters } from '../../git/localFilters.ts'
import { untilFree } from '../../git/locks.ts'
import type { Git } from '../../git/process.ts'
import { undoRef } from '../../operations/plan.ts'
import { workFolder } from '../../operations/work.ts'
import type { Ports } from '../../ports.ts'
import { type OperationRow, setStage, setUndone } from '../../store/operations.ts'
import { bringTo } from './diskForms.ts'
import { readEntries } from './indexEntries.ts'
import { type SettlePlan, sameEntries } from './plan.ts'

export interface MendSetup {
  readonly repo: RepositoryContext
  readonly ports: Ports
  /** The repository's own filters act in it only where the operation had leave and still has it. */
  readonly git: Git
  readonly trusted: boolean
  fault(point: string): void
}

/** Where a plan's worktree is now: the repository may have been moved, or be a copy, since it was made. */
export async function placeNow(
  repo: Pick<RepositoryContext, 'repository' | 'git'>,
  plan: { readonly commonDir: string; readonly gitDir: string; readonly worktree: string },
): Promise<{ readonly gitDir: string; readonly worktree: string }> {
  const { commonDir } = repo.repository
  const gitDir = join(commonDir, relative(plan.commonDir, plan.gitDir))
  const checkouts = await readCheckouts(repo.git, repo.repository, await readConfig(repo.git))
  const there = checkouts.find((one) => one.gitDir === gitDir && one.outside === null)
  return { gitDir, worktree: there?.path ?? '' }
}

/**
 * Finishes or takes back a resolving that was cut off. The index says which: where it has the new entries the files
 * follow it, else they go back to what they were. A file that holds anything else was edited since and stays.
 * Errors: ERR_LOCKED, ERR_TORN_FILES.
 */
export async function mendSettle(setup: MendSetup, row: OperationRow, plan: SettlePlan): Promise<void> {
  const { repo, ports } = setup
  const { gitDir, worktree } = await placeNow(repo, plan)
  const folder = workFolder(repo, row.id)
  let moved = row.stage === 'moved'
  if (!moved && plan.steps.length > 0 && existsSync(worktree)) {
    if (!ownsIndexLock(gitDir, row.id)) {
      const lock = { path: indexLockPath(gitDir), what: `The index of ${worktree}` }
      await untilFree(async () => (takeIndexLock(gitDir, row.id) ? true : null), [lock])
    }
    const git = setup.git.at(worktree)
    const file = join(folder, '0.index')
    // A git that was killed along with us leaves its lock on our own file; nobody else takes one there.
    rmSync(`${file}.lock`, { force: true })
    copyIndex(gitDir, file)
    const entries = await readEntries(git, file)
    moved = plan.steps.every((step) => sameEntries(entries.get(step.path) ?? [], step.index.to))
    const unmoved = plan.steps.filter((step) => sameEntries(entries.get(step.path) ?? [], step.index.from))
    setup.fault('looked')
    const steps = moved ? plan.steps : unmoved
    const left = await bringTo({ git, objects: repo.objects }, steps, moved ? 'to' : 'from', file)
    setup.fault('files settled')
    await needNoFilter(setup, row, plan, git, left)
  }
  const endedAt = ports.clock().toISOString()
  // The lock that a killed git left on the operation's own ref. The ref itself harms nobody and is pruned in time.
  rmSync(join(repo.repository.commonDir, `${undoRef(row.id)}.lock`), { force: true })
  releaseIndexLock(gitDir, row.id)
  rmSync(folder, { recursive: true, force: true })
  setup.fault('locks gone')
  if (moved && plan.quit) await quitOperation(setup.git.at(worktree), gitDir, plan.quit)
  if (moved && plan.undoes) setUndone(repo.state, plan.undoes, row.id)
  if (moved) setStage(repo.state, row.id, 'done', { endedAt, outcome: outcomeOf(plan) })
  else setStage(repo.state, row.id, 'rolled-back', { endedAt })
  setup.fault('mended')
}

/** Makes git forget an operation, index and files as they are. May be done twice. */
export async function quitOperation(
  git: Git,
  gitDir: string,
  operation: NonNullable<SettlePlan['quit']>,
): Promise<void> {
  const file = { merge: 'MERGE_HEAD', 'cherry-pick': 'CHERRY_PICK_HEAD', revert: 'REVERT_HEAD' }[operation]
  if (existsSync(join(gitDir, file))) await git.run([operation, '--quit'])
}

/** What the history keeps of it. */
export const outcomeOf = (plan: Pick<SettlePlan, 'item' | 'quit'>) =>
  plan.item
    ? { path: plan.item.path, item: plan.item.id }
    : { operation: plan.quit ?? 'stash', act: 'abort', ended: true }

/** Without their filter, files that a killed git wrote with it cannot be told from edited ones. */
async function needNoFilter(
  setup: MendSetup,
  row: OperationRow,
  plan: SettlePlan,
  git: Git,
  left: readonly string[],
): Promise<void> {
  if (!plan.trusted || setup.trusted || left.length === 0) return
  const names = new Set(localFilters(await readConfig(git)).keys())
  const paths = [...(await filteredPaths(git, [], left, names)).keys()]
  if (paths.length > 0) throw new AppError('ERR_TORN_FILES', { paths, operationId: row.id })
}
