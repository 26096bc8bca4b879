import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { AppError } from '../../../../shared/errors/index.ts'
import { decodePath } from '../../git/bytes.ts'

export interface LockSearch {
  readonly commonDir: string
  readonly gitDir: string
  readonly worktree: string
  /** When the git that may have left them was started, in milliseconds. */
  readonly since: number
}

/** A living git lets go of a lock within this time, in milliseconds, if it is not waiting for someone. */
const SETTLED = 1500
/** Clocks of file systems are coarser than the process's. */
const SLACK = 2000

/**
 * Removes the locks that a git of ours left when it was killed. Call only when none of the operation's children
 * lives. A lock is taken for ours where it was made since that git was started, stays, and no other git is alive in
 * this repository. Errors: ERR_LOCKED where one is.
 */
export async function removeGitsLocks(search: LockSearch): Promise<void> {
  const locks = findLocks(search)
  if (locks.length === 0) return
  await new Promise((resolve) => setTimeout(resolve, SETTLED))
  const same = locks.filter((lock) => statOf(lock.path)?.ino === lock.ino)
  const [first] = same
  if (!first) return
  if (someGitLives(search))
    throw new AppError('ERR_LOCKED', {
      path: first.path,
      ageSeconds: Math.max(0, (Date.now() - first.at) / 1000),
      what: `The repository at ${search.worktree}`,
    })
  for (const lock of same) rmSync(lock.path, { force: true })
}

interface Lock {
  readonly path: string
  readonly ino: bigint
  readonly at: number
}

const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })

function findLocks({ commonDir, gitDir, since }: LockSearch): Lock[] {
  const beside = [gitDir, commonDir].flatMap((folder) => lockNames(folder).map((name) => join(folder, name)))
  const refs = ['refs', join('logs', 'refs')].flatMap((name) => locksBelow(join(commonDir, name)))
  return [...new Set([...beside, ...refs])].flatMap((path) => {
    const stat = statOf(path)
    if (!stat || Number(stat.mtimeMs) < since - SLACK) return []
    return [{ path, ino: stat.ino, at: Number(stat.mtimeMs) }]
  })
}

const LOCKS = new Set(['index.lock', 'HEAD.lock', 'packed-refs.lock', 'ORIG_HEAD.lock', 'AUTO_MERGE.lock'])

const lockNames = (folder: string): string[] => namesIn(folder).filter((name) => LOCKS.has(name))

function locksBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.lock'))
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether any git is alive that may be working in this repository. */
function someGitLives(search: LockSearch): boolean {
  if (process.platform === 'linux')
    return namesIn('/proc').some((name) => /^\d+$/.test(name) && isGitHere(name, search))
  if (process.platform === 'win32') {
    const filter = ['/FI', 'IMAGENAME eq git.exe', '/NH']
    return /^git\.exe/im.test(spawnSync('tasklist', filter, { encoding: 'utf8', windowsHide: true }).stdout ?? '')
  }
  const listed = spawnSync('ps', ['-axo', 'comm='], { encoding: 'utf8' }).stdout ?? ''
  return listed.split('\n').some((line) => /(?:^|\/)git(?:-|$)/.test(line.trim()))
}

function isGitHere(pid: string, { commonDir, gitDir, worktree }: LockSearch): boolean {
  try {
    if (!/^git(?:$|-)/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim())) return false
    const cwd = decodePath(readlinkSync(`/proc/${pid}/cwd`, { encoding: 'buffer' }))
    const here = [commonDir, gitDir, worktree].some((folder) => cwd === folder || cwd.startsWith(folder + sep))
    // A reader that lives on holds no lock.
    return here && !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0cat-file\0')
  } catch {
    return false
  }
}
