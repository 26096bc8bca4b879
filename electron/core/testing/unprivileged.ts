import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../../e2e/support/index.ts'

export interface Task {
  readonly open: string
  /** Folders that nobody may enter or read meanwhile. */
  readonly closed?: readonly string[]
  /** Folders below which nothing can be written meanwhile. */
  readonly readOnly?: readonly string[]
  readonly inbox?: boolean
  /** The branch to approve in the end. */
  readonly approve?: string
}

export interface Answer {
  readonly code: string | null
  readonly repository: unknown
  readonly branches: readonly string[]
  /** How the approval failed; null where it did not, or was not asked for. */
  readonly approveCode: string | null
  readonly homeFiles: readonly string[]
}

const NOBODY = 65_534
/** The mode bit of a folder that everyone may write to. */
const STICKY = 0o1000
const root = process.getuid?.() === 0

/**
 * Opens a repository in a process that is not root's, with some folders closed: root is let through everywhere.
 * `owned`: the folder that is given to that process's user.
 */
export async function runAs(owned: string, task: Task): Promise<Answer> {
  const home = tempDir('unprivileged-home')
  for (const folder of [owned, home]) giveAway(folder)
  const modes = new Map<string, number>()
  const set = (path: string, mode: number) => {
    modes.set(path, statSync(path).mode & 0o7777)
    chmodSync(path, mode)
  }
  for (const folder of task.readOnly ?? []) for (const path of foldersBelow(folder)) set(path, 0o555)
  for (const folder of task.closed ?? []) set(folder, 0)
  try {
    const script = join(import.meta.dirname, 'unprivileged.main.ts')
    const command = [process.execPath, '--no-warnings', script, home, JSON.stringify(task)]
    const [file = '', ...args] = root
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...command]
      : command
    const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
    return JSON.parse(execFileSync(file, args, { cwd: '/', env, encoding: 'utf8' })) as Answer
  } finally {
    for (const [path, mode] of [...modes].reverse()) chmodSync(path, mode)
  }
}

/** Gives everything below a folder away, and lets others pass through the folders above it. */
function giveAway(folder: string): void {
  if (!root) return
  for (const path of [folder, ...everythingBelow(folder)]) chownSync(path, NOBODY, NOBODY)
  const shared = (at: string) => at === '/' || (statSync(at).mode & STICKY) !== 0
  for (let at = join(folder, '..'); !shared(at); at = join(at, '..')) chmodSync(at, 0o755)
}

const everythingBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const foldersBelow = (folder: string): string[] => [
  ...everythingBelow(folder).filter((path) => statSync(path).isDirectory()),
  folder,
]
