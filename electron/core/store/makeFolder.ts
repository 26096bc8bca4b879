import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it. Throws as `mkdir` does.
 *
 * Step by step: Node's recursive `mkdir` says ENOENT where the file system is read-only, and never ends where a folder
 * that is there takes none, as in `/proc`. A link in its place that leads nowhere is an error.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return void statSync(folder)
    const above = dirname(folder)
    if (code !== 'ENOENT' || existsSync(above)) throw cause
    makeFolder(above, mode)
    makeFolder(folder, mode)
  }
}
