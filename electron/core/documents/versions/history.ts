import type { RepositoryContext } from '../../context.ts'
import { isFileMode } from '../../git/trees.ts'
import { changeOf, readTrunkLog } from '../../git/trunkLog.ts'
import { isUnusable } from '../../store/indexDb.ts'
import { changesOf, isKnown, learnOlder, olderChanges, type PathChange, positionOf } from '../../store/trunkIndex.ts'
import { type Place, placeOf } from './line.ts'
import { wasNeverThere } from './neverThere.ts'
import { pause } from './pause.ts'

/** What became of a document, the oldest first: its newest changes, or all of them. */
export interface DocumentHistory {
  readonly changes: readonly PathChange[]
  readonly whole: boolean
}

/** The commit whose history is asked for, and the branch that it is, or was, the tip of. */
export interface TrunkTip {
  readonly branch: string
  readonly oid: string
}

const STEP = 1000
const ATTEMPTS = 4

/**
 * The changes of a path up to a commit of trunk: the newest `most` of them at least, or all there are. What is not
 * known of it is read from git and kept in the index.
 */
export async function historyOf(
  repo: RepositoryContext,
  path: string,
  tip: TrunkTip,
  most: number,
): Promise<DocumentHistory> {
  try {
    const found = await fromIndex(repo, path, tip, most)
    if (found) return found
  } catch (error) {
    if (!isUnusable(error)) throw error
  }
  return { changes: asDocument(await readOlder(repo, path, tip.oid), true), whole: true }
}

/** Null where other processes move the index faster than it can be read. */
async function fromIndex(
  repo: RepositoryContext,
  path: string,
  tip: TrunkTip,
  most: number,
): Promise<DocumentHistory | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = await placeOf(repo, tip.branch, tip.oid)
    if (place === null) return null
    if (!isKnown(repo.index, place.line, path)) {
      const never = await wasNeverThere(repo, path, place.line.base)
      const older = never ? [] : await readOlder(repo, path, place.line.base)
      await learnOlder(repo.index, place.line, path, older, pause)
    }
    const found = await indexed(repo, path, place, most)
    // What was cut off the line meanwhile is missing in what was read.
    if (found && positionOf(repo.index, place.line, tip.oid) === place.position) return found
  }
  return null
}

async function readOlder(repo: RepositoryContext, path: string, to: string): Promise<PathChange[]> {
  const found: PathChange[] = []
  for await (const commit of readTrunkLog(repo.git, { from: null, to, path })) {
    const change = changeOf(commit, path)
    if (change) found.push({ commit: commit.oid, at: commit.at, oid: change.oid, mode: change.mode })
  }
  return found.reverse()
}

/** Reads from the index; null where the line was begun anew meanwhile. */
async function indexed(
  repo: RepositoryContext,
  path: string,
  { line, position }: Place,
  most: number,
): Promise<DocumentHistory | null> {
  const found: PathChange[] = []
  const done = (whole: boolean) => ({ changes: asDocument(found.reverse(), whole), whole })
  // One more than asked for: whether the oldest is a change of the document can only be told from the one before.
  for (let below = position + 1; ; ) {
    const limit = Math.min(STEP, most + 1 - found.length)
    if (limit <= 0) return done(false)
    const rows = changesOf(repo.index, line, path, below, limit)
    for (const row of rows) found.push(row.change)
    if (rows.length < limit) break
    below = rows.at(-1)?.id ?? 0
    await pause()
  }
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const limit = Math.min(STEP, most + 1 - found.length)
    if (limit <= 0) return done(false)
    const rows = olderChanges(repo.index, line, path, below, limit)
    for (const row of rows) found.push(row.change)
    if (rows.length < limit) break
    below = rows.at(-1)?.n ?? 0
    await pause()
  }
  return isKnown(repo.index, line, path) ? done(true) : null
}

/**
 * The changes of a path as those of a document: links and submodules are none, so that what becomes one is deleted.
 * Where the history is not whole, the first change only tells what was before the second.
 */
function asDocument(changes: readonly PathChange[], whole: boolean): PathChange[] {
  const found: PathChange[] = []
  let before: string | null = null
  changes.forEach((one, at) => {
    const there = isFileMode(one.mode) && one.oid !== null
    const oid = there ? one.oid : null
    if ((oid !== null || before !== null) && (whole || at > 0))
      found.push({ ...one, oid, mode: there ? one.mode : null })
    before = oid
  })
  return found
}
