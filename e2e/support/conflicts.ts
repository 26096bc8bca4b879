import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ConflictKindName, conflictSides, type Sides } from './conflictSides.ts'
import { gitBytes, gitStatus } from './git.ts'
import { buildRepo, openTestRepo, type TestRepo } from './repo.ts'
import type { CommitSpec, Files, Who } from './stream.ts'
import { tempDir } from './temp.ts'

export const CONFLICT_OPERATIONS = ['merge', 'rebase', 'cherry-pick', 'revert', 'stash', 'am'] as const
export type ConflictOperationName = (typeof CONFLICT_OPERATIONS)[number]

/** Who committed the two sides. */
export const PLANNER: Who = { name: 'planner', email: 'planner@agent.invalid' }
export const RESEARCHER: Who = { name: 'researcher', email: 'researcher@agent.invalid' }
/** The branch of the other side. */
export const OTHER = 'infra/pg17'
export const SUBJECTS = { base: 'Base', ours: 'Move main on', theirs: 'Write the side' } as const

export interface ConflictOptions {
  readonly dir?: string
  /** What git is stopped in; default `merge`. */
  readonly operation?: ConflictOperationName
  /** Where it stopped: the main working tree (default), a linked one, or a linked one of a bare repository. */
  readonly where?: 'main' | 'linked' | 'bare'
  /** Lines appended to the repository's configuration. */
  readonly config?: string
  /** More commits of the other side before the one that conflicts, for the steps of a rebase or `am`. */
  readonly before?: readonly Files[]
  /** And after it. */
  readonly after?: readonly Files[]
}

/** A repository in which git stopped with conflicts. The working tree is the one it stopped in. */
export interface ConflictRepo extends TestRepo {
  /** The repository it belongs to; itself where the main working tree stopped. */
  readonly main: TestRepo
  readonly operation: ConflictOperationName
  /** Commits by side, as the operation has them in its stages; `theirs` null for `am`. */
  readonly commits: { readonly base: string; readonly ours: string; readonly theirs: string | null }
}

/** Builds a repository and stops the operation in the conflicts that the sides make. Stage 2 is always `ours`, stage 3 `theirs`. */
export function buildConflict(kind: ConflictKindName | Sides, options: ConflictOptions = {}): ConflictRepo {
  const ready = prepareConflict(kind, options)
  stop(ready)
  return ready
}

/** As `buildConflict`, before the operation is started. */
export function prepareConflict(kind: ConflictKindName | Sides, options: ConflictOptions = {}): ConflictRepo {
  const sides = typeof kind === 'string' ? conflictSides[kind]() : kind
  const operation = options.operation ?? 'merge'
  const where = options.where ?? 'main'
  const dir = options.dir ?? tempDir('conflict')
  const main = buildRepo(where === 'main' ? dir : join(dir, 'repository'), {
    commits: operation === 'revert' ? revertHistory(sides) : history(sides, options),
    bare: where === 'bare',
    head: where === 'linked' ? 'elsewhere' : 'main',
    config: `[rerere]\n\tenabled = false\n${sides.config ?? ''}${options.config ?? ''}`,
  })
  const branch = operation === 'rebase' ? OTHER : 'main'
  if (where === 'main') main.git('checkout', '-q', branch)
  else main.git('worktree', 'add', '-q', join(dir, 'tree'), branch)
  const repo = where === 'main' ? main : openTestRepo(join(dir, 'tree'))
  if (operation === 'stash') stash(repo, sides)
  const commits = {
    base: main.oid(operation === 'revert' ? 'main~1' : 'main^{/^Base}'),
    ours: main.oid('main'),
    theirs: theirsOf(main, operation),
  }
  return { ...repo, main, operation, commits }
}

function theirsOf(main: TestRepo, operation: ConflictOperationName): string | null {
  if (operation === 'am') return null
  if (operation === 'revert') return main.oid('main~2')
  if (operation === 'stash') return main.oid('refs/stash')
  return operation === 'merge' ? main.oid(OTHER) : main.oid(`${OTHER}^{/^${SUBJECTS.theirs}}`)
}

