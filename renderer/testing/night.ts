import type {
  ApprovalPreview,
  ChangeKind,
  FileChange,
  FileReview,
  HistoryEntry,
  Inbox,
  Repository,
  Review,
  RunCommit,
  SleepBranch,
} from '../../shared/model/index.ts'

/** Typed samples for tests of the page: one repository, one night. */

const oid = (n: number) => n.toString(16).padStart(40, '0')
export const REPO_ID = '0123456789abcdef'
export const BRANCH = 'sleep/2026-11-30'
export const BASE = oid(0x3f2c1a0)
export const TIP = oid(0x9d41c07)

export const repository: Repository = {
  id: REPO_ID,
  name: 'notes',
  path: '/home/mara/notes',
  commonDir: '/home/mara/notes/.git',
  bare: false,
  linkedWorktree: false,
  head: { kind: 'branch', branch: 'main', oid: BASE },
  trunk: { branch: 'main', oid: BASE },
  store: true,
  readOnly: false,
}

export function fileChange(path: string, kind: ChangeKind, change: Partial<FileChange> = {}): FileChange {
  return {
    path,
    fromPath: null,
    kind,
    format: 'memory',
    fields: [],
    gist: null,
    missing: null,
    oldOid: kind === 'created' ? null : oid(1),
    newOid: kind === 'deleted' ? null : oid(2),
    oldMode: '100644',
    newMode: '100644',
    phases: ['dedup-merge'],
    commits: [oid(10)],
    foreign: false,
    contentKey: `key of ${path}`,
    viewed: 'no',
    included: true,
    cannotLeaveOut: null,
    declinedBefore: false,
    alsoOnTrunk: false,
    ...change,
  }
}

export function sleepBranch(change: Partial<SleepBranch> = {}): SleepBranch {
  return {
    ref: `refs/heads/${BRANCH}`,
    branch: BRANCH,
    remote: null,
    tip: TIP,
    base: BASE,
    commits: 7,
    files: 3,
    committedAt: '2026-11-30T03:11:00Z',
    readiness: 'ready',
    status: { state: 'ready' },
    checkedOutIn: null,
    viewed: 0,
    left: 3,
    ...change,
  }
}

export function runCommit(n: number, change: Partial<RunCommit> = {}): RunCommit {
  return {
    oid: oid(10 + n),
    parents: [oid(9 + n)],
    author: 'memhtml',
    authorEmail: 'memhtml@agent.invalid',
    at: '2026-11-30T03:06:00Z',
    subject: `memhtml(sleep): phase ${n}`,
    body: '',
    phase: 'dedup-merge',
    foreign: null,
    bringsMainIn: false,
    counts: { folded: 2 },
    files: 1,
    ...change,
  }
}

export const files: FileChange[] = [
  fileChange('areas/infra/pool-ceiling.html', 'claim-changed', { gist: '40 → 60' }),
  fileChange('areas/infra/failover-drill.html', 'created'),
  fileChange('archive/2026/areas/infra/pool-limit.html', 'archived', { fromPath: 'areas/infra/pool-limit.html' }),
  fileChange('areas/a.html', 'metadata-only', {
    fields: ['confidence'],
    gist: '1.000 → 0.920',
    phases: ['confidence-decay'],
  }),
  fileChange('areas/b.html', 'metadata-only', {
    fields: ['confidence'],
    gist: '1.000 → 0.920',
    phases: ['confidence-decay'],
  }),
  fileChange('areas/c.html', 'metadata-only', { fields: ['tag', 'updated'], foreign: true }),
  fileChange('areas/index.html', 'generated', { viewed: 'yes' }),
  fileChange('index.html', 'generated'),
]

export function review(change: Partial<Review> = {}): Review {
  return {
    repoId: REPO_ID,
    run: sleepBranch({ files: files.length, left: 7 }),
    trunk: { branch: 'main', oid: BASE },
    base: BASE,
    tip: TIP,
    files,
    commits: [runCommit(2), runCommit(1)],
    ledger: null,
    reportPath: null,
    onTrunk: [],
    viewed: 1,
    gate: null,
    ...change,
  }
}

export function preview(change: Partial<ApprovalPreview> = {}): ApprovalPreview {
  return {
    branch: BRANCH,
    from: BASE,
    to: TIP,
    commits: 7,
    marks: 2,
    heldMarks: [],
    leftOut: [],
    dangling: [],
    stale: [],
    blockers: [],
    ...change,
  }
}

export function fileReview(file: FileChange, change: Partial<FileReview> = {}): FileReview {
  return {
    repoId: REPO_ID,
    branch: BRANCH,
    file,
    old: null,
    new: null,
    memory: [],
    title: { before: null, after: null },
    claim: null,
    raw: [],
    notes: [],
    why: [],
    large: false,
    ...change,
  }
}

export function inbox(change: Partial<Inbox> = {}): Inbox {
  return {
    repository,
    tree: { clean: true, changed: [], total: 0 },
    sleepBranches: [sleepBranch()],
    marksWaiting: [],
    week: [],
    lastRun: null,
    sums: { approved: 0, leftOut: 0, aborted: 0, documents: 0 },
    writers: [],
    ...change,
  }
}

export function historyEntry(change: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    operationId: '20261130-084100-abcd',
    verb: 'approve',
    branch: BRANCH,
    actor: 'Mara',
    via: 'app',
    startedAt: '2026-11-30T08:41:00Z',
    endedAt: '2026-11-30T08:41:01Z',
    status: 'done',
    from: BASE,
    to: TIP,
    files: 27,
    leftOut: [],
    marks: null,
    undo: 'undo',
    detail: null,
    ...change,
  }
}
