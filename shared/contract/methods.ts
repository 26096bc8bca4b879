import * as z from 'zod'
import {
  AbortOutcome,
  AppInfo,
  ApplyMarksOutcome,
  ApprovalPreview,
  ApproveOutcome,
  AppSettings,
  BatchRow,
  BodyEncoding,
  BranchName,
  BringMainInOutcome,
  Candidate,
  CandidateId,
  CandidateRow,
  ConflictList,
  ConflictSource,
  DoctorFinding,
  DocumentList,
  DocumentVersions,
  Draft,
  DraftCheck,
  FetchedDocument,
  FileChange,
  FileReview,
  FolderListing,
  HistoryEntry,
  HunkChoice,
  Inbox,
  LookupHit,
  LossReport,
  MergeBranchOutcome,
  MergedFile,
  Metadata,
  Oid,
  OperationId,
  OperationProgress,
  ProceedOutcome,
  PublishedDocument,
  PublishOutcome,
  RecentRepository,
  ReopenOutcome,
  RepoChanged,
  RepoId,
  RepoPath,
  Repository,
  Resolution,
  ResolveOutcome,
  RestoredLine,
  Review,
  RunCommit,
  TrustState,
  UndoOutcome,
} from '../model/index.ts'
import { mutation, native, query } from './kinds.ts'

const none = z.strictObject({})
const done = z.strictObject({})
const inRepo = z.strictObject({ repoId: RepoId })
const ofSource = z.strictObject({ repoId: RepoId, source: ConflictSource })
const ofItem = z.strictObject({ repoId: RepoId, source: ConflictSource, item: z.string() })
/** A draft and the sides it is about. */
const ofDraft = z.strictObject({ ...ofItem.shape, fingerprint: z.string(), draft: Draft })
const ofCandidate = z.strictObject({ repoId: RepoId, candidate: CandidateId })
/** A writer's session: its writes and candidates are told apart from another's of the same actor. */
const session = z.string().max(200).nullable().default(null)
const onBranch = z.strictObject({ repoId: RepoId, branch: BranchName })

