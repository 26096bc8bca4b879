import type { MarksOutcome, Refusal } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import type { BranchFacts } from '../inbox/facts.ts'
import { conflictsBetween } from './merge.ts'
import type { RunState } from './runState.ts'
import type { Situation } from './situation.ts'

export interface ApproveInput {
  readonly branch: string
  readonly except: readonly string[]
  /** Merges trunk in first, where it has moved on disjointly and cleanly. */
  readonly bringMainIn: boolean
  /** The tip that was reviewed; another one is an error. */
  readonly tip?: string
}

/** A run that can be approved now, as far as its branch is concerned. */
export interface Approvable {
  readonly situation: Situation
  readonly run: Extract<RunState, { state: 'open' }>
  readonly facts: BranchFacts
  /** Where the branch itself is; `run.tip` may be a merge on top of it that nothing refers to yet. */
  readonly branchAt: string
}

/** The outcome where there is no ledger. */
export const NO_MARKS: MarksOutcome = { pending: 0, applied: 0, held: [], malformed: 0, failure: null }

/** The refusal where trunk has moved on, with what a merge could not settle. */
export async function advancedBy({ situation, run, facts }: Omit<Approvable, 'branchAt'>): Promise<Refusal> {
  const { repo, config, trunk } = situation
  return {
    refusal: 'main-advanced',
    commits: facts.trunkCommits,
    overlap: [...facts.overlap],
    conflicts: await advanceConflicts(repo, config, facts, run.tip, trunk.oid),
  }
}

/** Paths that bringing trunk in could not settle; null where no path was changed on both sides, or trunk has not moved. */
export async function advanceConflicts(
  repo: Pick<RepositoryContext, 'git' | 'repository'>,
  config: readonly ConfigEntry[],
  facts: BranchFacts,
  tip: string,
  trunk: string | null,
): Promise<string[] | null> {
  if (trunk === null || facts.base === trunk || facts.overlap.length === 0) return null
  return conflictsBetween(repo.git, config, repo.repository.commonDir, trunk, tip)
}
