import { AppError } from '../../../shared/errors/index.ts'
import type { Refusal } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { type Checkout, readHoldingCheckouts } from '../git/checkouts.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { ongoingOperation } from '../git/operationState.ts'
import { LOCAL, type RefSnapshot } from '../git/refs.ts'
import { readConfigWithFilters } from '../git/worktreeConfig.ts'
import { holdersOf } from '../git/worktrees.ts'
import type { Home } from '../operations/plan.ts'
import type { RepositorySettings } from '../usecases/settings.ts'

/** What the verbs look at before anything moves. */
export interface Situation {
  readonly repo: RepositoryContext
  readonly settings: RepositorySettings
  readonly snapshot: RefSnapshot
  readonly trunk: { readonly branch: string; readonly ref: string; readonly oid: string }
  readonly config: readonly ConfigEntry[]
  /** Without the commits of their HEADs. */
  readonly checkouts: readonly Checkout[]
  /** The folder whose `.memhtml/` databases belong to trunk; null where there is none. */
  readonly store: string | null
  readonly ignoreCase: boolean
  readonly home: Home
}

/** Reads it all anew. Errors: ERR_NO_TRUNK. */
export async function readSituation(repo: RepositoryContext): Promise<Situation> {
  const { repository, snapshot, settings, config: own } = await repo.look()
  const config = await readConfigWithFilters(repo.git, repository.commonDir, own)
  const { branch, oid } = repository.trunk
  if (oid === null) throw new AppError('ERR_NO_TRUNK', { path: repository.path, tried: [branch] })
  const checkouts = await readHoldingCheckouts(repo.git, repository, config)
  const holder = holdersOf(checkouts, branch)[0] ?? checkouts.find((one) => one.main)
  const store = holder && !holder.missing ? ((holder as Checkout).path ?? null) : null
  const home: Home = {
    commonDir: repository.commonDir,
    store,
    storeGitDir: store === null ? null : (holder?.gitDir ?? null),
  }
  return {
    repo,
    home,
    settings,
    snapshot,
    trunk: { branch, ref: LOCAL + branch, oid },
    config,
    checkouts,
    store,
    ignoreCase: config.findLast((entry) => entry.key === 'core.ignorecase')?.value === 'true',
  }
}

/** Who holds these branches, as something to compare. */
export function holdersSignature(checkouts: readonly Checkout[], branches: readonly string[]): string {
  const lines = branches.flatMap((branch) =>
    holdersOf(checkouts, branch).map((one) => `${branch} ${one.path} ${one.branch} ${one.missing}`),
  )
  return lines.sort().join('\n')
}

/**
 * The worktrees that hold a branch and whose files would have to follow it. A refusal where one of them cannot: it is
 * in the middle of something, its files are elsewhere, or it was taken out and may come back.
 */
export function usableHolders(
  checkouts: readonly Checkout[],
  branch: string,
):
  | { readonly refusal: Refusal }
  | { readonly refusal: null; readonly holders: readonly (Checkout & { gitDir: string })[] } {
  const holders: (Checkout & { gitDir: string })[] = []
  for (const one of holdersOf(checkouts, branch) as Checkout[]) {
    if (one.missing && !one.locked) continue
    if (one.missing) return { refusal: { refusal: 'branch-in-use', branch, worktree: one.path } }
    if (one.outside !== null || one.gitDir === null)
      return { refusal: { refusal: 'worktree-outside', worktree: one.path, target: one.outside ?? one.path } }
    const operation = ongoingOperation(one.gitDir)
    if (operation) return { refusal: { refusal: 'operation-in-progress', worktree: one.path, operation } }
    holders.push({ ...one, gitDir: one.gitDir })
  }
  return { refusal: null, holders }
}
