import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { isAppError } from '../../../shared/errors/index.ts'
import type { Inbox, SleepBranch } from '../../../shared/model/index.ts'
import type { CoreContext, Look, RepositoryContext } from '../context.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { holdersOf, type Worktree } from '../git/worktrees.ts'
import { type Act, doneActs, marksWaiting } from '../inbox/acts.ts'
import { blockersOf, type Involved, readinessOf } from '../inbox/blockers.ts'
import { type BranchFacts, readTip, type TipCommit } from '../inbox/facts.ts'
import { latestRun } from '../inbox/lastRun.ts'
import { inTheWay } from '../inbox/localChanges.ts'
import { createInboxReader, type InboxReader, readWorktreeStates, type WorktreeState } from '../inbox/reader.ts'
import { settledState } from '../inbox/settled.ts'
import { findSleepRefs, type SleepRef } from '../inbox/sleepRefs.ts'
import { sumUp } from '../inbox/sums.ts'
import { countViewed } from '../inbox/viewedCount.ts'
import { writersOf } from '../inbox/week.ts'
import type { StoreRun } from '../store/storeRuns.ts'
import { localFiltersOn, readTrust } from './trust.ts'

/** Local changes that are named in the list; the total counts all. */
const SHOWN_CHANGES = 200
const NONE: Awaited<ReturnType<typeof localFiltersOn>> = { untrusted: [], paths: new Set() }
const GONE = '1970-01-01T00:00:00.000Z'

interface Situation {
  readonly core: CoreContext
  readonly repo: RepositoryContext
  readonly config: readonly ConfigEntry[]
  readonly reader: InboxReader
  readonly trunk: { readonly branch: string; readonly oid: string | null }
  readonly worktrees: readonly Worktree[]
  readonly states: ReadonlyMap<string, WorktreeState>
  readonly runs: readonly StoreRun[]
  readonly acts: readonly Act[]
  readonly untrusted: Extract<Parameters<typeof blockersOf>[0]['untrusted'], readonly unknown[]>
}

const readers = new WeakMap<RepositoryContext, InboxReader>()

function readerOf(repo: RepositoryContext): InboxReader {
  const known = readers.get(repo)
  if (known) return known
  const made = createInboxReader(repo)
  readers.set(repo, made)
  return made
}

export function inboxHandlers(core: CoreContext): Pick<CoreHandlers, 'inbox.get'> {
  return { 'inbox.get': ({ repoId }) => readInbox(core, core.repo(repoId)) }
}

/** All that waits in a repository. Reads only. Errors: ERR_PATH_NOT_FOUND where the repository is gone. */
async function readInbox(core: CoreContext, repo: RepositoryContext): Promise<Inbox> {
  const reader = readerOf(repo)
  const now = core.ports.clock()
  const look = await repo.look()
  const { repository, snapshot, settings } = look
  const { trunk } = repository
  const refs = findSleepRefs(snapshot, settings.sleepPattern, trunk.branch)
  const [situation, week] = await Promise.all([situationOf(core, repo, look, refs), reader.week(trunk.oid, now)])
  const { acts, runs, states } = situation
  const described = await Promise.all(refs.map((ref) => describeBranch(situation, ref)))
  reader.sweep()
  const opened = states.get(repo.gitDir)
  const changed = (opened?.status ?? []).map((entry) => entry.path).sort()
  return {
    repository,
    tree: { clean: changed.length === 0, changed: changed.slice(0, SHOWN_CHANGES), total: changed.length },
    sleepBranches: described.map((one) => one.branch).sort(newestFirst),
    marksWaiting: marksWaiting(acts),
    ...(await sumUp(reader, acts, week, now)),
    lastRun: latestRun(
      runs,
      described.flatMap((one) => (one.runAt ? [{ branch: one.branch.branch, at: one.runAt }] : [])),
      acts,
    ),
    writers: writersOf(week),
  }
}

/**
 * One sleep branch as the inbox shows it. `branch` null: no sleep branch has that name; `run` is then the store's row of
 * that run, if it has one.
 */
