import type { Mark } from '../../../shared/model/index.ts'
import type { RefUpdate } from '../git/refTransaction.ts'

/** A working tree whose files go from one tree to another; the same tree twice where only HEAD changes its branch. */
export interface TreeMove {
  readonly worktree: string
  readonly gitDir: string
  /** Commit or tree that its HEAD has before. */
  readonly from: string
  readonly to: string
  /** Local changes on paths that differ from this commit stand in the way too, though their files stay. */
  readonly guard: string | null
  /** Files that were the person's before they became tracked: where these leave the tree they stay, untracked again. */
  readonly keep?: readonly string[]
}

/** Untracked files of the person's that held what came, so that the move only made them known to git. */
export interface Adopted {
  readonly gitDir: string
  readonly paths: readonly string[]
}

/** A HEAD that is put elsewhere once the refs have moved: on a branch (full ref), or detached at a commit. */
export interface HeadMove {
  readonly worktree: string
  readonly gitDir: string
  readonly fromRef: string
  readonly to: { readonly ref: string } | { readonly detachedAt: string }
}

/** What is done after the refs have moved. Every step may be done twice. */
export interface FollowUp {
  /** The branch that goes, if it is still at this commit. */
  readonly removeBranch: { readonly ref: string; readonly oid: string } | null
  /** Applies the ledger that a run has at this commit to the store's databases. */
  readonly marks: { readonly run: string; readonly commit: string; readonly held: readonly Mark[] } | null
  /** What the run's row becomes. */
  readonly run: {
    readonly runId: string
    readonly status: 'merged' | 'abandoned'
    readonly headSha: string | null
  } | null
  /** The operation whose database rows are put back. */
  readonly restoreRowsOf: string | null
  /** A branch that came back under another name gets a run's row of its own, as the operation found that run's. */
  readonly restoreRunAs: { readonly of: string; readonly runId: string } | null
  /** What was left out, to be remembered; on undo, the branch whose declined changes are forgotten. */
  readonly declined: readonly { readonly path: string; readonly changeKey: string }[]
  readonly forgetDeclinedOf: string | null
  /** The operation that this one undoes. */
  readonly undoes: string | null
  /** Candidates that this publish answers; `answer` is JSON. Plans of older versions have none. */
  readonly answered?: readonly { readonly candidate: string; readonly answer: string; readonly lost?: number }[]
}

/** Where the repository was when a plan was made: it may have been moved or copied when the plan is mended. */
export interface Home {
  readonly commonDir: string
  /** The folder whose `.memhtml/` databases belong to trunk, and its git folder; null where there is none. */
  readonly store: string | null
  readonly storeGitDir: string | null
}

/** All that is needed to finish an operation or to roll it back. `refs` move together; the first one decides. */
export interface Plan extends Home {
  readonly refs: readonly RefUpdate[]
  readonly trees: readonly TreeMove[]
  /** Written once the checks under the locks have found them, for the undoing of this move. */
  readonly adopted?: readonly Adopted[]
  readonly heads: readonly HeadMove[]
  readonly follow: FollowUp
  /** The repository's own filters and hooks act: the person had accepted them. */
  readonly trusted: boolean
  /** What the verb will answer, as far as it is known before; kept so that a mended act reads like any other. */
  readonly facts: Readonly<Record<string, unknown>>
}

export const NO_FOLLOW: FollowUp = {
  removeBranch: null,
  marks: null,
  run: null,
  restoreRowsOf: null,
  restoreRunAs: null,
  declined: [],
  forgetDeclinedOf: null,
  undoes: null,
}

export const undoRef = (operation: string): string => `refs/daybreak/undo/${operation}`
export const keptRef = (operation: string): string => `refs/daybreak/kept/${operation}`
