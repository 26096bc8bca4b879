import type { RunCommit, TrunkCommit } from '../../../shared/model/review.ts'
import type { RepositoryContext } from '../context.ts'
import { commitChanges } from '../git/commitChanges.ts'
import type { RawChange } from '../git/diffTree.ts'
import { type CommitEntry, readLog } from '../git/log.ts'
import type { FormerName } from './restoredAs.ts'
import { type ReviewItem, reviewItems } from './reviewItems.ts'
import { provenMerges } from './reviewMerges.ts'
import { proveCommits, readCounts } from './reviewProof.ts'

/** The commits of a run with what each did. */
export interface RunCommits {
  /** Newest first. */
  readonly commits: readonly RunCommit[]
  readonly changes: ReadonlyMap<string, readonly RawChange[]>
}

/**
 * Reads and proves the commits of base..tip. `run`: the branch's name without its remote. `was`: what the branch was
 * before it came back under this name.
 */
export async function readRunCommits(
  repo: Pick<RepositoryContext, 'git' | 'repository' | 'state'>,
  base: string | null,
  tip: string,
  run: string,
  was: FormerName | null = null,
): Promise<RunCommits> {
  const log = await readLog(repo.git, base, tip)
  const changes = await commitChanges(
    repo.git,
    log.map((commit) => commit.oid),
  )
  const merges = await provenMerges(
    { git: repo.git, commonDir: repo.repository.commonDir, state: repo.state },
    log,
    changes,
  )
  const runs = was && log.some((commit) => commit.oid === was.tip) ? [run, was.run] : [run]
  const proofs = proveCommits({ runs, commits: [...log].reverse(), changes, merges })
  const commits = log.map((commit): RunCommit => {
    const proof = proofs.get(commit.oid)
    return {
      oid: commit.oid,
      parents: [...commit.parents],
      author: commit.author,
      authorEmail: commit.authorEmail,
      at: commit.at,
      subject: commit.subject,
      body: withoutTrailers(commit),
      phase: proof?.phase ?? null,
      foreign: proof?.foreign ?? null,
      bringsMainIn: proof?.bringsMainIn ?? false,
      counts: readCounts(commit),
      files: reviewItems(changes.get(commit.oid) ?? []).length,
    }
  })
  return { commits, changes }
}

/** The message below its subject, without the paragraph that holds the trailers. */
function withoutTrailers(commit: CommitEntry): string {
  const body = commit.body.trim()
  if (commit.trailers.length === 0) return body
  const cut = body.lastIndexOf('\n\n')
  return cut === -1 ? '' : body.slice(0, cut).trimEnd()
}

/** Which commits touched a file, oldest first. */
export interface Provenance {
  readonly commits: readonly string[]
  readonly phases: readonly string[]
  readonly foreign: boolean
}

/** The provenance of every item, by its path; renames within the run are followed backwards. */
export function provenance(items: readonly ReviewItem[], run: RunCommits): Map<string, Provenance> {
  const holders = new Map<string, Set<string>>()
  const hold = (path: string, item: string) => {
    const set = holders.get(path)
    if (set) set.add(item)
    else holders.set(path, new Set([item]))
  }
  for (const item of items) {
    hold(item.path, item.path)
    if (item.fromPath !== null) hold(item.fromPath, item.path)
  }
  const touched = new Map<string, RunCommit[]>()
  for (const commit of run.commits) {
    const here = new Set<string>()
    const pairs = reviewItems(run.changes.get(commit.oid) ?? [])
    for (const pair of pairs) {
      for (const path of pair.fromPath === null ? [pair.path] : [pair.path, pair.fromPath])
        for (const item of holders.get(path) ?? []) here.add(item)
      // Before this commit the file had its old name.
      if (pair.fromPath !== null) for (const item of holders.get(pair.path) ?? []) hold(pair.fromPath, item)
    }
    for (const item of here) touched.set(item, [...(touched.get(item) ?? []), commit])
  }
  return new Map(
    items.map((item) => {
      const commits = (touched.get(item.path) ?? []).reverse()
      const phases = [...new Set(commits.flatMap((commit) => (commit.phase === null ? [] : [commit.phase])))]
      const foreign = commits.some((commit) => commit.foreign !== null)
      return [item.path, { commits: commits.map((commit) => commit.oid), phases, foreign }]
    }),
  )
}

/** Trunk commits that are looked at. */
const TRUNK_COMMITS = 200

/** Commits on trunk since the base, newest first, each with the paths that the branch changes too. */
export async function readTrunkCommits(
  repo: Pick<RepositoryContext, 'git'>,
  base: string | null,
  trunk: string,
  touched: ReadonlySet<string>,
): Promise<TrunkCommit[]> {
  const log = await readLog(repo.git, base, trunk, { limit: TRUNK_COMMITS })
  const changes = await commitChanges(
    repo.git,
    log.map((commit) => commit.oid),
  )
  return log.map((commit) => ({
    oid: commit.oid,
    author: commit.author,
    at: commit.at,
    subject: commit.subject,
    shared: [...pathsOf(changes.get(commit.oid) ?? [])].filter((path) => touched.has(path)).sort(),
  }))
}

/** Every path that the changes name, on either side. */
export function pathsOf(changes: readonly RawChange[]): Set<string> {
  return new Set(
    changes.flatMap((change) => (change.fromPath === null ? [change.path] : [change.path, change.fromPath])),
  )
}
