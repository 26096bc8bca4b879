import { existsSync } from 'node:fs'
import type { Git } from './process.ts'

/** Worktree → its git folder, as git told it. */
const known = new Map<string, string>()
const KEPT = 64

/** The git folder of the worktree where `git` runs. Asked once for each as long as that folder is there. */
export async function gitDirOf(git: Git): Promise<string> {
  const before = known.get(git.cwd)
  if (before !== undefined && existsSync(before)) return before
  const found = await git.text(['rev-parse', '--absolute-git-dir'])
  known.set(git.cwd, found)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return found
}
