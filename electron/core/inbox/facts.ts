import { isAppError } from '../../../shared/errors/index.ts'
import { diffTrees, type RawChange } from '../git/diffTree.ts'
import { countCommits } from '../git/mergeBase.ts'
import { nightDiff } from '../git/nightDiff.ts'
import type { ObjectReader } from '../git/objects.ts'
import type { Git } from '../git/process.ts'
import { type ReviewItem, reviewItems } from '../sleep/reviewItems.ts'

/** What one pair of branch tip and trunk gives; never changes, so it is kept. */
export interface BranchFacts {
  readonly base: string | null
  /** Commits and items of base..tip. */
  readonly commits: number
  readonly items: readonly ReviewItem[]
  /** Every path that the branch touches, both halves of a pair; sorted. */
  readonly touched: readonly string[]
  /** Paths that the tip has and the base has not, with their objects. */
  readonly added: ReadonlyMap<string, string>
  /** Commits that trunk has and the branch has not, and touched paths that they touch too. */
  readonly trunkCommits: number
  readonly overlap: readonly string[]
}

/** The facts of a tip whose commit is there. `trunk` null: there is no trunk yet. */
export async function readBranchFacts(git: Git, tip: string, trunk: string | null): Promise<BranchFacts> {
  const { base, changes } = await nightDiff(git, trunk, tip)
  if (base === tip)
    return { ...NOTHING, base, trunkCommits: trunk === tip ? 0 : await countCommits(git, tip, trunk ?? tip) }
  const moved = trunk !== null && trunk !== base
  const [commits, trunkCommits, trunkChanges] = await Promise.all([
    countCommits(git, base, tip),
    moved ? countCommits(git, base, trunk) : 0,
    moved ? diffTrees(git, base, trunk) : [],
  ])
  const touched = touchedBy(changes)
  return {
    base,
    commits,
    items: reviewItems(changes),
    touched,
    added: new Map(
      changes.flatMap((c) =>
        c.newOid !== null && (c.oldOid === null || c.fromPath !== null) ? [[c.path, c.newOid]] : [],
      ),
    ),
    trunkCommits,
    overlap: overlapOf(touched, touchedBy(trunkChanges)),
  }
}

const NOTHING: BranchFacts = {
  base: null,
  commits: 0,
  items: [],
  touched: [],
  added: new Map(),
  trunkCommits: 0,
  overlap: [],
}

function touchedBy(changes: readonly RawChange[]): string[] {
  const paths = new Set<string>()
  for (const change of changes) {
    paths.add(change.path)
    if (change.fromPath !== null) paths.add(change.fromPath)
  }
  return [...paths].sort()
}

/** Paths of `ours` that `theirs` touches too; a file and a folder of one name meet as well. */
export function overlapOf(ours: readonly string[], theirs: readonly string[]): string[] {
  const exact = new Set(theirs)
  const folders = new Set(theirs.flatMap(parents))
  return ours.filter((path) => exact.has(path) || folders.has(path) || parents(path).some((one) => exact.has(one)))
}

function parents(path: string): string[] {
  const found: string[] = []
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1)) found.push(path.slice(0, cut))
  return found
}

export interface TipCommit {
  /** Committer time, ISO 8601 UTC. */
  readonly at: string
  /** What the commit's `Memhtml-Run` trailer names, null without one. */
  readonly run: string | null
}

/** Reads the tip's commit; null where it is gone from the repository, or is no commit. */
export async function readTip(objects: ObjectReader, tip: string): Promise<TipCommit | null> {
  // In a partial clone git ends over a missing object instead of saying so.
  const object = await objects.read(tip).catch((error: unknown) => {
    if (isAppError(error, 'ERR_REPOSITORY_DAMAGED')) return null
    throw error
  })
  if (object?.type !== 'commit') return null
  const text = object.bytes.toString('utf8')
  const cut = text.indexOf('\n\n')
  const time = /^committer .*> (\d+) [+-]\d{4}$/m.exec(text.slice(0, cut === -1 ? undefined : cut))
  const message = cut === -1 ? '' : text.slice(cut + 2).trimEnd()
  const last = message.slice(message.lastIndexOf('\n\n') + 1)
  const run = message.includes('\n\n') ? /^Memhtml-Run:[ \t]*(.+?)[ \t]*$/im.exec(last) : null
  return { at: new Date(Number(time?.[1] ?? 0) * 1000).toISOString(), run: run?.[1] ?? null }
}
