import { rmdirSync, rmSync } from 'node:fs'
import { createParentCheck, diskPath, statAt } from './diskState.ts'

/**
 * Removes what lies at a path of a working tree: a file or link, or a folder with nothing in it. A path below something that is
 * no folder is left alone. `parentsToo`: also the folders above that are empty then.
 */
export function removeFile(worktree: string, path: string, parentsToo: boolean): void {
  const file = diskPath(worktree, path)
  const stat = createParentCheck(worktree)(path) === null ? statAt(file) : null
  if (stat?.isDirectory()) removeEmpty(file)
  else if (stat) rmSync(file, { force: true })
  if (!parentsToo) return
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
    if (!removeEmpty(diskPath(worktree, path.slice(0, cut)))) return
}

/** Removes a folder if nothing is in it. */
function removeEmpty(folder: Buffer): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return false
  }
}
