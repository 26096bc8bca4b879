import { isAppError } from '../../../shared/errors/index.ts'
import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

/** One entry of a raw diff between two trees, paths decoded. */
export interface RawChange {
  /** A added, D deleted, M modified, T type changed, R renamed. */
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R'
  /** Rename similarity in percent; null for every other status. */
  readonly similarity: number | null
  readonly oldMode: string | null
  readonly newMode: string | null
  readonly oldOid: string | null
  readonly newOid: string | null
  /** The path on the new side; the old one for a deletion. */
  readonly path: string
  /** The old path of a rename. */
  readonly fromPath: string | null
}

/**
 * Flags of every raw diff: what the repository's configuration says about renames, submodules and relative paths
 * does not count. Empty files are never paired.
 */
export const RAW_DIFF_FLAGS: readonly string[] = [
  '-r',
  '-z',
  '--raw',
  '--no-abbrev',
  '-M50%',
  '-l1000',
  '--no-rename-empty',
  '--no-relative',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
]

const isZero = (oid: string) => /^0+$/.test(oid)

/** Parses one header field such as `:100644 100644 <old> <new> R059`. */
export function parseRawHeader(header: string): Omit<RawChange, 'path' | 'fromPath'> {
  const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = header.slice(1).split(' ')
  const letter = status.charAt(0) as RawChange['status']
  return {
    status: letter,
    similarity: letter === 'R' ? Number(status.slice(1)) : null,
    oldMode: oldMode === '000000' ? null : oldMode,
    newMode: newMode === '000000' ? null : newMode,
    oldOid: isZero(oldOid) ? null : oldOid,
    newOid: isZero(newOid) ? null : newOid,
  }
}

/** The entries of `git diff-tree -z --raw`, in git's order. */
export function parseRawDiff(output: Buffer): RawChange[] {
  const fields = splitNul(output)
  const changes: RawChange[] = []
  for (let at = 0; at + 1 < fields.length; ) {
    const head = parseRawHeader((fields[at] as Buffer).toString('latin1'))
    const first = decodePath(fields[at + 1] as Buffer)
    if (head.status === 'R') {
      changes.push({ ...head, fromPath: first, path: decodePath(fields[at + 2] as Buffer) })
      at += 3
    } else {
      changes.push({ ...head, fromPath: null, path: first })
      at += 2
    }
  }
  return changes
}

/** The oid of the tree without entries, in the repository's hash. */
export const emptyTree = (like: string): string =>
  like.length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * What differs between two commits or trees, renames detected. `from` null: everything in `to` is new. Errors: ERR_GIT
 * where a commit or a tree cannot be read.
 */
export async function diffTrees(git: Git, from: string | null, to: string): Promise<RawChange[]> {
  const trees = [from ?? emptyTree(to), to, '--']
  const { stdout } = await withoutRenames((flags) => git.run(['diff-tree', ...flags, ...trees]))
  return parseRawDiff(stdout)
}

/**
 * Asks with renames detected; where git could not, without. To tell how alike two files are git reads both, and gives up
 * altogether where one is missing, while what changed is known without reading any.
 */
export async function withoutRenames<T>(ask: (flags: readonly string[]) => Promise<T>): Promise<T> {
  try {
    return await ask(RAW_DIFF_FLAGS)
  } catch (error) {
    if (!isAppError(error, 'ERR_GIT')) throw error
    return ask([...RAW_DIFF_FLAGS, '--no-renames'])
  }
}
