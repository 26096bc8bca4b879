import { isAppError } from '../../../shared/errors/index.ts'
import type { SleepBranch } from '../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { holdersOf, type Worktree } from '../git/worktrees.ts'
import { advanceConflicts } from '../sleep/approvable.ts'
import type { Act } from '../store/doneActs.ts'
import type { StoreRun } from '../store/storeRuns.ts'
import { countViewed } from '../store/viewedCount.ts'
import { localFiltersOn } from '../usecases/trust.ts'
import { type BlockerInput, blockersOf, type Involved, readinessOf } from './blockers.ts'
import { type BranchFacts, readTip, type TipCommit } from './facts.ts'
import { inTheWay } from './localChanges.ts'
import type { InboxReader, WorktreeState } from './reader.ts'
import { settledState } from './settled.ts'
import type { SleepRef } from './sleepRefs.ts'

const NO_FILTERS: Awaited<ReturnType<typeof localFiltersOn>> = { untrusted: [], paths: new Set() }
/** Stands for the time of a commit that is gone: it sorts last. */
const GONE = '1970-01-01T00:00:00.000Z'

/** What describing branches needs to know of the repository. */
export interface Situation {
  readonly core: CoreContext
  readonly repo: RepositoryContext
  readonly config: readonly ConfigEntry[]
  readonly reader: InboxReader
  readonly trunk: { readonly branch: string; readonly oid: string | null }
  readonly worktrees: readonly Worktree[]
  readonly states: ReadonlyMap<string, WorktreeState>
  readonly runs: readonly StoreRun[]
  readonly acts: readonly Act[]
  readonly untrusted: BlockerInput['untrusted']
}

/** One sleep branch with its state. `runAt`: when its run made the tip, null where the tip names no such run. */
export async function describeBranch(
  situation: Situation,
  ref: SleepRef,
): Promise<{ branch: SleepBranch; runAt: string | null }> {
  const { core, repo, reader, trunk, worktrees } = situation
  const tip = await readTip(repo.objects, ref.tip)
  const facts = tip ? await factsOrGone(reader, ref.tip, trunk.oid) : null
  const concerned = facts !== null && ref.remote === null
  const filters =
    concerned && trunk.oid
      ? await localFiltersOn(core, repo, situation.config, [ref.tip, trunk.oid], facts.touched)
      : NO_FILTERS
  const settled = tip && facts ? settle(situation, ref, tip, facts) : 'open'
  const involved = concerned ? await involvedIn(situation, ref, facts, filters.paths) : []
  const blockers = blockersOf({
    ref,
    trunk,
    facts,
    empty: settled === 'empty',
    conflicts: concerned ? await advanceConflicts(repo, situation.config, facts, ref.tip, trunk.oid) : null,
    worktrees,
    involved,
    // Where no worktree follows, no file is written out and no filter runs.
    untrusted: [...situation.untrusted, ...(involved.length > 0 ? filters.untrusted : [])],
  })
  const merged = settled === 'already-merged'
  const viewed = facts ? countViewed(repo.state, facts.items) : 0
  const files = facts?.items.length ?? 0
  const holder = ref.remote === null ? holdersOf(worktrees, ref.branch)[0] : undefined
  const first = blockers[0]
  const branch: SleepBranch = {
    ref: ref.ref,
    branch: ref.branch,
    remote: ref.remote,
    tip: ref.tip,
    base: facts?.base ?? null,
    commits: facts?.commits ?? 0,
    files,
    committedAt: tip?.at ?? GONE,
    readiness: merged ? 'ready' : readinessOf(blockers),
    status: merged
      ? { state: 'already-merged' }
      : first
        ? { state: 'blocked', blockers: [first, ...blockers.slice(1)] }
        : { state: 'ready' },
    checkedOutIn: holder?.path ?? null,
    viewed,
    left: files - viewed,
  }
  return { branch, runAt: tip?.run === ref.run ? tip.at : null }
}

/** A commit below the tip, or a tree, may be gone although the tip is there: then the branch is as good as gone. */
async function factsOrGone(reader: InboxReader, tip: string, trunk: string | null): Promise<BranchFacts | null> {
  try {
    return await reader.facts(tip, trunk)
  } catch (error) {
    if (isAppError(error, 'ERR_GIT') || isAppError(error, 'ERR_REPOSITORY_DAMAGED')) return null
    throw error
  }
}

function settle(situation: Situation, ref: SleepRef, tip: TipCommit, facts: BranchFacts) {
  const row = situation.runs.find((one) => one.branch === ref.run)
  return settledState({
    tip: ref.tip,
    onTrunk: facts.base === ref.tip,
    row: row ? { status: row.status, baseSha: row.baseSha } : null,
    tipNamesRun: tip.run === ref.run,
    approvedHere: situation.acts.some(
      (act) => act.verb === 'approve' && act.branch === ref.branch && act.tip === ref.tip,
    ),
  })
}

/** The worktrees that approving has to keep consistent: those on trunk and those on the branch. */
async function involvedIn(
  situation: Situation,
  ref: SleepRef,
  facts: BranchFacts,
  unsure: ReadonlySet<string>,
): Promise<Involved[]> {
  const { repo, trunk, states, worktrees } = situation
  const onTrunk = new Set(holdersOf(worktrees, trunk.branch).map((one) => one.gitDir))
  const onBranch = new Set(holdersOf(worktrees, ref.branch).map((one) => one.gitDir))
  const concerned = [...states.values()].filter(
    ({ worktree }) => onTrunk.has(worktree.gitDir) || onBranch.has(worktree.gitDir),
  )
  const look = async (state: WorktreeState): Promise<Involved> => {
    const { gitDir, path } = state.worktree
    const added = onTrunk.has(gitDir) ? withoutPaths(facts.added, facts.overlap) : new Map<string, string>()
    // A file whose filter may not run is told as changed when only its time is new: that alone does not count.
    const status = state.status.filter((entry) => entry.staged || entry.deleted || !unsure.has(entry.path))
    const found = await inTheWay({ git: repo.git.at(path), status, touched: facts.touched, added })
    return { worktree: state.worktree, operation: state.operation, inTheWay: found }
  }
  return Promise.all(concerned.map(look))
}

function withoutPaths(added: ReadonlyMap<string, string>, paths: readonly string[]): Map<string, string> {
  const left = new Map(added)
  for (const path of paths) left.delete(path)
  return left
}
