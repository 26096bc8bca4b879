import { join } from 'node:path'
import type { Refusal } from '../../../shared/model/index.ts'
import { copyIndex } from '../git/indexFile.ts'
import { findLocalChanges, type LocalChanges } from '../git/localChanges.ts'
import { ongoingOperation } from '../git/operationState.ts'
import type { Git } from '../git/process.ts'
import { type TouchedPath, touchedPaths, treePaths } from '../git/touched.ts'
import type { TreeMove } from './plan.ts'

export interface CheckSetup {
  readonly git: Git
  /** A folder of our own for private copies of indexes. */
  readonly folder: string
  readonly ignoreCase: boolean
  /** Any change of a tracked file stands in the way, wherever it is. */
  readonly whole?: boolean
  /** Looks at these paths instead of what the moves touch. */
  readonly only?: readonly TouchedPath[]
}

export interface CheckedTree {
  readonly move: TreeMove
  /** The private copy of its index. */
  readonly indexFile: string
  readonly touched: readonly TouchedPath[]
  readonly changes: LocalChanges
}

export interface CheckResult {
  readonly refusal: Refusal | null
  readonly trees: readonly CheckedTree[]
}

/** Looks whether every worktree can make its move, without changing any of them. */
export async function checkTrees(setup: CheckSetup, moves: readonly TreeMove[]): Promise<CheckResult> {
  for (const move of moves) {
    const operation = ongoingOperation(move.gitDir)
    if (operation) return refused({ refusal: 'operation-in-progress', worktree: move.worktree, operation })
  }
  const trees: CheckedTree[] = []
  for (const [at, move] of moves.entries()) {
    const git = setup.git.at(move.worktree)
    const indexFile = join(setup.folder, `${at}.index`)
    copyIndex(move.gitDir, indexFile)
    const touched = setup.only ?? (await touchedBy(git, move))
    const { ignoreCase } = setup
    const clashes = ignoreCase && move.from !== move.to ? caseClashes(touched, await treePaths(git, move.to)) : []
    if (clashes.length > 0) return refused({ refusal: 'path-clash', clashes })
    const changes = await findLocalChanges({
      git,
      indexFile,
      from: move.from,
      touched,
      ignoreCase,
      whole: setup.whole ?? false,
    })
    if (changes.unmerged)
      return refused({ refusal: 'operation-in-progress', worktree: move.worktree, operation: 'unmerged-index' })
    trees.push({ move, indexFile, touched, changes })
  }
  const worktrees = trees
    .map(({ move, changes }) => ({
      worktree: move.worktree,
      paths: setup.whole ? [...new Set([...changes.dirty, ...changes.elsewhere])].sort() : [...changes.dirty],
    }))
    .filter((one) => one.paths.length > 0)
  return { refusal: worktrees.length > 0 ? { refusal: 'dirty-tree', worktrees } : null, trees }
}

const refused = (refusal: Refusal): CheckResult => ({ refusal, trees: [] })

/** What the move touches, and behind it what the guard adds: paths whose files stay, as they are in the tree. */
async function touchedBy(git: Git, move: TreeMove): Promise<TouchedPath[]> {
  const own = await touchedPaths(git, move.from, move.to)
  if (move.guard === null) return own
  const known = new Set(own.map((one) => one.path))
  const guarded = (await touchedPaths(git, move.guard, move.to)).filter((one) => !known.has(one.path))
  return [...own, ...guarded.map((one) => ({ path: one.path, old: one.new, new: one.new }))]
}

/** Paths that come and are one file with another path of the tree where case does not count. */
function caseClashes(touched: readonly TouchedPath[], all: readonly string[]): { file: string; inside: string }[] {
  const coming = new Set(touched.filter((one) => one.old === null && one.new !== null).map((one) => one.path))
  if (coming.size === 0) return []
  const byFolded = new Map<string, string>()
  for (const path of all) if (!coming.has(path)) byFolded.set(path.toLowerCase(), path)
  const clashes: { file: string; inside: string }[] = []
  for (const path of coming) {
    const other = byFolded.get(path.toLowerCase())
    if (other !== undefined) clashes.push({ file: other, inside: path })
    byFolded.set(path.toLowerCase(), path)
  }
  return clashes
}