/** The one table of what a door may ask of the core. */
export const methods = {
  'app.info': query(none, AppInfo),
  'app.setSettings': mutation(z.strictObject({ settings: AppSettings.partial() }), AppSettings),
  /** Puts by what the renderer wants back after a restart: at most 256 KiB of its own JSON. */
  'app.saveSession': mutation(z.strictObject({ session: z.string().max(262_144) }), done),

  /** `background`: only to know what waits there; it does not become the one opened last. */
  'repo.open': mutation(
    z.strictObject({ path: z.string().min(1), background: z.boolean().default(false) }),
    Repository,
  ),
  'repo.recent': query(none, z.array(RecentRepository)),
  'repo.forget': mutation(z.strictObject({ path: z.string() }), z.array(RecentRepository)),
  'repo.pin': mutation(z.strictObject({ path: z.string(), pinned: z.boolean() }), z.array(RecentRepository)),
  /** Folders below `path` (null: the home folder), for the dialog where the system's is not to be had. */
  'repo.folders': query(z.strictObject({ path: z.string().nullable() }), FolderListing),
  /** The system's folder dialog; null when it was dismissed. */
  'repo.pick': native(none, z.strictObject({ path: z.string().nullable() })),
  /** Shows a folder or file of the repository in the system's file manager. */
  'repo.reveal': native(z.strictObject({ repoId: RepoId, path: z.string() }), done),
  /** Builds the sample repository anew and opens it. */
  'demo.create': mutation(none, Repository),

  'inbox.get': query(inRepo, Inbox),

  'review.get': query(onBranch, Review),
  /** `commit`: only what that one commit of the run did, against its first parent. */
  'review.file': query(
    z.strictObject({ repoId: RepoId, branch: BranchName, path: RepoPath, commit: Oid.optional() }),
    FileReview,
  ),
  /** The file as it would be with trunk's own change, where trunk changed it too since the base. */
  'review.merged': query(z.strictObject({ repoId: RepoId, branch: BranchName, path: RepoPath }), MergedFile),
  'review.commit': query(
    z.strictObject({ repoId: RepoId, branch: BranchName, commit: Oid }),
    z.strictObject({ commit: RunCommit, files: z.array(FileChange) }),
  ),
  /** `keys`: content keys of changes inside the file; omitted: the whole file. */
  'review.setViewed': mutation(
    z.strictObject({
      repoId: RepoId,
      branch: BranchName,
      marks: z
        .array(z.strictObject({ path: RepoPath, keys: z.array(z.string()).optional(), viewed: z.boolean() }))
        .min(1),
    }),
    z.strictObject({
      files: z.array(z.strictObject({ path: RepoPath, viewed: FileChange.shape.viewed })),
      viewed: z.int(),
    }),
  ),
  /** Remembers which files are left out, until approval. A pair counts as one: naming either path is enough. */
  'review.setIncluded': mutation(
    z.strictObject({ repoId: RepoId, branch: BranchName, paths: z.array(RepoPath).min(1), included: z.boolean() }),
    z.strictObject({ leftOut: z.array(RepoPath) }),
  ),

  /** What Approve would do now with these paths left out, and what blocks it. */
  'sleep.preview': query(
    z.strictObject({ repoId: RepoId, branch: BranchName, except: z.array(RepoPath) }),
    ApprovalPreview,
  ),
  'sleep.approve': mutation(
    z.strictObject({
      repoId: RepoId,
      branch: BranchName,
      except: z.array(RepoPath),
      bringMainIn: z.boolean(),
      /** The tip that was reviewed; another tip is refused as ERR_NO_SUCH_BRANCH would be: nothing moves. Omitted on the command line. */
      tip: Oid.optional(),
    }),
    ApproveOutcome,
  ),
  'sleep.abort': mutation(z.strictObject({ repoId: RepoId, branch: BranchName, tip: Oid.optional() }), AbortOutcome),
  'sleep.bringMainIn': mutation(onBranch, BringMainInOutcome),
  'sleep.applyMarks': mutation(onBranch, ApplyMarksOutcome),
  'sleep.undo': mutation(
    z.strictObject({ repoId: RepoId, operationId: OperationId, revert: z.boolean() }),
    UndoOutcome,
  ),
  /** Ends a running operation's child processes; it answers with a refusal or rolls back. */
  'operation.cancel': query(
    z.strictObject({ repoId: RepoId, operationId: OperationId }),
    z.strictObject({ cancelled: z.boolean() }),
  ),
  'history.list': query(z.strictObject({ repoId: RepoId, limit: z.int().min(1).max(1000) }), z.array(HistoryEntry)),

  /** Every conflict that waits: of any worktree, of bringing main in, of the merge tool. Writes nothing. */
  'conflicts.list': query(inRepo, ConflictList),
  /** `reading` names it for `conflicts.stopReading`. Errors: ERR_CANCELLED where it was stopped. */
  'conflicts.get': query(z.strictObject({ ...ofItem.shape, reading: z.string().optional() }), Resolution),
  /** Stops a reading that takes long, and the merge that it waits for. False: it has ended, or never was. */
  'conflicts.stopReading': query(z.strictObject({ reading: z.string() }), z.strictObject({ stopped: z.boolean() })),
  /** What the draft's result would be: audit, warnings, proof. Large files are done in a worker thread. */
  'conflicts.check': query(ofDraft, DraftCheck),
  /** Keeps what was decided, for a crash or a restart. */
  'conflicts.saveDraft': mutation(ofDraft, z.strictObject({ savedAt: z.string() })),
  /**
   * Writes the result: the file and its stages in a worktree, the decision for a branch, MERGED for the tool.
   * `overDisk`: digest of the edited file that may be replaced.
   */
  'conflicts.resolve': mutation(z.strictObject({ ...ofDraft.shape, overDisk: z.string().nullable() }), ResolveOutcome),
  /** Puts the stages of a resolved item back, and the file as it was. */
  'conflicts.reopen': mutation(ofItem, ReopenOutcome),
  /** What taking one side of these items whole would give. */
  'conflicts.previewBatch': query(
    z.strictObject({ ...ofSource.shape, items: z.array(z.string()).min(1), take: z.enum(['ours', 'theirs']) }),
    z.array(BatchRow),
  ),
  /** Takes one side of these items whole; each is done or refused by itself. */
  'conflicts.batch': mutation(
    z.strictObject({
      ...ofSource.shape,
      items: z.array(z.strictObject({ item: z.string(), fingerprint: z.string() })).min(1),
      take: z.enum(['ours', 'theirs']),
    }),
    z.array(BatchRow),
  ),
  /** Goes on with the operation once all is resolved: commits the merge, continues the rebase, ends the tool. */
  'conflicts.proceed': mutation(ofSource, ProceedOutcome),
  /** Gives the operation up, as git would; for a branch: forgets the decisions. */
  'conflicts.abort': mutation(ofSource, ProceedOutcome),
  /** All that is needed to see the same page again, as JSON: sides, regions, draft, versions. No names or folders of the machine. */
  'conflicts.repro': query(ofDraft, z.strictObject({ json: z.string() })),

  /** `path` may end in `/vN`. Errors: ERR_NO_SUCH_DOCUMENT, ERR_NO_SUCH_VERSION, ERR_BAD_PATH. */
  'documents.fetch': query(
    z.strictObject({ repoId: RepoId, path: z.string().min(1), version: z.int().positive().nullable().default(null) }),
    FetchedDocument,
  ),
  /** `folder` empty: the top. */
  'documents.list': query(
    z.strictObject({
      repoId: RepoId,
      folder: z.string().default(''),
      recursive: z.boolean().default(false),
      cursor: z.string().nullable().default(null),
      limit: z.int().min(1).max(1000).default(200),
    }),
    DocumentList,
  ),
  'documents.versions': query(
    z.strictObject({ repoId: RepoId, path: RepoPath, limit: z.int().min(1).max(10_000).default(100) }),
    DocumentVersions,
  ),
  /** Full text over the documents of trunk. */
  'documents.lookup': query(
    z.strictObject({ repoId: RepoId, query: z.string().min(1).max(1000), limit: z.int().min(1).max(100).default(10) }),
    z.array(LookupHit),
  ),
  /** One commit on trunk with that file only, where `expectedVersion` is the head's; else a candidate, or the plain conflict. */
  'documents.publish': mutation(
    z.strictObject({
      repoId: RepoId,
      path: z.string().min(1),
      body: z.string(),
      encoding: BodyEncoding.default('utf-8'),
      /** 0: the document must not be there. */
      expectedVersion: z.int().nonnegative(),
      onConflict: z.enum(['merge', 'fail']).default('merge'),
      metadata: Metadata.nullable().default(null),
      /** The candidate this answers; without it, the newest open one of this actor, session and path offered at this version. */
      candidate: CandidateId.nullable().default(null),
      /** First line of the commit. */
      message: z.string().max(500).nullable().default(null),
      session,
    }),
    PublishOutcome,
  ),
  'documents.append': mutation(
    z.strictObject({
      repoId: RepoId,
      path: z.string().min(1),
      body: z.string(),
      /** What was read last; only to know an own write again. */
      expectedVersion: z.int().positive().nullable().default(null),
      session,
    }),
    PublishedDocument,
  ),
  /** Moves the document to `archive/<YYYY>/<path>`, in one commit. */
  'documents.archive': mutation(
    z.strictObject({ repoId: RepoId, path: z.string().min(1), expectedVersion: z.int().positive(), session }),
    PublishOutcome,
  ),
  /** Open ones, the newest first; with those that are over where `all`. */
  'candidates.list': query(z.strictObject({ repoId: RepoId, all: z.boolean().default(false) }), z.array(CandidateRow)),
  'candidates.show': query(ofCandidate, Candidate),
  /** Applies the choices to the conflicts by the engine and publishes. Conflicts without a choice: ERR_HUNKS_OPEN. */
  'candidates.resolve': mutation(
    z.strictObject({ ...ofCandidate.shape, choices: z.array(HunkChoice), session }),
    PublishOutcome,
  ),
  /** Theirs stays; what of ours is given up is recorded. */
  'candidates.discard': mutation(z.strictObject({ ...ofCandidate.shape, session }), CandidateRow),
  /** Hands it to the person. */
  'candidates.escalate': mutation(
    z.strictObject({ ...ofCandidate.shape, reason: z.string().min(1).max(2000), session }),
    CandidateRow,
  ),
  /** What agents' answers lost, the newest first; lines that were put back or let go are not in it. */
  'candidates.losses': query(inRepo, z.array(LossReport)),
  /** Publishes the document with that line put back where it stood. */
  'candidates.restoreLine': mutation(
    z.strictObject({ ...ofCandidate.shape, index: z.int().nonnegative() }),
    RestoredLine,
  ),
  /** Lets a lost line go (null: all of that answer): it is not reported any more. */
  'candidates.letGo': mutation(z.strictObject({ ...ofCandidate.shape, index: z.int().nonnegative().nullable() }), done),
  /** Merges a commit into trunk (null) or another branch. A collision is ERR_WRITE_CONFLICT, and nothing moves. */
  'branches.merge': mutation(
    z.strictObject({ repoId: RepoId, commitish: z.string().min(1), into: BranchName.nullable().default(null) }),
    MergeBranchOutcome,
  ),

  'trust.get': query(inRepo, TrustState),
  'trust.accept': mutation(z.strictObject({ repoId: RepoId, hash: z.string() }), TrustState),
  'trust.revoke': mutation(inRepo, TrustState),
  /** Settings of one repository that live in `state.db`: `trunk`, `sleep`, `keep`. */
  'config.get': query(
    inRepo,
    z.record(z.string(), z.strictObject({ value: z.string(), from: z.enum(['default', 'trunk', 'personal']) })),
  ),
  'config.set': mutation(z.strictObject({ repoId: RepoId, key: z.string(), value: z.string().nullable() }), done),
  'doctor.run': query(z.strictObject({ path: z.string().nullable() }), z.array(DoctorFinding)),
} as const

/** The one table of what the core announces. Events say that something changed; the mirror asks again. */
export const events = {
  'repo.changed': RepoChanged,
  'operation.progress': OperationProgress,
  /** A candidate has become the person's: it was handed over, or its agent let its time pass. */
  'candidate.waits': z.strictObject({
    repoId: RepoId,
    candidate: CandidateId,
    item: z.string(),
    path: RepoPath,
    actor: z.string(),
    reason: z.string().nullable(),
  }),
  /** The host asks the renderer to show a repository: a second instance, a drop on the dock, a menu entry. */
  'app.openRequested': z.strictObject({ path: z.string() }),
  /** A native menu entry was chosen: the id of a renderer command. */
  'app.command': z.strictObject({ command: z.string() }),
} as const
