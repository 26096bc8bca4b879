import * as z from 'zod'
import { BranchName, Instant, Oid, RepoId, RepoPath } from './common.ts'
import { SleepBranch } from './inbox.ts'
import { Refusal } from './refusal.ts'

/** Kinds of change, in the order the review lists them: those that carry decisions first. */
export const CHANGE_KINDS = [
  'claim-changed',
  'body-changed',
  'changed',
  'created',
  'archived',
  'moved',
  'deleted',
  'binary',
  'submodule',
  'mode-only',
  'metadata-only',
  'generated',
] as const
export const ChangeKind = z.enum(CHANGE_KINDS)
export type ChangeKind = z.infer<typeof ChangeKind>

/** Which reader understands the file: memory HTML, text with front matter, plain text, or none. */
export const FileFormat = z.enum(['memory', 'front-matter', 'text', 'image', 'binary', 'submodule', 'symlink'])
export type FileFormat = z.infer<typeof FileFormat>

export const FileChange = z.strictObject({
  /** The path at the tip; for a deleted file the path it had. */
  path: RepoPath,
  /** The old path of an archived or moved file. */
  fromPath: RepoPath.nullable(),
  kind: ChangeKind,
  format: FileFormat,
  /** Names of the metas, links or front-matter fields that differ, sorted. */
  fields: z.array(z.string()),
  /** A few words for the list, e.g. `40 → 60` or `1.000 → 0.920`; null where there is nothing short to say. */
  gist: z.string().nullable(),
  /** The object that the change names and the repository lacks: its content cannot be shown. Else null. */
  missing: Oid.nullable(),
  oldOid: Oid.nullable(),
  newOid: Oid.nullable(),
  /** Octal file modes as git prints them, e.g. `100644`. */
  oldMode: z.string().nullable(),
  newMode: z.string().nullable(),
  /** Phases of the commits that touched it, in order; foreign commits are not among them. */
  phases: z.array(z.string()),
  /** Ids of the run's commits that touched it, oldest first. */
  commits: z.array(Oid),
  /** Touched by a commit that no phase made. */
  foreign: z.boolean(),
  /** Identity of the change by content: what viewed marks and declined changes are keyed by. */
  contentKey: z.string(),
  viewed: z.enum(['no', 'some', 'yes']),
  included: z.boolean(),
  /** Why it cannot be left out, null where it can. */
  cannotLeaveOut: z.enum(['store-file']).nullable(),
  /** The same change was left out of an earlier night. */
  declinedBefore: z.boolean(),
  /** Trunk changed this path too since the branch's base. */
  alsoOnTrunk: z.boolean(),
})
export type FileChange = z.infer<typeof FileChange>

export const RunCommit = z.strictObject({
  oid: Oid,
  parents: z.array(Oid),
  author: z.string(),
  authorEmail: z.string(),
  at: Instant,
  subject: z.string(),
  body: z.string(),
  /** The known phase it proves to be made by; null for a foreign commit or a `Bring main in` merge. */
  phase: z.string().nullable(),
  /** Why no phase is believed to have made it; null where one did, or where it brought main in. */
  foreign: z.enum(['no-trailer', 'other-run', 'unknown-phase', 'out-of-order', 'path-not-allowed', 'merge']).nullable(),
  bringsMainIn: z.boolean(),
  /** What the `Memhtml-Counts` trailer says, null where it is absent or malformed. */
  counts: z.record(z.string(), z.number()).nullable(),
  files: z.int(),
})
export type RunCommit = z.infer<typeof RunCommit>

/** One line of the ledger. `malformed` keeps the raw line. */
export const Mark = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('session-consolidated'), sessionId: z.string(), runId: z.string(), at: z.string() }),
  z.strictObject({
    kind: z.literal('edge-promoted'),
    srcPath: z.string(),
    rel: z.string(),
    dstPath: z.string(),
    at: z.string(),
  }),
  z.strictObject({
    kind: z.literal('entity-promoted'),
    entityType: z.string(),
    aliasName: z.string(),
    canonicalName: z.string(),
    at: z.string(),
  }),
  z.strictObject({
    kind: z.literal('commitment-below-floor'),
    sessionId: z.string(),
    statement: z.string(),
    confidence: z.number(),
    resolved: z.boolean(),
    runId: z.string(),
    at: z.string(),
  }),
  z.strictObject({ kind: z.literal('malformed'), line: z.int(), text: z.string(), why: z.string() }),
])
export type Mark = z.infer<typeof Mark>

export const Ledger = z.strictObject({
  path: RepoPath,
  marks: z.array(Mark),
})
export type Ledger = z.infer<typeof Ledger>

export const TrunkCommit = z.strictObject({
  oid: Oid,
  author: z.string(),
  at: Instant,
  subject: z.string(),
  /** Paths of it that the branch changes too. */
  shared: z.array(RepoPath),
})

export type TrunkCommit = z.infer<typeof TrunkCommit>

export const Review = z.strictObject({
  repoId: RepoId,
  run: SleepBranch,
  trunk: z.strictObject({ branch: BranchName, oid: Oid.nullable() }),
  base: Oid.nullable(),
  tip: Oid,
  files: z.array(FileChange),
  /** Newest first. */
  commits: z.array(RunCommit),
  ledger: Ledger.nullable(),
  /** Path of the run's report at the tip, null where it has none. */
  reportPath: RepoPath.nullable(),
  /** Commits on trunk since the base, newest first, at most 200. */
  onTrunk: z.array(TrunkCommit),
  viewed: z.int(),
  gate: z
    .strictObject({
      command: z.string(),
      trusted: z.boolean(),
      /** How it ended on exactly the tree that would land now; null where it was not run on that. */
      last: z.strictObject({ passed: z.boolean(), at: Instant }).nullable(),
    })
    .nullable(),
})
export type Review = z.infer<typeof Review>

