import { InvariantError } from '../../../../shared/base/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Git } from '../../git/process.ts'
import { entryAt, isFileMode } from '../../git/trees.ts'
import { isUnusable } from '../../store/indexDb.ts'
import { extendLine, type PathChange, readLine } from '../../store/trunkIndex.ts'
import { type HandedVersion, handedFor, handedVersion, handOut, readHanded } from '../../store/versions.ts'
import { type DocumentHistory, historyOf, type TrunkTip } from './history.ts'
import { keepRewritten } from './keep.ts'
import { numberChanges } from './numbering.ts'
import { pause } from './pause.ts'

/** A version: for ever these bytes. */
export interface VersionFacts {
  readonly version: number
  /** The commit that made it; it may have left trunk since. */
  readonly commit: string
  /** Null: the commit deleted the file, or put a link or a submodule in its place. */
  readonly oid: string | null
}

/** The newest version of a document on trunk. */
export interface Head extends VersionFacts {
  /** Whether the file is there; the same as `oid !== null`. */
  readonly live: boolean
  /** Git's mode of the file, `100644` or `100755`; null where it is not there. */
  readonly mode: string | null
  /** Committer time, ISO 8601 UTC. */
  readonly at: string
}

/** A version as it is listed. */
export interface ListedVersion extends VersionFacts {
  /** The commit left trunk since; the version can still be read. */
  readonly rewritten: boolean
}

/** A change that a verb of ours made: one path in one commit. */
export interface Written {
  readonly path: string
  readonly commit: string
  /** Null where it deleted the file. */
  readonly oid: string | null
  readonly mode: string | null
  /** The commit's committer time, ISO 8601 UTC. */
  readonly at: string
}

/**
 * Versions of the documents of a repository. Every number that is answered is handed out by that: it means those bytes
 * for ever. `tip`: a commit of trunk to answer as of; without it, trunk's tip as it is now. Reading writes no ref and
 * nothing else into the repository but Daybreak's own databases.
 * Errors: ERR_GIT, ERR_STORAGE_BUSY, ERR_REPOSITORY_DAMAGED.
 */
export interface Versions {
  /** The newest version, a deletion too; null where trunk's history never had the document. */
  head(path: string, tip?: TrunkTip): Promise<Head | null>
  /** All versions, the oldest first, with those that left trunk. */
  all(path: string, tip?: TrunkTip): Promise<ListedVersion[]>
  /** One version, on trunk or not any more; null where there never was one of that number. */
  at(path: string, version: number, tip?: TrunkTip): Promise<VersionFacts | null>
  /**
   * Tells what was committed on trunk after `from`, so that git need not be asked: every change of every commit since,
   * commits oldest first and each the next one's first parent. Only makes later answers faster; never fails.
   */
  noteWritten(from: string, writes: readonly Written[]): Promise<void>
  /** Called by verbs that write: keeps alive what left trunk, under `refs/daybreak/versions/`. */
  keepRewritten(git: Git, now: Date): Promise<void>
}

const made = new WeakMap<RepositoryContext, Versions>()

/** The versions of an opened repository. */
export function versionsOf(repo: RepositoryContext): Versions {
  const known = made.get(repo)
  if (known) return known
  const versions = createVersions(repo)
  made.set(repo, versions)
  return versions
}

/** So many changes are read at first; most often the newest one has its number already. */
const TAIL = 16
/** Other processes hand out numbers as well. */
const ATTEMPTS = 10

function createVersions(repo: RepositoryContext): Versions {
  const tipNow = async (): Promise<TrunkTip | null> => {
    const { trunk } = await repo.sources()
    return trunk.oid === null ? null : { branch: trunk.branch, oid: trunk.oid }
  }

  const head = async (path: string, tip: TrunkTip): Promise<Head | null> => {
    for (const most of [TAIL, Number.POSITIVE_INFINITY]) {
      const { changes, whole } = await soundHistory(repo, path, tip, most)
      const last = changes.at(-1)
      if (!last) {
        if (whole) return null
        continue
      }
      const { oid, mode, commit, at } = last
      const version = await numberOf(repo, path, changes, whole)
      if (version !== null)
        return { version, live: oid !== null, oid, mode, commit, at: new Date(at * 1000).toISOString() }
    }
    throw new InvariantError(`${path} has no whole history`)
  }

  const all = async (path: string, tip: TrunkTip | null): Promise<ListedVersion[]> => {
    const changes = tip ? (await soundHistory(repo, path, tip, Number.POSITIVE_INFINITY)).changes : []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const handed = await readHanded(repo.state, path, 0, pause)
      const numbers = numberChanges(changes, handed, 0)
      if (!(await record(repo, path, changes, numbers, handed.at(-1)?.version ?? 0))) continue
      const present = changes.map(({ commit, oid }, at) => ({
        version: numbers[at] as number,
        commit,
        oid,
        rewritten: false,
      }))
      const live = new Set(numbers)
      const left = handed.filter((one) => !live.has(one.version)).map((one) => ({ ...one, rewritten: true }))
      return [...present, ...left].sort((one, other) => one.version - other.version)
    }
    throw busy(repo)
  }

  return {
    head: async (path, tip) => {
      const at = tip ?? (await tipNow())
      return at && head(path, at)
    },
    all: async (path, tip) => all(path, tip ?? (await tipNow())),
    at: async (path, version, tip) => {
      const handed = handedVersion(repo.state, path, version)
      if (handed) return handed
      const found = (await all(path, tip ?? (await tipNow()))).find((one) => one.version === version)
      return found ? { version, commit: found.commit, oid: found.oid } : null
    },
    noteWritten: async (from, writes) => {
      try {
        const line = readLine(repo.index)
        if (line?.tip === from) await extendLine(repo.index, line, null, byCommit(writes), pause)
      } catch (error) {
        // The next look reads it from git.
        if (!isUnusable(error)) throw error
      }
    },
    keepRewritten: (git, now) => keepRewritten(repo, git, now),
  }
}

