import * as z from 'zod'
import { BranchName, Instant, Oid, OperationId, RepoId, RepoPath } from './common.ts'
import { Refusal } from './refusal.ts'
import { Mark } from './review.ts'

export const VERBS = [
  'approve',
  'abort',
  'bring-main-in',
  'undo',
  'revert',
  'apply-marks',
  'resolve',
  'reopen',
  'continue',
  'abort-operation',
  'publish',
  'merge',
  'discard',
] as const
export const Verb = z.enum(VERBS)
export type Verb = z.infer<typeof Verb>

/** Marks after approval: `pending` counts every line of the ledger, malformed ones included. */
export const MarksOutcome = z.strictObject({
  pending: z.int(),
  applied: z.int(),
  held: z.array(Mark),
  malformed: z.int(),
  /** Why they were not applied, null where they were. */
  failure: z.string().nullable(),
})
export type MarksOutcome = z.infer<typeof MarksOutcome>

export const ApproveOutcome = z.union([
  z.strictObject({
    approved: z.literal(true),
    operationId: OperationId,
    branch: BranchName,
    alreadyMerged: z.boolean(),
    from: Oid,
    to: Oid,
    commits: z.int(),
    leftOut: z.array(RepoPath),
    stale: z.array(RepoPath),
    marks: MarksOutcome,
    branchRemoved: z.boolean(),
    /** Rounds of `Bring main in` that were needed. */
    rounds: z.int(),
  }),
  z.strictObject({ approved: z.literal(false), refusal: Refusal }),
])
export type ApproveOutcome = z.infer<typeof ApproveOutcome>

export const AbortOutcome = z.union([
  z.strictObject({
    aborted: z.literal(true),
    operationId: OperationId,
    branch: BranchName,
    tip: Oid,
    marksDiscarded: z.int(),
  }),
  z.strictObject({ aborted: z.literal(false), refusal: Refusal }),
])
export type AbortOutcome = z.infer<typeof AbortOutcome>

export const BringMainInOutcome = z.union([
  z.strictObject({
    brought: z.literal(true),
    operationId: OperationId,
    branch: BranchName,
    from: Oid,
    to: Oid,
    upToDate: z.boolean(),
    both: z.array(RepoPath),
  }),
  z.strictObject({ brought: z.literal(false), refusal: Refusal }),
])
export type BringMainInOutcome = z.infer<typeof BringMainInOutcome>

export const ApplyMarksOutcome = z.strictObject({ branch: BranchName, operationId: OperationId, marks: MarksOutcome })
export type ApplyMarksOutcome = z.infer<typeof ApplyMarksOutcome>

export const UndoOutcome = z.union([
  z.strictObject({
    undone: z.literal(true),
    operationId: OperationId,
    /** What was undone. */
    of: OperationId,
    verb: Verb,
    how: z.enum(['undo', 'revert']),
    branch: BranchName,
    /** The name the branch came back under; differs from `branch` when that was taken again. */
    restoredAs: BranchName.nullable(),
    from: Oid.nullable(),
    to: Oid.nullable(),
  }),
  z.strictObject({ undone: z.literal(false), refusal: Refusal }),
])
export type UndoOutcome = z.infer<typeof UndoOutcome>

export const HistoryEntry = z.strictObject({
  operationId: OperationId,
  verb: Verb,
  branch: BranchName,
  actor: z.string(),
  /** Which door it came through. */
  via: z.enum(['app', 'cli', 'mcp', 'test']),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** `mended`: a killed verb that was finished or rolled back later. */
  status: z.enum(['running', 'done', 'refused', 'failed', 'rolled-back', 'undone']),
  from: Oid.nullable(),
  to: Oid.nullable(),
  /** Files of the night that were approved; 0 where that is not known. */
  files: z.int(),
  leftOut: z.array(RepoPath),
  marks: MarksOutcome.nullable(),
  /** What Undo would do now: nothing (null), put back, or revert. */
  undo: z.enum(['undo', 'revert']).nullable(),
  detail: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof HistoryEntry>

export const OperationProgress = z.strictObject({
  repoId: RepoId,
  operationId: OperationId,
  verb: Verb,
  /** A sentence for the person: which step runs. */
  step: z.string(),
  done: z.number(),
  total: z.number(),
  /** New output of a gate since the last event. */
  output: z.string().optional(),
  cancellable: z.boolean(),
})
export type OperationProgress = z.infer<typeof OperationProgress>