function history(sides: Sides, options: ConflictOptions): CommitSpec[] {
  const more = (files: readonly Files[] | undefined, word: string): CommitSpec[] =>
    (files ?? []).map((one, at) => ({
      on: OTHER,
      author: RESEARCHER,
      message: `${word} ${at + 1}`,
      files: one,
    }))
  return [
    { message: SUBJECTS.base, files: { 'README.md': 'Notes.\n', ...sides.base }, label: 'base' },
    { on: 'elsewhere', from: 'main', message: 'Elsewhere', files: { 'elsewhere.md': 'Elsewhere.\n' } },
    { on: OTHER, from: 'base', author: RESEARCHER, message: 'Start the side', files: { 'side.md': 'Side.\n' } },
    ...more(options.before, 'Before'),
    { on: OTHER, author: RESEARCHER, message: SUBJECTS.theirs, files: sides.theirs },
    ...more(options.after, 'After'),
    { author: PLANNER, message: SUBJECTS.ours, files: { 'main.md': 'Main.\n', ...sides.ours } },
  ]
}

/** A revert goes from the reverted commit (base) to the one before it (theirs), on top of ours. */
function revertHistory(sides: Sides): CommitSpec[] {
  const start = applied({ 'README.md': 'Notes.\n', ...sides.base }, sides.theirs)
  const back = Object.fromEntries(
    Object.keys({ ...sides.base, ...sides.theirs })
      .sort()
      .map((path) => [path, sides.base[path] ?? null]),
  )
  return [
    { author: RESEARCHER, message: SUBJECTS.theirs, files: start },
    { on: 'elsewhere', from: 'main', message: 'Elsewhere', files: { 'elsewhere.md': 'Elsewhere.\n' } },
    { message: SUBJECTS.base, files: inOrder(back) },
    { author: PLANNER, message: SUBJECTS.ours, files: { 'main.md': 'Main.\n', ...sides.ours } },
  ]
}

/** Deletions first, so that a folder can take a file's place. */
const inOrder = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).sort(([, a], [, b]) => Number(b === null) - Number(a === null)))

function applied(files: Files, changes: Files): Files {
  return Object.fromEntries(Object.entries({ ...files, ...changes }).filter(([, entry]) => entry !== null))
}

function stash(repo: TestRepo, sides: Sides): void {
  repo.git('checkout', '-q', '--detach', 'main^{/^Base}')
  for (const [path, entry] of Object.entries(inOrder(sides.theirs))) {
    if (entry !== null && typeof entry === 'object' && 'submodule' in entry) throw new Error('no submodule in a stash')
    repo.write(path, entry)
  }
  repo.git('-c', 'core.safecrlf=false', 'add', '-A')
  repo.git('-c', 'core.safecrlf=false', 'stash', 'push', '-q', '-m', SUBJECTS.theirs)
  repo.git('checkout', '-q', 'main')
}

/** Starts the operation of a prepared repository; it has to stop in conflicts. */
export function stop(repo: ConflictRepo): void {
  const command = {
    merge: ['merge', '--no-edit', OTHER],
    rebase: ['rebase', '-q', 'main'],
    'cherry-pick': ['cherry-pick', `${OTHER}^{/^${SUBJECTS.theirs}}`],
    revert: ['revert', '--no-edit', 'main~1'],
    stash: ['stash', 'pop', '-q'],
    am: ['am', '-q', '-3', '--keep-cr'],
  }[repo.operation]
  const input =
    repo.operation === 'am'
      ? gitBytes(repo.dir, [
          'format-patch',
          '--stdout',
          '--binary',
          '--full-index',
          '--no-renames',
          `main^{/^Base}..${OTHER}`,
        ])
      : ''
  const code = gitStatus(repo.dir, command, { input })
  if (code === 0 || repo.git('ls-files', '-u') === '')
    throw new Error(`${repo.operation} met no conflict (exit ${code})`)
}

