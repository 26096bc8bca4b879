import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodePath } from '../git/bytes.ts'
import type { StatusEntry } from '../git/status.ts'
import { overlapOf } from './facts.ts'

export interface InTheWayInput {
  readonly worktree: string
  readonly status: readonly StatusEntry[]
  /** Paths that the move of trunk would write or remove. */
  readonly touched: readonly string[]
  /** Those of them that trunk does not have yet, with the object that would come. */
  readonly added: ReadonlyMap<string, string>
}

/**
 * The touched paths that a worktree's local changes stand in the way of: changed ones, untracked ones with other
 * bytes, and files in the place of an added path that git does not list because they are ignored. Sorted.
 */
export function inTheWay(input: InTheWayInput): string[] {
  const { worktree, status, touched, added } = input
  const entries = status.filter((entry) => !entry.submodule)
  const meeting = new Set(
    overlapOf(
      entries.map((entry) => entry.path),
      touched,
    ),
  )
  const found = new Set<string>()
  for (const entry of entries) {
    if (!meeting.has(entry.path)) continue
    const coming = added.get(entry.path)
    if (entry.kind === 'untracked' && coming && holds(worktree, entry.path, coming)) continue
    found.add(entry.path)
  }
  const listed = new Set(entries.map((entry) => entry.path))
  for (const [path, coming] of added) {
    if (listed.has(path)) continue
    const there = holds(worktree, path, coming)
    if (there === false) found.add(path)
  }
  return [...found].sort()
}

/** Whether a file holds the bytes of this blob; null where there is no file. */
function holds(worktree: string, path: string, blob: string): boolean | null {
  const target = path.isWellFormed()
    ? join(worktree, path)
    : Buffer.concat([Buffer.from(`${worktree}/`), encodePath(path)])
  try {
    const stat = lstatSync(target)
    if (stat.isDirectory()) return null
    if (!stat.isFile()) return false
    const bytes = readFileSync(target)
    const hash = createHash(blob.length === 64 ? 'sha256' : 'sha1')
    return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === blob
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' || (cause as NodeJS.ErrnoException).code === 'ENOTDIR'
      ? null
      : false
  }
}
