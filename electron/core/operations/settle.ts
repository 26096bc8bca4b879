import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { AppError } from '../../../shared/errors/index.ts'
import { decodePath, encodePath, splitNul } from '../git/bytes.ts'
import { createParentCheck, type DiskEntry, diskPath, filesBelow, readDisk } from '../git/diskState.ts'
import { copyIndex, installIndex } from '../git/indexFile.ts'
import { indexInfo, sameAs } from '../git/localChanges.ts'
import type { Git } from '../git/process.ts'
import { removeFile } from '../git/removeFile.ts'
import { type TouchedPath, type TreeEntry, touchedPaths, treeEntries } from '../git/touched.ts'
import { writtenForm } from '../git/writtenForm.ts'
import type { TreeMove } from './plan.ts'

interface Entry extends TouchedPath {
  readonly target: TreeEntry | null
}

export interface SettleSetup {
  readonly move: TreeMove
  readonly operation: string
  /** A file of our own for the index in the making. */
  readonly privateIndex: string
  /** Untracked files of the person's that hold the new content, and those that stay where the old one goes: never removed. */
  readonly keep: readonly string[]
}

/**
 * Brings the touched paths of a worktree, whose move was cut off somewhere in the middle, to `target` (a commit or
 * tree). Every path is judged by hash: it may hold the old or the new content, the torn beginning of either, or
 * nothing; all of that is in git and may be replaced. Where any path holds something else nothing is changed, and
 * ERR_TORN_FILES names them. All other paths keep their bytes and their staged entries.
 * `git` runs in the worktree; its index must be locked by the operation.
 */
export async function settleTree(git: Git, setup: SettleSetup, target: string): Promise<void> {
  const { move, privateIndex, operation } = setup
  const keep = new Set(setup.keep)
  const entries = await withTargets(git, move, target)
  if (entries.length === 0) return
  const disk = await readDisk(
    git,
    entries.map((one) => one.path),
  )
  const index = await readIndex(git, move.gitDir, privateIndex, entries)
  const strange: string[] = []
  const replace: Entry[] = []
  const reindex: Entry[] = []
  const skipped: string[] = []
  for (const one of entries) {
    const there = disk.get(one.path) ?? { kind: 'nothing' }
    const known = index.get(one.path)
    if (!known || !isOneOf(known.entry, [one.target])) reindex.push(one)
    if (known && !isOneOf(known.entry, [one.old, one.new, one.target])) strange.push(one.path)
    else if (sameAs(there, one.target) || (keep.has(one.path) && isPersons(there, one))) continue
    else if (known?.skipWorktree && there.kind === 'nothing') skipped.push(one.path)
    else if (await ours(git, one, there, entries)) replace.push(one)
    else strange.push(one.path)
  }
  if (strange.length > 0) throw new AppError('ERR_TORN_FILES', { paths: strange, operationId: operation })
  await write(git, move, { replace, reindex, skipped }, privateIndex)
}

/** Whether it is a file of the person's that was there before it became tracked, or that is to outlive that. */
const isPersons = (there: DiskEntry, one: Entry): boolean =>
  sameAs(there, one.new) || (one.target === null && sameAs(there, one.old))

async function withTargets(git: Git, move: TreeMove, target: string): Promise<Entry[]> {
  const touched = await touchedPaths(git, move.from, move.to)
  if (target === move.from) return touched.map((one) => ({ ...one, target: one.old }))
  if (target === move.to) return touched.map((one) => ({ ...one, target: one.new }))
  const at = await treeEntries(
    git,
    target,
    touched.map((one) => one.path),
  )
  return touched.map((one) => ({ ...one, target: at.get(one.path) ?? null }))
}

interface IndexEntry {
  readonly entry: TreeEntry | null
  readonly skipWorktree: boolean
}