export async function readSleepBranch(core: CoreContext, repo: RepositoryContext, look: Look, name: string) {
  const refs = findSleepRefs(look.snapshot, look.settings.sleepPattern, look.repository.trunk.branch)
  const ref = refs.find((one) => one.branch === name)
  const situation = await situationOf(core, repo, look, ref ? [ref] : [])
  const run = situation.runs.find((one) => one.branch === name) ?? null
  if (!ref) return { branch: null, run }
  return { branch: (await describeBranch(situation, ref)).branch, run }
}

/** What describing branches needs to know of the repository. */
async function situationOf(
  core: CoreContext,
  repo: RepositoryContext,
  look: Look,
  refs: readonly SleepRef[],
): Promise<Situation> {
  const reader = readerOf(repo)
  const { trunk } = look.repository
  const local = refs.filter((ref) => ref.remote === null).map((ref) => ref.branch)
  const { worktrees, states } = await readWorktreeStates(repo, look.config, trunk.branch, local)
  const root = storeRoot(repo, worktrees, trunk.branch)
  const store = root ? await reader.runs(root) : { runs: [] }
  const untrusted = look.settings.gate ? await untrustedGate(core, repo) : []
  const acts = doneActs(repo.state)
  return { core, repo, config: look.config, reader, trunk, worktrees, states, runs: store.runs, acts, untrusted }
}

const newestFirst = (a: SleepBranch, b: SleepBranch): number =>
  b.committedAt.localeCompare(a.committedAt) || b.branch.localeCompare(a.branch)

async function untrustedGate(core: CoreContext, repo: RepositoryContext) {
  const trust = await readTrust(core, repo)
  return trust.state === 'trusted' ? [] : trust.items.filter((item) => item.kind === 'gate')
}

/** The worktree whose `.memhtml/` databases belong to trunk: the one where trunk is checked out, else the main one. */
function storeRoot(repo: RepositoryContext, worktrees: readonly Worktree[], trunk: string): string | null {
  const holder = holdersOf(worktrees, trunk)[0] ?? worktrees.find((one) => one.main && !one.bare)
  if (!holder || holder.missing) return null
  return holder.gitDir === repo.gitDir && repo.worktree ? repo.worktree : holder.path
}

async function describeBranch(
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
      : NONE
  const settled = tip && facts ? settle(situation, ref, tip, facts) : 'open'
  const blockers = blockersOf({
    ref,
    trunk,
    facts,
    empty: settled === 'empty',
    worktrees,
    involved: concerned ? involvedIn(situation, ref, facts, filters.paths) : [],
    untrusted: [...situation.untrusted, ...filters.untrusted],
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
function involvedIn(situation: Situation, ref: SleepRef, facts: BranchFacts, unsure: ReadonlySet<string>): Involved[] {
  const { trunk, states, worktrees } = situation
  const onTrunk = new Set(holdersOf(worktrees, trunk.branch).map((one) => one.gitDir))
  const onBranch = new Set(holdersOf(worktrees, ref.branch).map((one) => one.gitDir))
  return [...states.values()].flatMap((state) => {
    const { gitDir } = state.worktree
    if (!onTrunk.has(gitDir) && !onBranch.has(gitDir)) return []
    const added = onTrunk.has(gitDir) ? withoutPaths(facts.added, facts.overlap) : new Map<string, string>()
    // A file whose filter may not run is told as changed when only its time is new: that alone does not count.
    const status = state.status.filter((entry) => entry.staged || entry.deleted || !unsure.has(entry.path))
    const found = inTheWay({ worktree: state.worktree.path, status, touched: facts.touched, added })
    return [{ worktree: state.worktree, operation: state.operation, inTheWay: found }]
  })
}

function withoutPaths(added: ReadonlyMap<string, string>, paths: readonly string[]): Map<string, string> {
  const left = new Map(added)
  for (const path of paths) left.delete(path)
  return left
}
