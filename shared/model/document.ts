import * as z from 'zod'
import { Instant, Oid, RepoPath } from './common.ts'
import { Who } from './conflict.ts'
import { AuditRow, WarningRow } from './resolution.ts'

/** A version of a document: the n-th commit of trunk's first-parent history that touched the path, counted from 1. */
export const DocumentVersion = z.strictObject({
  version: z.int().positive(),
  commit: Oid,
  /** Null where that commit deleted the file: an archived version. */
  oid: Oid.nullable(),
  at: Instant,
  author: z.string(),
  /** From the trailer `Daybreak-Actor`; null on commits that Daybreak did not make. */
  actor: z.string().nullable(),
  session: z.string().nullable(),
  subject: z.string(),
  /** The commit left trunk since (undo, amend, rebase); its bytes are kept. */
  rewritten: z.boolean(),
})
export type DocumentVersion = z.infer<typeof DocumentVersion>

/** `utf-8`: the text itself; `base64`: for bytes that are no UTF-8. */
export const BodyEncoding = z.enum(['utf-8', 'base64'])
export type BodyEncoding = z.infer<typeof BodyEncoding>

export const FetchedDocument = z.strictObject({
  path: RepoPath,
  /** `archived`: that version deleted the file; there is no body then. */
  status: z.enum(['ok', 'archived']),
  version: z.int().positive(),
  /** The newest version; the one that was asked for may be older. */
  current: z.int().positive(),
  modified: Instant,
  /** `sha256-<hex>` of the file's bytes; null where archived. */
  contentHash: z.string().nullable(),
  encoding: BodyEncoding,
  body: z.string(),
  author: z.string(),
  actor: z.string().nullable(),
  subject: z.string(),
  commit: Oid,
})
export type FetchedDocument = z.infer<typeof FetchedDocument>

export const DocumentList = z.strictObject({
  /** Documents and folders directly below the folder, or every document where `recursive`. By name. */
  entries: z.array(z.strictObject({ path: RepoPath, kind: z.enum(['document', 'folder']) })),
  /** What to pass to go on; null at the end. */
  nextCursor: z.string().nullable(),
})
export type DocumentList = z.infer<typeof DocumentList>

export const DocumentVersions = z.strictObject({
  path: RepoPath,
  current: z.int().positive(),
  archived: z.boolean(),
  /** The newest first. */
  versions: z.array(DocumentVersion),
})
export type DocumentVersions = z.infer<typeof DocumentVersions>

export const LookupHit = z.strictObject({
  path: RepoPath,
  title: z.string(),
  /** The words around the hit, with `**` around what matched. */
  snippet: z.string(),
  score: z.number(),
})
export type LookupHit = z.infer<typeof LookupHit>

/** Front matter of a Markdown document, metas of a memory: a value, or a list of values. Null removes a field. */
export const Metadata = z.record(
  z.string().min(1),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
)
export type Metadata = z.infer<typeof Metadata>

const range = z.strictObject({
  /** 0-based and half-open, in lines of that text. */
  start: z.int(),
  end: z.int(),
  text: z.string(),
})

/** A region in which a side differs from the base. */
export const CandidateHunk = z.strictObject({
  /** 0-based among all hunks. */
  index: z.int(),
  /** `conflict`: to be decided. `ours`, `theirs`: only that side changed it; `same`: both alike. */
  kind: z.enum(['ours', 'theirs', 'same', 'conflict']),
  /** 0-based among the conflicts, null for the other kinds. */
  conflict: z.int().nullable(),
  base: range,
  ours: range,
  theirs: range,
})
export type CandidateHunk = z.infer<typeof CandidateHunk>

/** `agent`: its actor may still answer. `person`: escalated, or the time is over. The others are over. */
export const CandidateState = z.enum(['agent', 'person', 'published', 'discarded', 'superseded'])
export type CandidateState = z.infer<typeof CandidateState>

export const CandidateId = z.string().regex(/^c-[0-9a-z]{8,40}$/)
export type CandidateId = z.infer<typeof CandidateId>

