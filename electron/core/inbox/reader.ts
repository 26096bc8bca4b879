import type { RepositoryContext } from '../context.ts'
import { type Checkout, readCheckouts } from '../git/checkouts.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { type OngoingOperation, ongoingOperation } from '../git/operationState.ts'
import { readStatus, type StatusEntry } from '../git/status.ts'
import { holdersOf } from '../git/worktrees.ts'
import { atOnce } from '../operations/atOnce.ts'
import { readStoreRuns, type StoreRuns, storeSignature } from '../store/storeRuns.ts'
import { type BranchFacts, readBranchFacts } from './facts.ts'
import { readWeek, type TrunkCommitFiles } from './week.ts'

/** Reads what the inbox needs and keeps what cannot change: facts by commits, run rows by the file's signature. */
export interface InboxReader {
  facts(tip: string, trunk: string | null): Promise<BranchFacts>
  runs(root: string): Promise<StoreRuns>
  week(trunk: string | null, now: Date): Promise<TrunkCommitFiles[]>
  /** Facts that were not asked for since the last call are forgotten. */
  sweep(): void
}

export function createInboxReader(repo: RepositoryContext): InboxReader {
  // Each asks a handful of git processes; many kept nights must not start them all together.
  const limited = atOnce(4)
  let kept = new Map<string, Promise<BranchFacts>>()
  let used = new Map<string, Promise<BranchFacts>>()
  let rows: { signature: string; value: Promise<StoreRuns> } | null = null
  let week: { key: string; value: Promise<TrunkCommitFiles[]> } | null = null
  return {
    facts(tip, trunk) {
      const key = `${tip} ${trunk}`
      const known = used.get(key) ?? kept.get(key)
      const value = known ?? limited(() => readBranchFacts(repo.git, tip, trunk))
      used.set(key, value)
      // A failure is told once and tried anew the next time.
      if (!known) value.catch(() => used.delete(key))
      return value
    },
    runs(root) {
      const signature = `${root} ${storeSignature(root)}`
      if (rows?.signature !== signature) rows = { signature, value: readStoreRuns(root) }
      return rows.value
    },
    week(trunk, now) {
      const key = `${trunk} ${now.toDateString()}`
      if (week?.key !== key) {
        const value = readWeek(repo.git, trunk, now)
        week = { key, value }
        value.catch(() => {
          week = null
        })
      }
      return week.value
    },
    sweep() {
      kept = used
      used = new Map()
    },
  }
}

export interface WorktreeState {
  readonly worktree: Checkout
  readonly status: readonly StatusEntry[]
  readonly operation: OngoingOperation | null
}

/** The worktrees, and the local state of those that hold trunk, a sleep branch, or were opened. */
export async function readWorktreeStates(
  repo: RepositoryContext,
  config: readonly ConfigEntry[],
  trunk: string,
  branches: readonly string[],
): Promise<{ worktrees: Checkout[]; states: Map<string, WorktreeState> }> {
  const worktrees = await readCheckouts(repo.git, repo.repository, config)
  const wanted = new Set(worktrees.filter((one) => one.gitDir === repo.gitDir && repo.worktree !== null))
  for (const branch of [trunk, ...branches])
    for (const one of worktrees) if (holdersOf([one], branch).length > 0) wanted.add(one)
  const states = await Promise.all(
    [...wanted].map(async (worktree): Promise<WorktreeState | null> => {
      if (worktree.missing || worktree.gitDir === null) return null
      // Files outside the repository's own folder are not looked at.
      if (worktree.outside !== null) return { worktree, status: [], operation: ongoingOperation(worktree.gitDir) }
      const status = await readStatus(repo.git.at(worktree.path))
      const unmerged = status.some((entry) => entry.kind === 'unmerged') ? 'unmerged-index' : null
      return { worktree, status, operation: ongoingOperation(worktree.gitDir) ?? unmerged }
    }),
  )
  const known = states.filter((state) => state !== null)
  return { worktrees, states: new Map(known.map((state) => [state.worktree.gitDir as string, state])) }
}
