import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryContext } from '../context.ts'

/** The folder of our own where an operation keeps its private indexes. */
export const workFolder = (repo: Pick<RepositoryContext, 'dataDir'>, operation: string): string =>
  join(repo.dataDir, 'work', operation)

const markerFile = (folder: string, at: number): string => join(folder, `${at}.writing`)

/**
 * Notes that files of the n-th worktree of a plan may be written from now on. `identical`: untracked files of the
 * person's that hold what is to come, and those that stay though they leave the tree; they are theirs and stay,
 * however the operation ends.
 */
export function writeMarker(folder: string, at: number, identical: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  const file = markerFile(folder, at)
  writeFileSync(`${file}.new`, JSON.stringify(identical))
  renameSync(`${file}.new`, file)
}

/** What `writeMarker` noted; null where no file was written. */
export function readMarker(folder: string, at: number): readonly string[] | null {
  try {
    return JSON.parse(readFileSync(markerFile(folder, at), 'utf8'))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}
