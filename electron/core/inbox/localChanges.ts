import { type DiskEntry, readDisk } from '../git/diskState.ts'
import type { Git } from '../git/process.ts'
import type { StatusEntry } from '../git/status.ts'
import { overlapOf } from './facts.ts'

export interface InTheWayInput {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly status: readonly StatusEntry[]
  /** Paths that the move of trunk would write or remove. */
  readonly touched: readonly string[]
  /** Those of them that trunk does not have yet, with the object that would come. */
  readonly added: ReadonlyMap<string, string>
}

/**
 * The touched paths that a worktree's local changes stand in the way of: changed ones, untracked ones that git would
 * store as something else than what comes, and files in the place of an added path that git does not list because they
 * are ignored. Sorted.
 */
export async function inTheWay(input: InTheWayInput): Promise<string[]> {
  const { git, status, touched, added } = input
  const entries = status.filter((entry) => !entry.submodule)
  const meeting = new Set(
    overlapOf(
      entries.map((entry) => entry.path),
      touched,
    ),
  )
  const disk = await readDisk(git, [...added.keys()])
  const found = new Set<string>()
  for (const entry of entries) {
    if (!meeting.has(entry.path)) continue
    const coming = added.get(entry.path)
    if (entry.kind === 'untracked' && coming && isThis(disk.get(entry.path), coming)) continue
    found.add(entry.path)
  }
  const listed = new Set(entries.map((entry) => entry.path))
  for (const [path, coming] of added) {
    const there = disk.get(path)
    if (listed.has(path) || !there || there.kind === 'nothing' || there.kind === 'folder') continue
    if (!isThis(there, coming)) found.add(path)
  }
  return [...found].sort()
}

const isThis = (there: DiskEntry | undefined, blob: string) =>
  (there?.kind === 'file' || there?.kind === 'link') && there.oid === blob
