import type { MarksOutcome, Refusal } from '../../../shared/model/index.ts'
import type { BranchFacts } from '../inbox/facts.ts'
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

/** The refusal where trunk has moved on. */
export const advancedBy = (facts: BranchFacts): Refusal => ({
  refusal: 'main-advanced',
  commits: facts.trunkCommits,
  overlap: [...facts.overlap],
  conflicts: null,
})
