import { decodePath, encodePath } from './bytes.ts'
import { createParentCheck, type DiskEntry, diskPath, filesBelow, rawOids, readDisk, statAt } from './diskState.ts'
import type { Git } from './process.ts'
import { parseRaw, type TouchedPath, type TreeEntry } from './touched.ts'
import { certainlyUntouched } from './untouched.ts'

/** What stands between a worktree and a move of its tree. Nothing is changed. */
export interface LocalChanges {
  /** Touched paths with local changes, and untracked or ignored ones that would be overwritten; sorted. */
  readonly dirty: readonly string[]
  /** Changed tracked paths that the move does not touch; only where it was asked to look at the whole tree. */
  readonly elsewhere: readonly string[]
  readonly unmerged: boolean
  /** Untracked paths that hold the very bytes that are to come: their entries only need to be made known. */
  readonly identical: readonly TouchedPath[]
  /** Files only look changed by their time stamps: the index must be refreshed before git writes. */
  readonly stale: boolean
}

export interface LocalChangesInput {
  /** Runs in the worktree's top folder. */
  readonly git: Git
  /** A private copy of the worktree's index. */
  readonly indexFile: string
  /** The tree that the worktree's HEAD has. */
  readonly from: string
  readonly touched: readonly TouchedPath[]
  /** `core.ignoreCase`: one file answers to names that differ in case. */
  readonly ignoreCase: boolean
  /** Looks at every tracked file, for `elsewhere`; else only at touched ones. */
  readonly whole: boolean
}

const NONE: LocalChanges = { dirty: [], elsewhere: [], unmerged: false, identical: [], stale: false }

const fold = (path: string) => path.toLowerCase()

/** Compares a worktree with what a move would do to it. Reads only. */
export async function findLocalChanges(input: LocalChangesInput): Promise<LocalChanges> {
  const { git, from, touched, whole } = input
  if (!whole && certainlyUntouched(git.cwd, input.indexFile, touched)) return NONE
  const env = { GIT_INDEX_FILE: input.indexFile }
  const [stagedOut, unstagedOut, flags] = await Promise.all([
    git.run(['diff-index', '--cached', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty', from, '--'], {
      env,
    }),
    git.run(['diff-files', '--raw', '-z', '--ignore-submodules=dirty'], { env }),
    git.run(['ls-files', '-v', '-z'], { env }),
  ])
  const byPath = new Map(touched.map((one) => [one.path, one]))
  const { unmerged, hidden } = readFlags(flags.stdout, byPath)
  const staged = parseRaw(stagedOut.stdout)
  const possibly = parseRaw(unstagedOut.stdout).filter((one) => whole || byPath.has(one.path))
  const { changed: unstaged, stale } = await reallyChanged(git, input.indexFile, possibly)
  const dirty = new Set<string>()
  const elsewhere = new Set<string>()
  for (const path of [...staged.map((one) => one.path), ...unstaged]) (byPath.has(path) ? dirty : elsewhere).add(path)
  const found = await inTheWay({
    ...input,
    untracked: new Set(staged.filter((one) => one.new === null).map((one) => one.path)),
  })
  for (const path of found.dirty) dirty.add(path)
  for (const path of await editedBehindFlags(git, hidden, byPath)) dirty.add(path)
  return { dirty: [...dirty].sort(), elsewhere: [...elsewhere].sort(), unmerged, identical: found.identical, stale }
}

/**
 * `diff-files` goes by time stamps: of the paths that it names, those whose content differs from the index. `stale`:
 * some only look changed, and git has to be told before it writes.
 */
async function reallyChanged(
  git: Git,
  indexFile: string,
  possibly: readonly TouchedPath[],
): Promise<{ changed: string[]; stale: boolean }> {
  if (possibly.length === 0) return { changed: [], stale: false }
  const disk = await readDisk(
    git,
    possibly.map((one) => one.path),
  )
  const seems = possibly.filter((one) => {
    const there = disk.get(one.path) ?? { kind: 'nothing' }
    return one.old === null || one.old.mode === '160000' || !sameAs(there, one.old, one.new?.mode === one.old.mode)
  })
  const unconverted = await storedAsTheyAre(git, indexFile, seems)
  const changed = seems.filter((one) => !unconverted.has(one.path))
  return { changed: changed.map((one) => one.path), stale: changed.length < possibly.length }
}

/**
 * Of paths that seem changed, those that hold the very bytes of their blob and that git too takes for unchanged: it
 * does not convert line endings of a file whose blob has CRLF, which only shows with the index at hand.
 */