/** A run of equal, deleted or inserted text; what a word-level diff is made of. */
export const Span = z.strictObject({ op: z.enum(['equal', 'delete', 'insert']), text: z.string() })
export type Span = z.infer<typeof Span>

export const FieldChange = z.strictObject({ name: z.string(), before: z.array(z.string()), after: z.array(z.string()) })

/** One reviewable part of a file, with the key its viewed mark is kept by. */
export const Change = z.discriminatedUnion('part', [
  z.strictObject({
    part: z.literal('claim'),
    key: z.string(),
    viewed: z.boolean(),
    before: z.array(Span),
    after: z.array(Span),
  }),
  /** One block (paragraph, list item, heading, pre) of the article. `before` or `after` is empty for an added or removed block. */
  z.strictObject({
    part: z.literal('body'),
    key: z.string(),
    viewed: z.boolean(),
    block: z.string(),
    before: z.array(Span),
    after: z.array(Span),
  }),
  z.strictObject({ part: z.literal('fields'), key: z.string(), viewed: z.boolean(), fields: z.array(FieldChange) }),
  /** A hunk of the raw text: 1-based first lines and line counts on both sides, as in a unified diff. */
  z.strictObject({
    part: z.literal('lines'),
    key: z.string(),
    viewed: z.boolean(),
    oldStart: z.int(),
    oldLines: z.int(),
    newStart: z.int(),
    newLines: z.int(),
  }),
  /** Anything that has no parts: mode, binary, submodule, a whole file created or deleted. */
  z.strictObject({ part: z.literal('whole'), key: z.string(), viewed: z.boolean(), text: z.string() }),
])
export type Change = z.infer<typeof Change>

/** One side of a file, for the editors. Text is null where it is not shown as text. */
export const FileSide = z.strictObject({
  oid: Oid,
  mode: z.string(),
  /** Size in bytes. */
  size: z.int(),
  encoding: z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'latin1', 'binary']),
  eol: z.enum(['lf', 'crlf', 'mixed', 'none']),
  finalNewline: z.boolean(),
  lines: z.int(),
  text: z.string().nullable(),
  /** `data:` address of an image, else null. */
  image: z.string().nullable(),
})
export type FileSide = z.infer<typeof FileSide>

export const FileReview = z.strictObject({
  repoId: RepoId,
  branch: BranchName,
  file: FileChange,
  old: FileSide.nullable(),
  new: FileSide.nullable(),
  /** Memory text view: parts in order claim, body blocks, fields. Empty for files that are no memories. */
  memory: z.array(Change),
  /** Title of a memory on both sides; null where there is no such side, or no title. */
  title: z.strictObject({ before: z.string().nullable(), after: z.string().nullable() }),
  /** A memory's claim where it did not change, so that the text view can say which memory this is; else null. */
  claim: z.string().nullable(),
  /** Hunks of the raw text, or one `whole` part. */
  raw: z.array(Change),
  /** What differs that a line diff does not show, in words: line endings, whitespace, encoding, mode, final newline. */
  notes: z.array(z.string()),
  /** Why the run made this change, from its commit messages; may be empty. */
  why: z.array(z.strictObject({ oid: Oid, phase: z.string().nullable(), text: z.string() })),
  /** Over 2 MB or 50,000 lines: shown without highlighting and without word-level changes. */
  large: z.boolean(),
})
export type FileReview = z.infer<typeof FileReview>

/** What a file would be on trunk with the night's change and trunk's own. */
export const MergedFile = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('merged'),
    /** Trunk's commit that it was merged with. */
    trunk: Oid,
    text: z.string(),
    /** Hunks from the merge base's text to this one. */
    raw: z.array(Change),
    /** Lines of the text, counted from 1, that one of the two brought; `removed`: lines that it took away there. */
    from: z.array(
      z.strictObject({ who: z.enum(['trunk', 'branch']), start: z.int(), lines: z.int(), removed: z.int() }),
    ),
    /** Who changed the file on trunk. */
    authors: z.array(z.string()),
  }),
  /** The two changes meet in so many places. */
  z.strictObject({ state: z.literal('conflict'), conflicts: z.int() }),
  z.strictObject({ state: z.literal('none'), why: z.enum(['not-on-trunk', 'one-sided', 'no-text', 'too-large']) }),
])
export type MergedFile = z.infer<typeof MergedFile>

/** What Approve would do, for the sentence under the heading. */
export const ApprovalPreview = z.strictObject({
  branch: BranchName,
  from: Oid.nullable(),
  to: Oid,
  commits: z.int(),
  marks: z.int(),
  heldMarks: z.array(Mark),
  leftOut: z.array(RepoPath),
  /** Links in included files that would dangle, with what they point at. */
  dangling: z.array(z.strictObject({ path: RepoPath, target: RepoPath })),
  /** Generated lists that may be stale until the next night. */
  stale: z.array(RepoPath),
  blockers: z.array(Refusal),
})
export type ApprovalPreview = z.infer<typeof ApprovalPreview>
