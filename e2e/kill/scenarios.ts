import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { conflictSides } from '../support/conflictSides.ts'
import { buildConflict } from '../support/conflicts.ts'
import { addStoreDbs, openTestRepo, PATHS, RUN, stores, type TestRepo, tempDir } from '../support/index.ts'
import { CLEAN, SMUDGE } from './state.ts'

/** A verb to be killed: the repository before it, and what is asked. */
export interface Scenario {
  readonly name: string
  readonly build: () => TestRepo
  /** The repository and its linked worktrees lie side by side in one folder. */
  readonly linked?: boolean
  /** Acts that must have been done before, with living processes; the answers are handed to `params`. */
  readonly first?: readonly { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[]
  /** Plain git between those acts and the verb. */
  readonly between?: (repo: TestRepo) => void
  /** The verb is killed at its first point of this name beforehand; what is killed now is the mending of it. */
  readonly mending?: string
  readonly method: string
  readonly params: (answers: readonly Record<string, unknown>[]) => Readonly<Record<string, unknown>>
}

/** Many files, so that writing them takes long enough to be killed in the middle. */
const MANY = 120
const bulk = (word: string) =>
  Object.fromEntries(
    Array.from({ length: MANY }, (_, n) => [`bulk/${n % 10}/file-${n}.txt`, `${word} ${n}\n`.repeat(200 + (n % 50))]),
  )

/** Local edits of every sort, on paths that the night does not touch; the last one holds what the night brings. */
function edit(repo: TestRepo, identical: boolean): TestRepo {
  const common = repo.git('rev-parse', '--path-format=absolute', '--git-common-dir')
  mkdirSync(join(common, 'info'), { recursive: true })
  writeFileSync(join(common, 'info', 'exclude'), '*.ignored\n')
  repo.write(PATHS.untouched, 'staged by a person\n')
  repo.git('add', PATHS.untouched)
  repo.write(PATHS.untouched, 'staged, then edited again\n')
  repo.write('README.html', 'unstaged\n')
  repo.write('notes \u{1f600} -> "new"\nline.txt', 'untracked\n')
  repo.write('private.ignored', 'ignored\n')
  repo.write('archive/2026/areas/inbox/own.ignored', 'ignored, beside what is to come\n')
  if (identical) repo.write(PATHS.person, repo.show(RUN, PATHS.person))
  return repo
}

const bring = { branch: RUN, except: [], bringMainIn: true }
const except = [PATHS.claim, PATHS.evicted, 'bulk/1/file-1.txt']
const advanced = (head = 'main') => edit(stores.mainAdvancedDisjoint(undefined, { ...spec, head }), false)

const spec = { files: bulk('old'), afterNight: [{ message: 'Many files', files: bulk('new') }] }
const night = (head = 'main') => edit(stores.clean(undefined, { ...spec, head }), head === 'main')
const onlyUntracked = (head: string) => {
  const repo = stores.clean(undefined, { ...spec, head })
  repo.write('notes.txt', 'untracked\n')
  return repo
}

const few = {
  files: { 'bulk/a.txt': 'old\n' },
  afterNight: [{ message: 'One file', files: { 'bulk/a.txt': 'new\n' } }],
}

/**
 * Main in two linked worktrees, the main worktree on a branch of its own; edits in all of them. A third one has the
 * branch checked out, or only its commit: a branch that cannot go over to main is not approved away from there.
 */
function inWorktrees(checkedOut: boolean): TestRepo {
  const base = tempDir('linked')
  const repo = stores.clean(join(base, 'repo'), few)
  repo.git('checkout', '-q', '-b', 'side')
  const add = (name: string, branch: string) => {
    repo.git('worktree', 'add', '-q', '--force', join(base, name), branch)
    return openTestRepo(join(base, name))
  }
  edit(repo, false)
  const one = edit(add('one', 'main'), true)
  cpSync(join(repo.dir, '.memhtml'), join(one.dir, '.memhtml'), { recursive: true })
  edit(add('two', 'main'), false)
  const night = add('night', RUN)
  // A branch goes only from a worktree that is clean.
  if (checkedOut) night.write('notes.txt', 'untracked\n')
  else edit(night, false).git('checkout', '-q', '--detach')
  return repo
}

/** A bare repository; the branch is in one linked worktree, main's commit in another. */
function bareWithWorktrees(): TestRepo {
  const base = tempDir('bare')
  const repo = stores.clean(join(base, 'repo.git'), { ...few, bare: true })
  repo.git('worktree', 'add', '-q', join(base, 'night'), RUN)
  repo.git('worktree', 'add', '-q', '--detach', join(base, 'other'), 'main')
  for (const name of ['night', 'other']) edit(openTestRepo(join(base, name)), false)
  addStoreDbs(openTestRepo(join(base, 'night')))
  return repo
}

const shown = (name: string) =>
  Object.fromEntries([1, 2, 3].map((n) => [`shown/${n}.txt`, `STORED ${name} ${n}\n`.repeat(50)]))

/** Files that a filter of the person's own stores otherwise than it shows them. */
function filtered(head: string): TestRepo {
  const files = { ...shown('old'), '.gitattributes': 'shown/*.txt filter=own\n' }
  const repo = stores.clean(undefined, { files, afterNight: [{ message: 'Shown files', files: shown('new') }], head })
  repo.git('rm', '-q', '-r', '--cached', 'shown')
  repo.git('-c', `filter.own.clean=${CLEAN}`, '-c', `filter.own.smudge=${SMUDGE}`, 'reset', '-q', '--hard')
  return head === 'main' ? edit(repo, true) : repo
}

const approve = { branch: RUN, except: [], bringMainIn: false }
const first = [{ method: 'sleep.approve', params: approve }]

/** A merge of many files that stopped in conflicts, with edits of a person beside it. */
function stopped(): TestRepo {
  const { base, ours, theirs } = conflictSides.text()
  const sides = {
    base: { ...base, ...bulk('old'), 'gone.md': 'one\n' },
    ours: { ...ours, 'gone.md': 'two\n' },
    theirs: { ...theirs, ...bulk('new'), 'gone.md': null },
  }
  const repo = buildConflict(sides)
  repo.write('README.md', 'unstaged\n')
  repo.write('notes \u{1f600} -> "new"\nline.txt', 'untracked\n')
  return repo
}

/** The same with everything resolved by plain git. */
function settled(): TestRepo {
  const repo = stopped()
  repo.git('checkout', '-q', '--theirs', '--', 'notes.md')
  repo.git('add', 'notes.md', 'gone.md')
  return repo
}

const resolveText = { conflict: 'notes.md', lines: 3 }

const undoFirst = {
  first,
  method: 'sleep.undo',
  params: ([done]: readonly Record<string, unknown>[]) => ({ operationId: done?.operationId, revert: false }),
}
const edited = () => inWorktrees(false)

const LETTER = 'bulk/a.txt'
const publish = { path: LETTER, body: 'published\n', expectedVersion: 2 }
/** One document to be written, beside edits of every sort. */
const letters = () => {
  return edit(stores.clean(undefined, { files: { ...few.files, 'bulk/other.txt': 'other\n' } }), false)
}

export const scenarios: readonly Scenario[] = [
  { name: 'publish', build: letters, method: 'documents.publish', params: () => ({ ...publish, expectedVersion: 1 }) },
  {
    name: 'publish of a new file',
    build: letters,
    method: 'documents.publish',
    params: () => ({ path: 'notes/new/letter.md', body: 'new\n', expectedVersion: 0 }),
  },
  {
    name: 'publish, worktrees',
    build: edited,
    linked: true,
    method: 'documents.publish',
    params: () => ({ ...publish, expectedVersion: 1 }),
  },
  {
    name: 'publish, bare',
    build: bareWithWorktrees,
    linked: true,
    method: 'documents.publish',
    params: () => ({ ...publish, expectedVersion: 1 }),
  },
  {
    name: 'publish that answers a candidate',
    build: letters,
    first: [
      { method: 'documents.publish', params: { ...publish, body: 'theirs\n', expectedVersion: 1 } },
      { method: 'documents.publish', params: { ...publish, body: 'ours\n', expectedVersion: 1 } },
    ],
    method: 'documents.publish',
    params: () => publish,
  },
  {
    name: 'append',
    build: letters,
    method: 'documents.append',
    params: () => ({ path: LETTER, body: 'appended\n' }),
  },
  {
    name: 'archive',
    build: letters,
    method: 'documents.archive',
    params: () => ({ path: LETTER, expectedVersion: 1 }),
  },
  {
    name: 'merge of a branch',
    build: () => advanced(),
    method: 'branches.merge',
    params: () => ({ commitish: RUN }),
  },
  { name: 'approve, worktrees', build: edited, linked: true, method: 'sleep.approve', params: () => approve },
  {
    name: 'abort, worktrees',
    build: () => inWorktrees(true),
    linked: true,
    method: 'sleep.abort',
    params: () => ({ branch: RUN }),
  },
  { name: 'undo of an approval, worktrees', build: edited, linked: true, ...undoFirst },
  { name: 'approve, bare', build: bareWithWorktrees, linked: true, method: 'sleep.approve', params: () => approve },
  { name: 'undo of an approval, bare', build: bareWithWorktrees, linked: true, ...undoFirst },
  { name: 'undo of an approval, filtered files', build: () => filtered('main'), ...undoFirst },
  {
    name: 'abort, filtered files, HEAD on the branch',
    build: () => filtered(RUN),
    method: 'sleep.abort',
    params: () => ({ branch: RUN }),
  },
  { name: 'approve', build: night, method: 'sleep.approve', params: () => approve },
  { name: 'approve, HEAD on the branch', build: () => night(RUN), method: 'sleep.approve', params: () => approve },
  { name: 'abort', build: night, method: 'sleep.abort', params: () => ({ branch: RUN }) },
  {
    name: 'abort, HEAD on the branch',
    build: () => onlyUntracked(RUN),
    method: 'sleep.abort',
    params: () => ({ branch: RUN }),
  },
  {
    name: 'undo of an approval',
    build: night,
    first,
    method: 'sleep.undo',
    params: ([done]) => ({ operationId: done?.operationId, revert: false }),
  },
  {
    name: 'undo of an abort',
    build: night,
    first: [{ method: 'sleep.abort', params: { branch: RUN } }],
    method: 'sleep.undo',
    params: ([done]) => ({ operationId: done?.operationId, revert: false }),
  },
  {
    name: 'apply marks',
    build: night,
    first,
    method: 'sleep.applyMarks',
    params: () => ({ branch: RUN }),
  },
  {
    name: 'approve with files left out',
    build: night,
    method: 'sleep.approve',
    params: () => ({ ...approve, except }),
  },
  {
    name: 'approve with files left out, HEAD on the branch',
    build: () => night(RUN),
    method: 'sleep.approve',
    params: () => ({ ...approve, except }),
  },
  {
    name: 'bring main in, HEAD on the branch',
    build: () => advanced(RUN),
    method: 'sleep.bringMainIn',
    params: () => ({ branch: RUN }),
  },
  {
    name: 'bring main in with its conflicts decided, HEAD on the branch',
    build: () => edit(stores.mainAdvancedConflicting(undefined, { ...spec, head: RUN }), false),
    first: [{ method: 'conflicts.resolve', params: { conflict: PATHS.claim, branch: RUN, lines: 2 } }],
    method: 'conflicts.proceed',
    params: () => ({ conflict: '', branch: RUN }),
  },
  { name: 'bring main in and approve', build: advanced, method: 'sleep.approve', params: () => bring },
  {
    name: 'revert of a night',
    build: night,
    first,
    between: (repo) => {
      const later = repo.git('commit-tree', '-p', 'main', '-m', 'later', repo.git('rev-parse', 'main^{tree}'))
      repo.git('update-ref', 'refs/heads/main', later)
    },
    method: 'sleep.undo',
    params: ([done]) => ({ operationId: done?.operationId, revert: true }),
  },
  { name: 'resolve of a text', build: stopped, method: 'conflicts.resolve', params: () => resolveText },
  {
    name: 'resolve of a deletion',
    build: stopped,
    method: 'conflicts.resolve',
    params: () => ({ conflict: 'gone.md' }),
  },
  {
    name: 'reopen',
    build: stopped,
    first: [{ method: 'conflicts.resolve', params: resolveText }],
    method: 'sleep.undo',
    params: ([done]) => ({ operationId: done?.operationId, revert: false }),
  },
  { name: 'proceed with a merge', build: settled, method: 'conflicts.proceed', params: () => ({ conflict: '' }) },
  { name: 'abort of a merge', build: stopped, method: 'conflicts.abort', params: () => ({ conflict: '' }) },
  ...['plan written', 'after git checkout-index', 'index in place', 'stage moved'].map(
    (mending): Scenario => ({
      name: `mending of a resolve cut off at ${mending}`,
      build: stopped,
      mending,
      method: 'conflicts.resolve',
      params: () => resolveText,
    }),
  ),
  ...['after git read-tree', 'refs committed', 'stage moved', 'marks applied'].map(
    (mending): Scenario => ({
      name: `mending of an approval cut off at ${mending}`,
      build: night,
      mending,
      method: 'sleep.approve',
      params: () => approve,
    }),
  ),
]
