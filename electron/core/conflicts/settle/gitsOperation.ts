import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodePath, splitNul } from '../../git/bytes.ts'
import { ongoingOperation } from '../../git/operationState.ts'
import type { Git } from '../../git/process.ts'

/** What git is in the middle of, as far as it can be gone on with or given up. */
export type GitsOperation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'am'

/** The operation of a worktree by git's own state files; null where there is none of these. */
export function gitsOperation(gitDir: string): GitsOperation | null {
  const found = ongoingOperation(gitDir)
  if (found === null || found === 'bisect' || found === 'unmerged-index') return null
  // A sequence of reverts between two of them has nothing but its list of what is to come.
  if (found === 'cherry-pick' && !existsSync(join(gitDir, 'CHERRY_PICK_HEAD')))
    return /^\s*revert /.test(stateText(gitDir, 'sequencer', 'todo') ?? '') ? 'revert' : 'cherry-pick'
  return found
}

/** A state file of git's, its last line end removed; null where it is not there. */
export function stateText(gitDir: string, ...name: string[]): string | null {
  try {
    return readFileSync(join(gitDir, ...name), 'utf8').replace(/\n$/, '')
  } catch {
    return null
  }
}

/** Whether there are more commits to come after the one that stopped. */
export function isSequence(gitDir: string, operation: GitsOperation): boolean {
  if (operation === 'rebase' || operation === 'am') return true
  return operation !== 'merge' && existsSync(join(gitDir, 'sequencer'))
}

/** The commits that a merge in progress brings in. */
export const mergingOf = (gitDir: string): string[] =>
  (stateText(gitDir, 'MERGE_HEAD') ?? '').split('\n').filter((line) => line !== '')

/**
 * Steps of a rebase from here on that need a terminal: commands of its own, and messages that are to be written anew.
 * The one that stopped is among them.
 */
export function terminalSteps(gitDir: string): string[] {
  const lines = (name: string) => (stateText(gitDir, 'rebase-merge', name) ?? '').split('\n').map((line) => line.trim())
  const stopped = lines('done').findLast((line) => line !== '')
  const runs = /^(?:exec|x) /
  const asks = /^(?:(?:reword|r) |(?:merge|m) -c |(?:fixup|f) -c )/
  return [
    ...(stopped !== undefined && asks.test(stopped) ? [stopped] : []),
    ...lines('git-rebase-todo').filter((line) => runs.test(line) || asks.test(line)),
  ]
}

/** HEAD's commit where `git` runs; null where it is unborn. */
export async function headOf(git: Git): Promise<string | null> {
  const found = await git.run(['rev-parse', '-q', '--verify', 'HEAD^0'], { ok: [0, 1, 128] })
  return found.stdout.toString('latin1').trim() || null
}

/** Unmerged paths where `git` runs. */
export async function unmergedPaths(git: Git): Promise<string[]> {
  const rows = splitNul((await git.run(['ls-files', '-u', '-z'])).stdout)
  return [...new Set(rows.map((row) => decodePath(row.subarray(row.indexOf(9) + 1))))]
}

/** Paths whose conflict was resolved in this index, as git notes them itself, and those still unmerged. */
export async function conflictPaths(git: Git): Promise<Set<string>> {
  const rows = splitNul((await git.run(['ls-files', '--resolve-undo', '-z'])).stdout)
  return new Set([...rows.map((row) => decodePath(row.subarray(row.indexOf(9) + 1))), ...(await unmergedPaths(git))])
}

/** What an operation is called in a sentence. */
export const operationName: Readonly<Record<GitsOperation | 'stash', string>> = {
  merge: 'the merge',
  rebase: 'the rebase',
  'cherry-pick': 'the cherry-pick',
  revert: 'the revert',
  am: 'the series of patches',
  stash: 'the stash',
}
