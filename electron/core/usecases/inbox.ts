import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { Inbox, SleepBranch } from '../../../shared/model/index.ts'
import type { CoreContext, Look, RepositoryContext } from '../context.ts'
import { holdersOf, type Worktree } from '../git/worktrees.ts'
import { describeBranch, type Situation } from '../inbox/describe.ts'
import { latestRun } from '../inbox/lastRun.ts'
import { createInboxReader, type InboxReader, readWorktreeStates } from '../inbox/reader.ts'
import { findSleepRefs, type SleepRef } from '../inbox/sleepRefs.ts'
import { sumUp } from '../inbox/sums.ts'
import { writersOf } from '../inbox/week.ts'
import { doneActs, marksWaiting } from '../store/doneActs.ts'
import { readTrust } from './trust.ts'

/** Local changes that are named in the list; the total counts all. */
const SHOWN_CHANGES = 200

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