async function storedAsTheyAre(
  git: Git,
  indexFile: string,
  seems: readonly TouchedPath[],
): Promise<ReadonlySet<string>> {
  const raw = await rawOids(
    git,
    seems.map((one) => one.path),
  )
  const same = seems.filter((one) => one.old !== null && raw.get(one.path) === one.old.oid)
  if (same.length === 0) return new Set()
  const env = { GIT_INDEX_FILE: indexFile }
  await git.run(['update-index', '-q', '--refresh'], { env, ok: [0, 1] })
  const out = await git.run(['diff-files', '--raw', '-z', '--ignore-submodules=dirty'], { env })
  const still = new Set(parseRaw(out.stdout).map((one) => one.path))
  return new Set(same.map((one) => one.path).filter((path) => !still.has(path)))
}

/** Tags of `ls-files -v`: `M` unmerged, lower case assume-unchanged, `S` skip-worktree. */
function readFlags(bytes: Buffer, touched: ReadonlyMap<string, TouchedPath>) {
  const hidden: Hidden[] = []
  let unmerged = false
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at)
    const tag = bytes[at]
    if (tag === UNMERGED) unmerged = true
    else if (tag !== CACHED) {
      const path = decodePath(bytes.subarray(at + 2, end))
      if (touched.has(path)) hidden.push({ path, sparse: tag === SKIPPED || tag === SKIPPED_UNCHANGED })
    }
    at = end + 1
  }
  return { hidden, unmerged }
}

const UNMERGED = 'M'.charCodeAt(0)
const CACHED = 'H'.charCodeAt(0)
const SKIPPED = 'S'.charCodeAt(0)
const SKIPPED_UNCHANGED = 's'.charCodeAt(0)

/** A path that git was told not to look at. `sparse`: its file may well be absent (skip-worktree). */
interface Hidden {
  readonly path: string
  readonly sparse: boolean
}

/** Touched paths that git was told not to look at, but that hold other bytes than it remembers. */
async function editedBehindFlags(
  git: Git,
  hidden: readonly Hidden[],
  touched: ReadonlyMap<string, TouchedPath>,
): Promise<string[]> {
  if (hidden.length === 0) return []
  const disk = await readDisk(
    git,
    hidden.map((one) => one.path),
  )
  return hidden
    .filter(({ path, sparse }) => {
      const there = disk.get(path) ?? { kind: 'nothing' }
      return there.kind === 'nothing' ? !sparse : !sameAs(there, touched.get(path)?.old ?? null, true)
    })
    .map((one) => one.path)
}

/** Whether what lies on disk is this tree entry. `loose`: whatever its executable bit. */
export function sameAs(disk: DiskEntry, entry: TreeEntry | null, loose = false): boolean {
  if (entry === null) return disk.kind === 'nothing'
  if (entry.mode === '160000') return disk.kind === 'folder'
  if (entry.mode === '120000') return disk.kind === 'link' && disk.oid === entry.oid
  if (disk.kind !== 'file' || disk.oid !== entry.oid) return false
  return loose || disk.executable === (entry.mode === '100755')
}

/** Untracked and ignored things where the move writes, and parents that are no folders. */
async function inTheWay(
  input: LocalChangesInput & { untracked: ReadonlySet<string> },
): Promise<{ dirty: string[]; identical: TouchedPath[] }> {
  const { git, touched, untracked, ignoreCase } = input
  const goes = new Set(touched.filter((one) => one.new === null).map((one) => one.path))
  const goesFolded = ignoreCase ? new Set([...goes].map(fold)) : null
  const dirty: string[] = []
  const parents = createParentCheck(git.cwd)
  const there: TouchedPath[] = []
  for (const one of touched) {
    if (one.new === null) continue
    const blocker = parents(one.path)
    // A parent that is a tracked file is settled by the move itself, where the move removes it.
    if (blocker !== null) {
      if (!goes.has(blocker)) dirty.push(blocker)
      continue
    }
    if (one.old !== null && !untracked.has(one.path)) continue
    const stat = statAt(diskPath(git.cwd, one.path))
    if (stat === null) continue
    if (stat.isDirectory()) {
      if (one.new.mode === '160000') continue
      dirty.push(...filesBelow(git.cwd, one.path, decodePath).filter((path) => !goes.has(path)))
    } else if (!goesFolded?.has(fold(one.path))) there.push(one)
  }
  if (there.length === 0) return { dirty, identical: [] }
  const disk = await readDisk(
    git,
    there.map((one) => one.path),
  )
  const identical: TouchedPath[] = []
  for (const one of there) {
    if (sameAs(disk.get(one.path) ?? { kind: 'nothing' }, one.new)) identical.push(one)
    else dirty.push(one.path)
  }
  return { dirty, identical }
}

/** Lines for `update-index -z --index-info`: null removes the entry. `oidLength`: hex digits of an object id. */
export function indexInfo(entries: Iterable<{ path: string; entry: TreeEntry | null }>, oidLength: number): Buffer {
  const lines: Buffer[] = []
  const zero = '0'.repeat(oidLength)
  for (const { path, entry } of entries) {
    lines.push(Buffer.from(entry ? `${entry.mode} ${entry.oid}\t` : `0 ${zero}\t`), encodePath(path), Buffer.from([0]))
  }
  return Buffer.concat(lines)
}