/** One candidate as the inbox lists it. */
export const CandidateRow = z.strictObject({
  id: CandidateId,
  /** The item that the resolver's page shows for it. */
  item: z.string(),
  path: RepoPath,
  state: CandidateState,
  /** Ours: who offered it, with what they said. Theirs: who wrote the head it met. */
  ours: Who,
  theirs: Who,
  actor: z.string(),
  session: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  /** When it became, or becomes, the person's. */
  personAt: Instant,
  escalated: z.strictObject({ at: Instant, reason: z.string() }).nullable(),
  baseVersion: z.int().nonnegative(),
  /** The head it was merged with, and the version to publish at. */
  currentVersion: z.int().positive(),
  /** The document has moved on: it is merged anew with the head when it is opened or answered. */
  stale: z.boolean(),
  hunks: z.int(),
  conflicts: z.int(),
  /** How it ended: the version that answered it, lines that were lost then. Null while open. */
  answer: z
    .strictObject({
      by: z.string(),
      at: Instant,
      version: z.int().nullable(),
      loss: z.array(AuditRow),
    })
    .nullable(),
})
export type CandidateRow = z.infer<typeof CandidateRow>

/** A merge result offered for review: never published by itself. */
export const Candidate = z.strictObject({
  ...CandidateRow.shape,
  yourVersion: z.int().nonnegative(),
  publishAtVersion: z.int().positive(),
  hasMarkers: z.boolean(),
  /** The merged text, with markers where lines are in conflict. */
  body: z.string(),
  structured: z.array(CandidateHunk),
  warnings: z.array(WarningRow),
  audit: z.array(AuditRow),
})
export type Candidate = z.infer<typeof Candidate>

/** Lines that an agent's answer to a candidate lost and that nobody has put back or let go since. */
export const LossReport = z.strictObject({
  candidate: CandidateId,
  path: RepoPath,
  /** Who answered, when, and the version that the answer is; null where that commit has left trunk. */
  by: z.string(),
  at: Instant,
  version: z.int().positive().nullable(),
  ours: z.string(),
  theirs: z.string(),
  lines: z.array(
    z.strictObject({
      /** What to name it by. */
      index: z.int().nonnegative(),
      side: AuditRow.shape.side,
      /** 0-based in that side. */
      line: z.int(),
      text: z.string(),
    }),
  ),
})
export type LossReport = z.infer<typeof LossReport>

/** `there`: the document has the line again; nothing was written. */
export const RestoredLine = z.strictObject({ path: RepoPath, version: z.int().positive(), there: z.boolean() })
export type RestoredLine = z.infer<typeof RestoredLine>

/** What one conflict of a candidate becomes. */
export const HunkChoice = z.union([
  z.strictObject({ hunk: z.int().nonnegative(), take: z.enum(['ours', 'theirs', 'both', 'base']) }),
  z.strictObject({ hunk: z.int().nonnegative(), text: z.string() }),
])
export type HunkChoice = z.infer<typeof HunkChoice>

export const PublishedDocument = z.strictObject({
  status: z.literal('ok'),
  path: RepoPath,
  version: z.int().positive(),
  modified: Instant,
  contentHash: z.string().nullable(),
  commit: Oid,
  /** The bytes were there already: no commit was made. */
  unchanged: z.boolean(),
  /** An earlier write of the same caller had landed; nothing was written again. */
  reconciled: z.boolean(),
  /** The candidate this answered. */
  answered: CandidateId.nullable(),
  /** Lines of either side that this publish gave up; empty where it answered none. */
  loss: z.array(AuditRow),
  /** In words: fields that both sides changed, and what was kept. */
  notes: z.array(z.string()),
})
export type PublishedDocument = z.infer<typeof PublishedDocument>

/** `merge-candidate` and `conflict` wrote nothing. */
export const PublishOutcome = z.discriminatedUnion('status', [
  PublishedDocument,
  z.strictObject({
    status: z.literal('conflict'),
    path: RepoPath,
    serverVersion: z.int().nonnegative(),
    yourVersion: z.int().nonnegative(),
  }),
  z.strictObject({ status: z.literal('merge-candidate'), candidate: Candidate }),
])
export type PublishOutcome = z.infer<typeof PublishOutcome>

export const MergeBranchOutcome = z.strictObject({
  into: z.string(),
  from: Oid,
  to: Oid,
  upToDate: z.boolean(),
  fastForward: z.boolean(),
})
export type MergeBranchOutcome = z.infer<typeof MergeBranchOutcome>
