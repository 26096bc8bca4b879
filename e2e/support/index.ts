/** What tests build repositories with: plain git, plain SQLite, nothing of the code under test. */

export {
  CONFLICT_NAMES,
  type ConflictKindName,
  conflictSides,
  joinSides,
  ownLines,
  type Sides,
  withLines,
} from './conflictSides.ts'
export {
  buildBothDeleted,
  buildConflict,
  buildRerere,
  buildSparse,
  buildSubmoduleConflict,
  CONFLICT_OPERATIONS,
  type ConflictOptions,
  type ConflictRepo,
  OTHER,
  PLANNER,
  prepareConflict,
  RESEARCHER,
  stop,
} from './conflicts.ts'
export { buildBranch, buildContents, contents, HOSTILE, ODD_PATHS, png } from './contents.ts'
export { git, gitBytes, gitStatus, PERSON, rawGitEnvironment } from './git.ts'
export { buildLargeStore, type LargeSpec } from './large.ts'
export { layouts } from './layouts.ts'
export { archivedMemory, contentHash, generatedLists, type MemorySpec, memoryHtml } from './memory.ts'
export {
  LEDGER_PATH,
  MALFORMED_LINE,
  MARK_LINES,
  MEMORIES,
  nightCommits,
  PATHS,
  phaseCommit,
  REPORT_PATH,
  RUN,
  SESSION_ID,
} from './night.ts'
export { addCommits, buildRepo, copyRepo, openTestRepo, type RepoSpec, type TestRepo } from './repo.ts'
export { CONFLICTING, DISJOINT, FOREIGN, OVERLAPPING, stores, UNKNOWN_PHASE } from './scenarios.ts'
export { type Snapshot, sidecars, snapshot, snapshotDiff, workingTree } from './snapshot.ts'
export { addStoreDbs, beside, buildStore, type StoreSpec } from './store.ts'
export { createStoreDbs, dumpStoreDbs, lockStoreDb, storeDbFile, storeSql } from './storeDb.ts'
export { type CommitSpec, type Entry, type Files, pathBytes, type Who } from './stream.ts'
export { type TestHome, tempDir, withHome } from './temp.ts'
