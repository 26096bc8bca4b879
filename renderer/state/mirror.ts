import { createStore, type StoreApi } from 'zustand/vanilla'
import type { WireError } from '../../shared/errors/appError.ts'
import type {
  AppInfo,
  ApprovalPreview,
  AppSettings,
  CandidateRow,
  ConflictList,
  FileChange,
  FileReview,
  HistoryEntry,
  Inbox,
  LossReport,
  OperationProgress,
  RecentRepository,
  Repository,
  Review,
  RunCommit,
} from '../../shared/model/index.ts'

/** Something that was asked for: here, or a failure instead. Absent: not asked yet, or on its way. */
export type Loaded<T> = { readonly value: T } | { readonly problem: WireError }

export interface RepoMirror {
  readonly repository: Repository
  readonly inbox: Inbox | null
  readonly history: readonly HistoryEntry[] | null
  /** Why the inbox could not be read last time; the inbox before it stays. */
  readonly problem: WireError | null
}

export interface ReviewMirror {
  readonly review: Review | null
  readonly preview: ApprovalPreview | null
  readonly problem: WireError | null
}

/** What is in conflict in a repository; the last list stays where it could not be read again. */
export interface ConflictsMirror {
  readonly list: ConflictList | null
  readonly problem: WireError | null
}

/** The candidates of a repository; the last list stays where it could not be read again. */
export interface CandidatesMirror {
  readonly list: readonly CandidateRow[] | null
  /** Lines that agents' answers lost. */
  readonly losses: readonly LossReport[]
  readonly problem: WireError | null
}

/** A verb under way, with all output of its gate so far. */
export interface Running extends Omit<OperationProgress, 'output'> {
  readonly output: string
}

export interface CommitFiles {
  readonly commit: RunCommit
  readonly files: readonly FileChange[]
}

/** What the core last said. Only the actions write it. */
export interface Mirror {
  readonly info: AppInfo | null
  /** Settings that were chosen before the first facts had come; kept as soon as they are there. */
  readonly chosen: Partial<AppSettings> | null
  readonly recent: readonly RecentRepository[]
  readonly repos: Readonly<Record<string, RepoMirror>>
  readonly reviews: Readonly<Record<string, ReviewMirror>>
  readonly files: Readonly<Record<string, Loaded<FileReview>>>
  readonly commits: Readonly<Record<string, Loaded<CommitFiles>>>
  /** By repository. */
  readonly conflicts: Readonly<Record<string, ConflictsMirror>>
  /** By repository. */
  readonly candidates: Readonly<Record<string, CandidatesMirror>>
  readonly running: Readonly<Record<string, Running>>
  readonly connected: boolean
  /** Reading the first facts failed: nothing can be shown yet. */
  readonly fatal: WireError | null
}

export type MirrorStore = StoreApi<Mirror>

/** The key of one branch of one repository. */
export const branchKey = (repoId: string, branch: string): string => `${repoId} ${branch}`

/** The key of one file of a review. The tip is part of it, so another tip never shows an old file. */
export const fileKey = (
  review: Pick<Review, 'repoId' | 'run' | 'tip' | 'base'>,
  path: string,
  commit: string | null,
): string => [review.repoId, review.run.branch, review.base ?? '', review.tip, commit ?? '', path].join('\n')

export const commitKey = (review: Pick<Review, 'repoId' | 'run'>, commit: string): string =>
  [review.repoId, review.run.branch, commit].join('\n')

export function createMirror(): MirrorStore {
  return createStore<Mirror>(() => ({
    info: null,
    chosen: null,
    recent: [],
    repos: {},
    reviews: {},
    files: {},
    commits: {},
    conflicts: {},
    candidates: {},
    running: {},
    connected: true,
    fatal: null,
  }))
}
