import * as z from 'zod'
import { BranchName, Instant, Oid, RepoId } from './common.ts'
import { Refusal } from './refusal.ts'
import { Repository, TreeState } from './repository.ts'

/** `ready` can be approved now; `needs` needs something first (a step helps); `stop` cannot be approved. */
export const Readiness = z.enum(['ready', 'needs', 'stop'])
export type Readiness = z.infer<typeof Readiness>

export const SleepBranchState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('ready') }),
  z.strictObject({ state: z.literal('already-merged') }),
  z.strictObject({ state: z.literal('blocked'), blockers: z.array(Refusal).min(1) }),
])
export type SleepBranchState = z.infer<typeof SleepBranchState>

export const SleepBranch = z.strictObject({
  /** Full ref, `refs/heads/sleep/…` or `refs/remotes/origin/sleep/…`. */
  ref: z.string(),
  branch: BranchName,
  /** Name of the remote, null for a local branch. */
  remote: z.string().nullable(),
  tip: Oid,
  /** Merge base with trunk, null where there is none. */
  base: Oid.nullable(),
  /** Commits and changed files of base..tip. An archive or move pair counts as one file. */
  commits: z.int(),
  files: z.int(),
  /** Committer time of the tip. */
  committedAt: Instant,
  readiness: Readiness,
  status: SleepBranchState,
  /** The worktree that has it checked out, absolute, else null. */
  checkedOutIn: z.string().nullable(),
  viewed: z.int(),
  /** Files not viewed yet: what is left to look at. */
  left: z.int(),
})
export type SleepBranch = z.infer<typeof SleepBranch>

/** A day of the last week, local dates, oldest first. Counts are files. */
export const WeekDay = z.strictObject({ date: z.string(), cameIn: z.int(), approved: z.int() })

export const Inbox = z.strictObject({
  repository: Repository,
  tree: TreeState,
  sleepBranches: z.array(SleepBranch),
  /** Runs whose marks were not applied after main moved: `Apply marks again`. */
  marksWaiting: z.array(
    z.strictObject({ branch: BranchName, operationId: z.string(), pending: z.int(), failure: z.string() }),
  ),
  week: z.array(WeekDay),
  /** Latest curation run known from trailers or run rows. */
  lastRun: z.strictObject({ branch: BranchName, at: Instant, status: z.string() }).nullable(),
  /** What the week's approvals amounted to. */
  sums: z.strictObject({ approved: z.int(), leftOut: z.int(), aborted: z.int(), documents: z.int() }),
  /** Agents and people who committed on trunk in the last week, newest first. */
  writers: z.array(z.strictObject({ name: z.string(), commits: z.int() })),
})
export type Inbox = z.infer<typeof Inbox>

export const FolderEntry = z.strictObject({ name: z.string(), path: z.string(), repository: z.boolean() })
export const FolderListing = z.strictObject({
  path: z.string(),
  parent: z.string().nullable(),
  repository: z.boolean(),
  entries: z.array(FolderEntry),
})
export type FolderListing = z.infer<typeof FolderListing>

export const RepoChanged = z.strictObject({
  repoId: RepoId,
  what: z.array(z.enum(['refs', 'worktree', 'marks', 'history', 'settings', 'candidates'])),
})