/**
 * The history of a path, compared with what trunk's tree has there before any number of it is told: an index that says
 * otherwise is thrown away. Errors: ERR_NO_VERSION where git contradicts itself.
 */
async function soundHistory(
  repo: RepositoryContext,
  path: string,
  tip: TrunkTip,
  most: number,
): Promise<DocumentHistory> {
  const entry = await entryAt(repo.objects, tip.oid, path)
  const there = entry !== null && isFileMode(entry.mode) ? entry.oid : null
  for (let attempt = 0; attempt < 2; attempt++) {
    const found = await historyOf(repo, path, tip, most)
    const last = found.changes.at(-1)
    if ((last?.oid ?? null) === there || (!last && !found.whole)) return found
    repo.index.discard()
  }
  throw new AppError('ERR_NO_VERSION', { path })
}

/** The number of the newest change, handed out by this; null where more of the history is needed to tell. */
async function numberOf(
  repo: RepositoryContext,
  path: string,
  changes: readonly PathChange[],
  whole: boolean,
): Promise<number | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { from, before } = anchorOf(repo, path, changes)
    if (from === 0 && !whole) return null
    const rest = changes.slice(from)
    if (rest.length === 0) return before
    const handed = await readHanded(repo.state, path, before, pause)
    const numbers = numberChanges(rest, handed, before)
    if (await record(repo, path, rest, numbers, handed.at(-1)?.version ?? before)) return numbers.at(-1) as number
  }
  throw busy(repo)
}

/** The newest change that has its number already, and where those after it begin. */
function anchorOf(repo: RepositoryContext, path: string, changes: readonly PathChange[]) {
  for (let at = changes.length - 1; at >= 0; at--) {
    const { commit, oid } = changes[at] as PathChange
    const handed = handedFor(repo.state, path, commit)
    if (handed && handed.oid === oid) return { from: at + 1, before: handed.version }
  }
  return { from: 0, before: 0 }
}

/** Hands out the numbers above `highest`. False where another process was faster, so that they must be told anew. */
async function record(
  repo: RepositoryContext,
  path: string,
  changes: readonly PathChange[],
  numbers: readonly number[],
  highest: number,
): Promise<boolean> {
  if (repo.state.problem) return true
  const fresh = changes.flatMap(({ commit, oid }, at): HandedVersion[] => {
    const version = numbers[at] as number
    return version > highest ? [{ version, commit, oid }] : []
  })
  try {
    return fresh.length === 0 || (await handOut(repo.state, path, fresh, pause))
  } catch (error) {
    // A number that is not noted may mean other bytes after a rewrite; where nothing can be written, nobody publishes.
    if (error instanceof AppError && (error.code === 'ERR_READ_ONLY' || error.code === 'ERR_DISK_FULL')) return true
    throw error
  }
}

const busy = (repo: RepositoryContext) => new AppError('ERR_STORAGE_BUSY', { path: repo.state.file, waitedSeconds: 0 })

function byCommit(writes: readonly Written[]) {
  const commits: { oid: string; at: number; changes: Pick<Written, 'path' | 'oid' | 'mode'>[] }[] = []
  for (const { path, commit, oid, mode, at } of writes) {
    const last = commits.at(-1)
    if (last?.oid === commit) last.changes.push({ path, oid, mode })
    else commits.push({ oid: commit, at: Math.floor(Date.parse(at) / 1000), changes: [{ path, oid, mode }] })
  }
  return commits
}
