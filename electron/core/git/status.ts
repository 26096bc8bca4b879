import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

/** One path that differs between HEAD, index and working tree. */
export interface StatusEntry {
  readonly path: string
  readonly kind: 'changed' | 'unmerged' | 'untracked'
  /** The index differs from HEAD. */
  readonly staged: boolean
  /** The working tree differs from the index; true for untracked and unmerged paths. */
  readonly unstaged: boolean
  /** The file is gone from the working tree. */
  readonly deleted: boolean
  readonly submodule: boolean
}

/**
 * Local changes of the worktree where `git` runs, untracked files one by one, in git's order. Does not write the
 * index. A file of a filter that was put out of force may be listed although only its time stamp changed.
 */
export async function readStatus(git: Git, options: { signal?: AbortSignal } = {}): Promise<StatusEntry[]> {
  const { stdout } = await git.run(
    ['status', '--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty'],
    options,
  )
  return parseStatus(stdout)
}

/** How many space-separated fields stand before the path, by record type (git-status(1), "Porcelain Format Version 2"). */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 }

/** Parses `status --porcelain=v2 -z`. */
function parseStatus(output: Buffer): StatusEntry[] {
  const entries: StatusEntry[] = []
  const fields = splitNul(output)
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] as Buffer
    const type = String.fromCharCode(field[0] ?? 0)
    const skip = FIELDS[type]
    if (skip === undefined || type === '!') continue
    let from = 0
    for (let n = 0; n < skip; n++) from = field.indexOf(32, from) + 1
    const path = decodePath(field.subarray(from))
    if (type === '2') at += 1
    if (type === '?') {
      entries.push({ path, kind: 'untracked', staged: false, unstaged: true, deleted: false, submodule: false })
      continue
    }
    const head = field.toString('latin1', 0, from).split(' ')
    const [index, tree] = [head[1]?.[0] ?? '.', head[1]?.[1] ?? '.']
    entries.push({
      path,
      kind: type === 'u' ? 'unmerged' : 'changed',
      staged: type === 'u' || index !== '.',
      unstaged: type === 'u' || tree !== '.',
      deleted: tree === 'D',
      submodule: head[2]?.startsWith('S') ?? false,
    })
  }
  return entries
}
