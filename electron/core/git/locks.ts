import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'

/** How long a lock of someone else is waited for, in milliseconds. */
export const LOCK_PATIENCE = 5000
const POLL = 25

/** A lock file that may be in the way, and what it guards, in words. */
export interface LockFile {
  readonly path: string
  readonly what: string
}

/** The lock files of refs and of a worktree's HEAD. */
export function refLocks(commonDir: string, gitDir: string, refs: readonly string[]): LockFile[] {
  return [
    { path: join(gitDir, 'HEAD.lock'), what: 'HEAD' },
    { path: join(commonDir, 'packed-refs.lock'), what: 'The list of refs' },
    ...refs.map((ref) => ({ path: join(commonDir, `${ref}.lock`), what: ref.replace(/^refs\/heads\//, 'Branch ') })),
  ]
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The first of these locks that is there, with its age in seconds. */
export function heldLock(
  locks: readonly LockFile[],
  now: number = Date.now(),
): (LockFile & { ageSeconds: number }) | null {
  for (const lock of locks) {
    const stat = statSync(lock.path, { throwIfNoEntry: false })
    if (stat) return { ...lock, ageSeconds: Math.max(0, (now - stat.mtimeMs) / 1000) }
  }
  return null
}

/**
 * Tries `take` until it succeeds. Between tries it waits for the locks that are in the way to go; ERR_LOCKED when one
 * outlives the patience. `take` says null where it has to be tried again.
 */
export async function untilFree<T>(
  take: () => Promise<T | null>,
  locks: readonly LockFile[],
  patience: number = LOCK_PATIENCE,
): Promise<T> {
  const deadline = Date.now() + patience
  for (;;) {
    const taken = await take()
    if (taken !== null) return taken
    const held = heldLock(locks)
    if (Date.now() > deadline)
      throw held
        ? new AppError('ERR_LOCKED', { path: held.path, ageSeconds: held.ageSeconds, what: held.what })
        : new AppError('ERR_GIT', { verb: 'update-ref', exitCode: null, detail: 'a lock could not be taken' })
    await pause(POLL)
  }
}

/** Why writing into a folder fails, where the reason is the folder: read-only, not ours, or the disk is full. */
export function writeProblem(folder: string): AppError | null {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return new AppError('ERR_READ_ONLY', { path: folder })
  }
  try {
    const disk = statfsSync(folder)
    if (disk.bavail * disk.bsize < 65_536 || (disk.files > 0 && disk.ffree === 0))
      return new AppError('ERR_DISK_FULL', { path: folder })
  } catch {
    // Some file systems do not tell.
  }
  return null
}
