import { encodePath } from './bytes.ts'

/** What git's index remembers of one path, its file's stat as git compares it. */
export interface IndexEntry {
  readonly mode: number
  readonly oid: string
  /** Seconds and nanoseconds, in 32 bits each. */
  readonly ctime: readonly [seconds: number, nanoseconds: number]
  readonly mtime: readonly [seconds: number, nanoseconds: number]
  readonly ino: number
  readonly uid: number
  readonly gid: number
  readonly size: number
  /** Told not to be looked at (assume-unchanged, skip-worktree) or only announced (intent-to-add). */
  readonly special: boolean
}

const HEADER = 12
/** Ten numbers of four bytes: ctime, mtime, dev, ino, mode, uid, gid, size. */
const STAT = 40
const STAGE = 0x3000
const EXTENDED = 0x4000
const ASSUME_VALID = 0x8000
const NAME = 0xfff

/**
 * The entries of these paths in an index file's bytes (git's gitformat-index), a path without one absent. Null where the
 * file must be read by git itself: another format or an extension that changes what the entries mean, a conflict in any
 * path, or nothing that can be made sense of. `oidBytes`: 20 or 32.
 */
export function entriesOf(
  index: Buffer,
  paths: readonly string[],
  oidBytes: number,
): ReadonlyMap<string, IndexEntry> | null {
  if (index.length < HEADER + oidBytes || index.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = index.readUInt32BE(4)
  if (version !== 2 && version !== 3) return null
  const wanted = new Map(paths.map((path) => [encodePath(path).toString('latin1'), path]))
  const lengths = new Set([...wanted.keys()].map((name) => name.length))
  const found = new Map<string, IndexEntry>()
  const end = index.length - oidBytes
  let at = HEADER
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + STAT + oidBytes
    if (flagsAt + 2 > end) return null
    const flags = index.readUInt16BE(flagsAt)
    if (flags & STAGE) return null
    const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2)
    const short = flags & NAME
    const nameEnd = short < NAME ? nameAt + short : index.indexOf(0, nameAt)
    if (nameEnd < nameAt || nameEnd >= end || index[nameEnd] !== 0) return null
    if (lengths.has(nameEnd - nameAt)) {
      const path = wanted.get(index.toString('latin1', nameAt, nameEnd))
      const special = (flags & (EXTENDED | ASSUME_VALID)) !== 0
      if (path !== undefined) found.set(path, entryAt(index, at, oidBytes, special))
    }
    at += (nameEnd - at + 8) & ~7
  }
  return onlyOptional(index, at, end) ? found : null
}

function entryAt(index: Buffer, at: number, oidBytes: number, special: boolean): IndexEntry {
  const number = (nth: number) => index.readUInt32BE(at + 4 * nth)
  return {
    ctime: [number(0), number(1)],
    mtime: [number(2), number(3)],
    ino: number(5),
    mode: number(6),
    uid: number(7),
    gid: number(8),
    size: number(9),
    oid: index.toString('hex', at + STAT, at + STAT + oidBytes),
    special,
  }
}

/** Whether all extensions are ones that may be passed over: git begins their names with a capital. */
function onlyOptional(index: Buffer, from: number, end: number): boolean {
  let at = from
  for (; at + 8 <= end; at += 8 + index.readUInt32BE(at + 4)) {
    const first = index[at] as number
    if (first < 65 || first > 90) return false
  }
  return at === end
}
