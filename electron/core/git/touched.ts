import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

/** What a tree holds at a path. */
export interface TreeEntry {
  /** Octal mode as git prints it. */
  readonly mode: string
  readonly oid: string
}

/** A path that differs between two trees; null where a side has nothing there. Renames are two paths. */
export interface TouchedPath {
  readonly path: string
  readonly old: TreeEntry | null
  readonly new: TreeEntry | null
}

const side = (mode: string, oid: string): TreeEntry | null => (/^0+$/.test(mode) ? null : { mode, oid })

const COMMITS = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
/** The last few answers: what differs between two commits never changes, and a verb asks several times. */
const known = new Map<string, Promise<TouchedPath[]>>()
const KEPT = 4

/** Every path that differs between two tree-ishes, by content or mode, in git's order. Renames are not looked for. */
export function touchedPaths(git: Git, from: string, to: string): Promise<TouchedPath[]> {
  if (from === to) return Promise.resolve([])
  if (!COMMITS.test(from) || !COMMITS.test(to)) return askTouched(git, from, to)
  return remember(`${from} ${to}`, () => askTouched(git, from, to))
}

/** Lets the next `touchedPaths` of these commits answer what `read` found, where it found something. */
export async function knowTouched(
  git: Git,
  from: string,
  to: string,
  read: () => Promise<TouchedPath[] | null>,
): Promise<void> {
  if (from === to || !COMMITS.test(from) || !COMMITS.test(to)) return
  await remember(`${from} ${to}`, async () => (await read()) ?? askTouched(git, from, to))
}

function remember(key: string, ask: () => Promise<TouchedPath[]>): Promise<TouchedPath[]> {
  const asked = known.get(key) ?? ask()
  known.delete(key)
  known.set(key, asked)
  asked.catch(() => known.delete(key))
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return asked
}

async function askTouched(git: Git, from: string, to: string): Promise<TouchedPath[]> {
  const out = await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to, '--'])
  return parseRaw(out.stdout)
}

/** Parses `--raw -z` output without renames: `:old new oid oid STATUS\0path\0`. */
export function parseRaw(bytes: Buffer): TouchedPath[] {
  const fields = splitNul(bytes)
  const found: TouchedPath[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode, newMode, oldOid, newOid] = (fields[at] as Buffer).toString('latin1').slice(1).split(' ')
    found.push({
      path: decodePath(fields[at + 1] as Buffer),
      old: side(oldMode ?? '', oldOid ?? ''),
      new: side(newMode ?? '', newOid ?? ''),
    })
  }
  return found
}

/** Entries of a tree at these paths (blobs, links, submodules), by path; a path that is not there is absent. */
export async function treeEntries(git: Git, tree: string, paths: readonly string[]): Promise<Map<string, TreeEntry>> {
  const wanted = new Set(paths)
  const found = new Map<string, TreeEntry>()
  if (wanted.size === 0) return found
  const out = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree])
  for (const row of splitNul(out.stdout)) {
    const tab = row.indexOf(9)
    const path = decodePath(row.subarray(tab + 1))
    if (!wanted.has(path)) continue
    const [mode, , oid] = row.toString('latin1', 0, tab).split(' ')
    found.set(path, { mode: mode ?? '', oid: oid ?? '' })
  }
  return found
}

/** Every path of a tree. */
export async function treePaths(git: Git, tree: string): Promise<string[]> {
  return splitNul((await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree])).stdout).map(decodePath)
}
