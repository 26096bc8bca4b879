import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Copies a worktree's index to `to`, so that git can refresh or change it without touching the real one. The copy's
 * time is put back to just before the original's: git takes entries that are as young as their index for "look
 * again", and a younger index would make it trust files that changed in the same instant.
 * Returns false where the worktree has no index yet.
 */
export function copyIndex(gitDir: string, to: string): boolean {
  const index = join(gitDir, 'index')
  if (!existsSync(index)) return false
  mkdirSync(dirname(to), { recursive: true })
  const { mtimeMs } = statSync(index)
  copyFileSync(index, to)
  const seconds = Math.floor(mtimeMs * 1000 - 2) / 1e6
  utimesSync(to, seconds, seconds)
  return true
}

export const indexLockPath = (gitDir: string): string => join(gitDir, 'index.lock')

const mark = (operation: string) => `daybreak ${operation}\n`

/**
 * Takes git's own lock on a worktree's index for an operation. Its content names the operation, so that a lock that a
 * killed process left is known for certain. False where someone else holds it.
 */
export function takeIndexLock(gitDir: string, operation: string): boolean {
  const lock = indexLockPath(gitDir)
  const own = join(gitDir, `daybreak-${operation}.lock`)
  const write = (file: string) => {
    const fd = openSync(file, 'wx', 0o644)
    writeSync(fd, mark(operation))
    closeSync(fd)
  }
  try {
    rmSync(own, { force: true })
    write(own)
    try {
      // A hard link appears at once with its content, or not at all.
      linkSync(own, lock)
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code
      if (code === 'EEXIST') return false
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw cause
      write(lock)
    }
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  } finally {
    rmSync(own, { force: true })
  }
}

/** Whether the lock on a worktree's index is the one of this operation. */
export function ownsIndexLock(gitDir: string, operation: string): boolean {
  try {
    return readFileSync(indexLockPath(gitDir), 'utf8') === mark(operation)
  } catch {
    return false
  }
}

/** Lets go of the lock of this operation, where it is held; also removes what taking it may have left. */
export function releaseIndexLock(gitDir: string, operation: string): void {
  if (ownsIndexLock(gitDir, operation)) rmSync(indexLockPath(gitDir), { force: true })
  rmSync(join(gitDir, `daybreak-${operation}.lock`), { force: true })
}

/** Puts a private index in the place of the worktree's own, at once. Only while its lock is held. */
export function installIndex(gitDir: string, from: string): void {
  const index = join(gitDir, 'index')
  try {
    renameSync(from, index)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EXDEV') throw cause
    const beside = join(gitDir, 'daybreak.index')
    copyFileSync(from, beside)
    renameSync(beside, index)
    rmSync(from, { force: true })
  }
}
