import { join } from 'node:path'
import { conflictSides, joinSides } from './conflictSides.ts'
import { CONFLICT_OPERATIONS, type ConflictOperationName, OTHER, PLANNER, RESEARCHER, SUBJECTS } from './conflicts.ts'
import { gitStatus } from './git.ts'
import { buildRepo, openTestRepo, type TestRepo } from './repo.ts'
import { workingTree } from './snapshot.ts'
import { tempDir } from './temp.ts'

/** A linked worktree in which git stopped, on a branch that is named as the operation. */
export interface StoppedTree extends TestRepo {
  readonly operation: ConflictOperationName
  /** What it was before git began: the branch's commit, and every file. */
  readonly head: string
  readonly files: Readonly<Record<string, string>>
}

export interface ConflictTrees extends TestRepo {
  readonly trees: Readonly<Record<ConflictOperationName, StoppedTree>>
  /** Commits: the one that is reverted, the tip of main, and that of the other side. */
  readonly commits: { readonly base: string; readonly ours: string; readonly theirs: string }
}

/**
 * One repository with a linked worktree for every operation, each stopped in the same three conflicts of `text/notes.md`,
 * and nothing in conflict in the main working tree. Stage 2 is always `ours`, stage 3 `theirs`.
 */
export function buildConflictTrees(dir = tempDir('conflict-trees')): ConflictTrees {
  const { base, ours, theirs } = joinSides(['text'])
  const main = buildRepo(join(dir, 'repository'), {
    commits: [
      { author: RESEARCHER, message: SUBJECTS.theirs, files: { 'README.md': 'Notes.\n', ...base, ...theirs } },
      { message: SUBJECTS.base, files: base, label: 'base' },
      { on: OTHER, from: 'base', author: RESEARCHER, message: 'Start the side', files: { 'side.md': 'Side.\n' } },
      { on: OTHER, author: RESEARCHER, message: SUBJECTS.theirs, files: theirs },
      { author: PLANNER, message: SUBJECTS.ours, files: { 'main.md': 'Main.\n', ...ours } },
    ],
    config: '[rerere]\n\tenabled = false\n',
  })
  const commits = { base: main.oid('main~1'), ours: main.oid('main'), theirs: main.oid(OTHER) }
  const trees = CONFLICT_OPERATIONS.map(
    (operation) => [operation, stopIn(main, join(dir, operation), operation)] as const,
  )
  return { ...main, trees: Object.fromEntries(trees) as ConflictTrees['trees'], commits }
}

function stopIn(main: TestRepo, dir: string, operation: ConflictOperationName): StoppedTree {
  main.git('worktree', 'add', '-q', '-b', operation, dir, operation === 'rebase' ? OTHER : 'main')
  const tree = openTestRepo(dir)
  if (operation === 'stash') {
    tree.git('checkout', '-q', '--detach', 'main~1')
    for (const [path, entry] of Object.entries(joinSides({ text: conflictSides.text() }).theirs))
      tree.write(path, entry)
    tree.git('stash', 'push', '-q', '-m', SUBJECTS.theirs)
    tree.git('checkout', '-q', operation)
  }
  const before = { head: tree.oid('HEAD'), files: workingTree(dir) }
  const command = {
    merge: ['merge', '--no-edit', OTHER],
    rebase: ['rebase', '-q', 'main'],
    'cherry-pick': ['cherry-pick', OTHER],
    revert: ['revert', '--no-edit', 'main~1'],
    stash: ['stash', 'pop', '-q'],
    am: ['am', '-q', '-3'],
  }[operation]
  const input =
    operation === 'am' ? tree.gitBytes(['format-patch', '--stdout', '--full-index', `main~1..${OTHER}`]) : ''
  const code = gitStatus(dir, command, { input })
  if (code === 0 || tree.git('ls-files', '-u') === '') throw new Error(`${operation} met no conflict (exit ${code})`)
  return { ...tree, operation, ...before }
}
