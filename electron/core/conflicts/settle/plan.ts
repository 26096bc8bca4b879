import type { ConflictItem, ConflictStage } from '../../../../shared/model/index.ts'

/** What lies, or is to lie, at a path of a working tree. */
export type DiskForm =
  | { readonly is: 'nothing' }
  /** A file with exactly the bytes of this blob, whatever git's conversions. */
  | { readonly is: 'bytes'; readonly oid: string; readonly executable: boolean }
  | { readonly is: 'link'; readonly oid: string }
  /** What git writes out for this entry. */
  | { readonly is: 'checkout'; readonly mode: string; readonly oid: string }
  /** A submodule's folder: made where nothing is, else left alone. */
  | { readonly is: 'folder' }
  /** Whatever is there stays. */
  | { readonly is: 'as-it-is' }

/** One entry of the index. Stage 0 is a settled path. */
export interface IndexEntry {
  readonly stage: 0 | 1 | 2 | 3
  readonly mode: string
  readonly oid: string
}

/** One path of a step between "in conflict" and "resolved", in either direction. */
export interface PathStep {
  readonly path: string
  readonly index: { readonly from: readonly IndexEntry[]; readonly to: readonly IndexEntry[] }
  readonly disk: { readonly from: DiskForm; readonly to: DiskForm }
}

interface Place {
  readonly commonDir: string
  readonly worktree: string
  readonly gitDir: string
}

/** Marks an item resolved or takes that back: all that is needed to finish it or to put everything back. */
export interface SettlePlan extends Place {
  readonly kind: 'settle'
  /** Empty until the index is locked and everything was looked at. */
  readonly steps: readonly PathStep[]
  /** Keeps the blobs of both ends alive, at the undo ref of the operation; null before there is one. */
  readonly kept: string | null
  /** What git was in the middle of: taking it back is only right while that is the same. */
  readonly during: string
  /** The item that is settled; null where the whole operation of git's is given up. */
  readonly item: ConflictItem | null
  /** The operation of git's that is forgotten once all is in place. */
  readonly quit: 'merge' | 'cherry-pick' | 'revert' | null
  /** The operation that this one takes back. */
  readonly undoes: string | null
  readonly trusted: boolean
}

/** Goes on with what git is in the middle of, or gives it up, by git's own command. */
export interface ContinuePlan extends Place {
  readonly kind: 'continue'
  readonly operation: string
  readonly act: 'continue' | 'abort'
  /** HEAD before, null where there was none. */
  readonly head: string | null
  /** The commits that a merge brings in; empty for all else. */
  readonly merging: readonly string[]
  readonly startedAt: string
}

export const isSettlePlan = (plan: unknown): plan is SettlePlan => kindOf(plan) === 'settle'
export const isContinuePlan = (plan: unknown): plan is ContinuePlan => kindOf(plan) === 'continue'

const kindOf = (plan: unknown) => (plan as { kind?: unknown } | null)?.kind

export const stagesOf = (stages: readonly ConflictStage[], path: string): IndexEntry[] =>
  stages.filter((one) => one.path === path).map(({ stage, mode, oid }) => ({ stage, mode, oid }))

export function sameEntries(one: readonly IndexEntry[], other: readonly IndexEntry[]): boolean {
  const text = (entries: readonly IndexEntry[]) =>
    entries.map((entry) => `${entry.stage} ${entry.mode} ${entry.oid}`).sort()
  return text(one).join() === text(other).join()
}
