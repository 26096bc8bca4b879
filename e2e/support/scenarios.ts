import { type MemorySpec, memoryHtml } from './memory.ts'
import { MALFORMED_LINE, MARK_LINES, MEMORIES, PATHS, phaseCommit, RUN } from './night.ts'
import type { TestRepo } from './repo.ts'
import { buildStore, type StoreSpec } from './store.ts'
import type { CommitSpec } from './stream.ts'

const claimOf = (path: string) => MEMORIES[path] as MemorySpec

/** A commit on main that nothing of the night touches. */
export const DISJOINT: CommitSpec = {
  message: 'memhtml(write): Backup window',
  author: { name: 'planner', email: 'planner@agent.invalid' },
  files: {
    'areas/inbox/backup-window.html': memoryHtml({
      title: 'Backup window',
      claim: 'Backups run between 02:00 and 02:40.',
    }),
  },
}

/** A commit on main in a file of the night, in other lines than the night's: overlapping, and it merges cleanly. */
export const OVERLAPPING: CommitSpec = {
  message: 'memhtml(correct): Cache lifetime',
  author: { name: 'researcher', email: 'researcher@agent.invalid' },
  files: {
    [PATHS.movedTo.replace('projects/release', 'areas/inbox')]: memoryHtml({
      ...claimOf(PATHS.moved),
      body: ['Security fixes are the exception.', 'The calendar names the week.'],
    }),
  },
}

/** A commit on main that changes the same claim as the night, otherwise: a conflict. */
export const CONFLICTING: CommitSpec = {
  message: 'memhtml(correct): Connection pool',
  author: { name: 'researcher', email: 'researcher@agent.invalid' },
  files: {
    [PATHS.claim]: memoryHtml({ ...claimOf(PATHS.claim), claim: 'The orders database takes 50 pooled connections.' }),
  },
}

/** A commit on the sleep branch that no phase made. */
export const FOREIGN: CommitSpec = {
  on: RUN,
  message: 'memhtml(write): Late note',
  author: { name: 'researcher', email: 'researcher@agent.invalid' },
  files: {
    'areas/inbox/late-note.html': memoryHtml({
      title: 'Late note',
      claim: 'A note was written while the run went on.',
    }),
  },
}

/** A commit whose trailer names a phase that there is not. */
export const UNKNOWN_PHASE: CommitSpec = phaseCommit('moon-phase', 'look at the moon', {
  'areas/inbox/moon.html': memoryHtml({ title: 'Moon', claim: 'The moon was full.' }),
})

const store =
  (spec: StoreSpec) =>
  (dir?: string, more: StoreSpec = {}) =>
    buildStore(dir, { ...spec, ...more })

/** Built stores by the state that their sleep branch is in. Each takes a folder (default: a fresh one) and more of the spec. */
export const stores = {
  /** Ready: main has not moved. HEAD on main, tree clean. */
  clean: store({}),
  /** As the store's own tool leaves it: HEAD on the sleep branch. */
  headOnSleep: store({ head: RUN }),
  mainAdvancedDisjoint: store({ onMain: [DISJOINT] }),
  mainAdvancedOverlapping: store({ onMain: [OVERLAPPING] }),
  mainAdvancedConflicting: store({ onMain: [CONFLICTING] }),
  /** A local change in a file that the night touches, one in a file it does not, and an untracked file. */
  dirtyTree: store({
    local: {
      [PATHS.claim]: 'a person was here\n',
      [PATHS.untouched]: 'and here\n',
      'areas/inbox/untracked.txt': 'untracked\n',
    },
  }),
  /** Local changes only where the night does not reach: approval goes through and keeps them. */
  dirtyElsewhere: store({ local: { [PATHS.untouched]: 'a person was here\n', 'notes.txt': 'untracked\n' } }),
  foreignCommit: store({ afterNight: [FOREIGN] }),
  unknownPhase: store({ afterNight: [UNKNOWN_PHASE] }),
  malformedLedger: store({ ledger: `${[...MARK_LINES, MALFORMED_LINE, 'not json'].join('\n')}\n` }),
  noLedger: store({ ledger: null }),
  noDatabases: store({ databases: false }),
  noNight: store({ night: false }),
  bare: store({ bare: true }),
  /** The branch is there and points at main; its row says what the run was based on. */
  emptyRun: store({ night: false, refs: { [`refs/heads/${RUN}`]: 'main' }, runStatus: 'review' }),
  /** Only another clone's branch is known. */
  remoteOnly: (dir?: string, more: StoreSpec = {}): TestRepo => {
    const repo = buildStore(dir, { ...more, runStatus: null })
    repo.git('remote', 'add', 'origin', '/nonexistent/origin.git')
    repo.git('update-ref', `refs/remotes/origin/${RUN}`, repo.oid(RUN))
    repo.git('update-ref', '-d', `refs/heads/${RUN}`)
    return repo
  },
  /** Main was moved to the night's tip by someone else; the branch is still there. */
  alreadyMerged: (dir?: string, more: StoreSpec = {}): TestRepo => {
    const repo = buildStore(dir, more)
    repo.git('merge', '-q', '--ff-only', RUN)
    return repo
  },
  /** The sleep branch is checked out in a clean linked worktree beside the repository. */
  inWorktree: (dir?: string, more: StoreSpec = {}): TestRepo & { readonly worktree: string } => {
    const repo = buildStore(dir, more)
    const worktree = `${repo.dir}-worktree`
    repo.git('worktree', 'add', '-q', worktree, RUN)
    return { ...repo, worktree }
  },
} as const