/** What the worktree's own index says of these paths; an unmerged path has an entry that equals nothing. */
async function readIndex(
  git: Git,
  gitDir: string,
  privateIndex: string,
  entries: readonly Entry[],
): Promise<Map<string, IndexEntry>> {
  // A git that was killed along with us leaves its lock on our own file; nobody else takes one there.
  rmSync(`${privateIndex}.lock`, { force: true })
  const wanted = new Set(entries.map((one) => one.path))
  const found = new Map<string, IndexEntry>([...wanted].map((path) => [path, { entry: null, skipWorktree: false }]))
  if (!copyIndex(gitDir, privateIndex)) return found
  const out = await git.run(['ls-files', '-s', '-t', '-z'], { env: { GIT_INDEX_FILE: privateIndex } })
  for (const row of splitNul(out.stdout)) {
    const tab = row.indexOf(9)
    const path = decodePath(row.subarray(tab + 1))
    if (!wanted.has(path)) continue
    const [tag, mode = '', oid = '', stage] = row.toString('latin1', 0, tab).split(' ')
    found.set(path, { entry: { mode: stage === '0' ? mode : 'unmerged', oid }, skipWorktree: tag === 'S' })
  }
  return found
}

const isOneOf = (entry: TreeEntry | null, known: readonly (TreeEntry | null)[]): boolean =>
  known.some((one) => (one === null ? entry === null : one.mode === entry?.mode && one.oid === entry.oid))

/** Whether what lies there may be replaced: old or new content, the beginning of either, or nothing. */
async function ours(git: Git, one: Entry, there: DiskEntry, entries: readonly Entry[]): Promise<boolean> {
  if (there.kind === 'nothing') {
    // A parent that is a file must itself be one of the paths that the move settles.
    const blocker = createParentCheck(git.cwd)(one.path)
    return blocker === null || entries.some((other) => other.path === blocker)
  }
  if (sameAs(there, one.old, true) || sameAs(there, one.new, true)) return true
  if (there.kind === 'folder') {
    const known = new Set(entries.map((other) => other.path))
    return filesBelow(git.cwd, one.path, decodePath, Number.MAX_SAFE_INTEGER).every((path) => known.has(path))
  }
  if (there.kind !== 'file') return false
  for (const entry of [one.new, one.old])
    if (entry && entry.mode !== '120000' && (await isBeginning(git, one.path, entry.oid))) return true
  return false
}

/**
 * Whether the file is what git would write out for this blob, or the beginning of it. All of it counts too: not every
 * conversion leads back to the blob (CRLF in a blob under `core.autocrlf`, a filter that loses something).
 */
async function isBeginning(git: Git, path: string, oid: string): Promise<boolean> {
  const [whole, there] = [await writtenForm(git, path, oid), readFileSync(diskPath(git.cwd, path))]
  return there.length <= whole.length && there.equals(whole.subarray(0, there.length))
}

/** Removes what is to be replaced, writes the target out, and makes the index say so. */
async function write(
  git: Git,
  move: TreeMove,
  work: { replace: readonly Entry[]; reindex: readonly Entry[]; skipped: readonly string[] },
  privateIndex: string,
): Promise<void> {
  const { replace } = work
  const env = { GIT_INDEX_FILE: privateIndex }
  const length = [move.from, move.to].find((name) => /^[0-9a-f]{64}$/.test(name)) ? 64 : 40
  // Deepest first, so that a folder is empty when a file takes its place.
  for (const one of [...replace].sort((a, b) => b.path.length - a.path.length))
    removeFile(git.cwd, one.path, one.target === null)
  await git.run(['update-index', '-z', '--index-info'], {
    env,
    // Removals first: git silently drops a file where a folder of its name still has entries, and the reverse.
    input: indexInfo(
      work.reindex
        .map((one) => ({ path: one.path, entry: one.target }))
        .sort((a, b) => Number(a.entry !== null) - Number(b.entry !== null)),
      length,
    ),
  })
  if (work.skipped.length > 0)
    await git.run(['update-index', '--skip-worktree', '-z', '--stdin'], { env, input: nulList(work.skipped) })
  const out = replace.filter((one) => one.target !== null && one.target.mode !== '160000').map((one) => one.path)
  for (const one of replace)
    if (one.target?.mode === '160000') mkdirSync(diskPath(git.cwd, one.path), { recursive: true })
  if (out.length > 0) {
    await git.run(['checkout-index', '-f', '-u', '-z', '--stdin'], { env, input: nulList(out) })
  }
  await git.run(['update-index', '-q', '--refresh'], { env, ok: [0, 1] })
  installIndex(move.gitDir, privateIndex)
}

const nulList = (paths: readonly string[]): Buffer =>
  Buffer.concat(paths.flatMap((path) => [encodePath(path), Buffer.from([0])]))