/** Every conflict of a submodule needs the submodule: `lib`, checked out, with two commits that grew apart. */
export function buildSubmoduleConflict(options: Omit<ConflictOptions, 'operation'> = {}): ConflictRepo {
  const dir = options.dir ?? tempDir('submodule-conflict')
  const library = buildRepo(join(dir, 'library'), {
    commits: [
      { message: 'Library', files: { 'x.txt': 'x\n' }, label: 'library' },
      { on: 'ours', from: 'library', author: PLANNER, message: 'Pool of 20', files: { 'x.txt': 'ours\n' } },
      { on: 'theirs', from: 'library', author: RESEARCHER, message: 'Pool of 40', files: { 'x.txt': 'theirs\n' } },
    ],
  })
  const at = (branch: string): Files => ({ lib: { submodule: library.oid(branch) } })
  const repo = prepareConflict(
    {
      base: { '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ./library\n', ...at('main') },
      ours: at('ours'),
      theirs: at('theirs'),
    },
    { ...options, dir: join(dir, 'repository') },
  )
  repo.git('config', 'submodule.lib.url', library.dir)
  const modules = join(repo.gitDir, 'modules', 'lib')
  mkdirSync(dirname(modules), { recursive: true })
  repo.git('clone', '-q', '--no-local', '--separate-git-dir', modules, library.dir, join(repo.dir, 'lib'))
  if (!existsSync(join(repo.dir, 'lib', '.git'))) throw new Error('no submodule')
  repo.git('-C', join(repo.dir, 'lib'), 'checkout', '-q', '--detach', library.oid('ours'))
  stop(repo)
  return repo
}

/** The path is unmerged, with stage 1 alone: what a plumbing tool leaves. */
export function buildBothDeleted(options: Pick<ConflictOptions, 'dir' | 'where'> = {}): ConflictRepo {
  const repo = prepareConflict('text', options)
  const blob = repo.git('rev-parse', `${repo.commits.base}:notes.md`)
  const zero = '0'.repeat(40)
  repo.gitBytes(['update-index', '-z', '--index-info'], {
    input: `0 ${zero}\tnotes.md\x00100644 ${blob} 1\tnotes.md\0`,
  })
  repo.write('notes.md', null)
  return repo
}

/**
 * rerere knows a resolution of the same conflict from another day. `written`: it stands in the file, without markers,
 * and the path is still unmerged; `recorded`: the file has its markers back.
 */
export function buildRerere(
  state: 'written' | 'recorded',
  options: Pick<ConflictOptions, 'dir' | 'where'> = {},
): ConflictRepo {
  const repo = prepareConflict('text', { ...options, config: '[rerere]\n\tenabled = true\n' })
  const tip = repo.oid('HEAD')
  gitStatus(repo.dir, ['merge', '--no-edit', OTHER])
  repo.write('notes.md', 'stale answer\n'.repeat(30))
  repo.git('add', 'notes.md')
  repo.git('commit', '-q', '-m', 'Merge')
  repo.git('reset', '-q', '--hard', tip)
  stop(repo)
  if (state === 'recorded') repo.git('checkout', '-q', '-m', '--', 'notes.md')
  return repo
}

/** A sparse checkout of `docs/`, and a conflict in `mem/`, outside it. */
export function buildSparse(options: Pick<ConflictOptions, 'dir' | 'where'> = {}): ConflictRepo {
  const repo = prepareConflict(
    {
      base: { 'docs/a.md': 'a\n', 'mem/note.md': 'one\n', 'mem/other.md': 'other\n' },
      ours: { 'mem/note.md': 'ours\n' },
      theirs: { 'mem/note.md': 'theirs\n' },
    },
    options,
  )
  repo.git('sparse-checkout', 'set', '--cone', 'docs')
  stop(repo)
  return repo
}
