import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './process.ts'

/** What git is in the middle of. */
export type OngoingOperation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'am' | 'bisect' | 'unmerged-index'

/** The operation that the worktree with this git folder is in the middle of, by git's own state files; null where none. */
export function ongoingOperation(gitDir: string): OngoingOperation | null {
  const has = (...name: string[]) => existsSync(join(gitDir, ...name))
  if (has('rebase-merge')) return 'rebase'
  if (has('rebase-apply')) return has('rebase-apply', 'applying') ? 'am' : 'rebase'
  if (has('MERGE_HEAD')) return 'merge'
  if (has('CHERRY_PICK_HEAD')) return 'cherry-pick'
  if (has('REVERT_HEAD')) return 'revert'
  if (has('sequencer')) return 'cherry-pick'
  if (has('BISECT_LOG')) return 'bisect'
  return null
}

/** Whether the index where `git` runs holds unmerged paths. */
async function hasUnmergedIndex(git: Git): Promise<boolean> {
  return (await git.run(['ls-files', '-u', '-z'])).stdout.length > 0
}

/** As `ongoingOperation`, an unmerged index included. */
export async function readOperation(git: Git, gitDir: string): Promise<OngoingOperation | null> {
  return ongoingOperation(gitDir) ?? ((await hasUnmergedIndex(git)) ? 'unmerged-index' : null)
}
