import type { RepositoryContext } from '../../context.ts'
import { readTrunkLog, type TrunkCommit } from '../../git/trunkLog.ts'
import { beginLine, extendLine, type IndexedLine, lastPosition, positionOf, readLine } from '../../store/trunkIndex.ts'
import { pause } from './pause.ts'

/** A commit of the indexed line: what is at or below `position` is its history. */
export interface Place {
  readonly line: IndexedLine
  readonly position: number
}

/** Beyond these it is cheaper to begin anew than to read what changed. */
const MOST_COMMITS = 2000
const MOST_CHANGES = 20_000
/** Other processes move the line as well. */
const ATTEMPTS = 8

/** Where trunk's tip is on the indexed line, which is read on from git as far as it lacks. Null where it cannot be told. */
export async function placeOf(repo: RepositoryContext, branch: string, tip: string): Promise<Place | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const line = readLine(repo.index)
    if (line === null) {
      beginLine(repo.index, null, tip)
      continue
    }
    if (line.tip === tip) return { line, position: lastPosition(repo.index, line) }
    const position = positionOf(repo.index, line, tip)
    if (position === null) {
      await readOn(repo, line, tip)
      continue
    }
    // Behind the index: asked about a moment that is over, or trunk was set back.
    const ref = `refs/heads/${branch}`
    const now = await repo.objects.read(ref)
    if (now?.oid !== tip) return { line, position }
    await extendLine(repo.index, line, position, [], pause)
  }
  return null
}

/** Reads what trunk got since the index last looked. */
async function readOn(repo: RepositoryContext, line: IndexedLine, tip: string): Promise<void> {
  const commits = await commitsSince(repo, line.tip, tip)
  const oldest = commits?.at(0)
  const start = oldest?.parent ?? null
  if (commits && start !== null) {
    if (start === line.tip) {
      await extendLine(repo.index, line, null, commits, pause)
      return
    }
    const fork = positionOf(repo.index, line, start)
    if (fork !== null) {
      await extendLine(repo.index, line, fork, commits, pause)
      return
    }
  }
  beginLine(repo.index, line, tip)
}

/** The commits of the first-parent line that `old` does not reach, the oldest first; null where they are too many. */
async function commitsSince(repo: RepositoryContext, old: string, tip: string): Promise<TrunkCommit[] | null> {
  // Where it was pruned, nobody can tell what came since.
  if ((await repo.objects.read(old)) === null) return null
  const commits: TrunkCommit[] = []
  let changes = 0
  for await (const commit of readTrunkLog(repo.git, { from: old, to: tip, limit: MOST_COMMITS + 1 })) {
    const newer = commits.at(-1)
    if (newer && newer.parent !== commit.oid) return null
    commits.push(commit)
    changes += commit.changes.length
    if (commits.length > MOST_COMMITS || changes > MOST_CHANGES) return null
  }
  return commits.reverse()
}
