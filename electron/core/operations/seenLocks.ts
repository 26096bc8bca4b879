import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A living git lets go of a lock within this time, in milliseconds. */
const SETTLED = 1500

/** A lock file at the moment when a git of ours said that it holds its refs. */
export interface SeenLock {
  readonly path: string
  readonly inode: bigint
  readonly at: bigint
}

function look(path: string): SeenLock | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? { path, inode: stat.ino, at: stat.mtimeNs } : null
}

/** Those of these lock files that are there. */
export const seeLocks = (paths: readonly string[]): SeenLock[] => paths.flatMap((path) => look(path) ?? [])

/**
 * Removes the locks of a git that was ended while it let go of them: those that are the very files that were seen
 * while it held them, and that nobody lets go of. A lock that someone has taken since is another file.
 */
export async function removeSeen(locks: readonly SeenLock[]): Promise<void> {
  const left = () => locks.filter((lock) => same(lock, look(lock.path)))
  if (left().length === 0) return
  // HEAD and the list of refs may have been locked by another git when they were seen.
  await pause(SETTLED)
  for (const lock of left()) rmSync(lock.path, { force: true })
}

const same = (one: SeenLock, other: SeenLock | null): boolean => one.inode === other?.inode && one.at === other.at

/** The lock files of a transaction that only concerns refs, without HEAD. */
export const locksOfRefs = (commonDir: string, refs: readonly string[]): string[] =>
  [...refs.map((ref) => `${ref}.lock`), 'packed-refs.lock'].map((name) => join(commonDir, name))
