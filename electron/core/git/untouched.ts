import { type BigIntStats, readFileSync } from 'node:fs'
import { createParentCheck, diskPath, statAt } from './diskState.ts'
import { entriesOf, type IndexEntry } from './indexEntries.ts'
import type { TouchedPath } from './touched.ts'

/** Beyond so many paths git's own look at the whole tree costs less. */
const MOST = 64
const FILE = 0o100000n
const TYPE = 0o170000n

/**
 * Whether it is certain, by the index and by stats alone, that nothing stands in the way of these paths: each one's entry
 * is the old one and its file has the very stat that git noted, or both are absent. Only a yes means something; git
 * answers everything else. It is the rule by which git itself takes a file for unchanged, without its leniencies.
 * `indexFile`: a copy whose time is not after the index's own.
 */
export function certainlyUntouched(worktree: string, indexFile: string, touched: readonly TouchedPath[]): boolean {
  const [first] = touched
  if (!first || touched.length > MOST) return false
  const oidBytes = (first.old ?? first.new)?.oid.length === 64 ? 32 : 20
  const copy = statAt(Buffer.from(indexFile))
  if (!copy) return false
  const entries = entriesOf(
    readFileSync(indexFile),
    touched.map((one) => one.path),
    oidBytes,
  )
  if (!entries) return false
  const parents = createParentCheck(worktree)
  return touched.every((one) => {
    if (parents(one.path) !== null) return false
    const stat = statAt(diskPath(worktree, one.path))
    const entry = entries.get(one.path)
    if (one.old === null) return stat === null && entry === undefined
    // Git notes a size of nothing for a file that it could not be sure of.
    if (!stat || !entry || entry.special || entry.size === 0) return false
    const same = entry.oid === one.old.oid && entry.mode.toString(8) === one.old.mode
    return same && isFile(stat, entry) && sameStat(stat, entry) && !isRacy(entry, copy)
  })
}

function isFile(stat: BigIntStats, entry: IndexEntry): boolean {
  const executable = (stat.mode & 0o100n) !== 0n
  return (stat.mode & TYPE) === FILE && entry.mode === (executable ? 0o100755 : 0o100644)
}

const BILLION = 1_000_000_000n
const low = (value: bigint) => Number(BigInt.asUintN(32, value))

function sameStat(stat: BigIntStats, entry: IndexEntry): boolean {
  const time = (ns: bigint, [seconds, rest]: readonly [number, number]) =>
    low(ns / BILLION) === seconds && Number(ns % BILLION) === rest
  return (
    time(stat.mtimeNs, entry.mtime) &&
    time(stat.ctimeNs, entry.ctime) &&
    low(stat.ino) === entry.ino &&
    low(stat.uid) === entry.uid &&
    low(stat.gid) === entry.gid &&
    low(stat.size) === entry.size
  )
}

/** A file as young as its index may have been changed in the same instant, with no trace in its stat. */
function isRacy(entry: IndexEntry, index: BigIntStats): boolean {
  const seconds = low(index.mtimeNs / BILLION)
  return entry.mtime[0] > seconds || (entry.mtime[0] === seconds && entry.mtime[1] >= Number(index.mtimeNs % BILLION))
}
