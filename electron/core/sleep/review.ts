import { ledgerPath, reportPath } from '../../../shared/model/phase.ts'
import type { Ledger, RunCommit, TrunkCommit } from '../../../shared/model/review.ts'
import type { RepositoryContext } from '../context.ts'
import { diffTrees, type RawChange } from '../git/diffTree.ts'
import { nightDiff } from '../git/nightDiff.ts'
import { parseLedger } from './ledger.ts'
import type { FormerName } from './restoredAs.ts'
import { readGeneratedBy } from './reviewAttributes.ts'
import { type Provenance, pathsOf, provenance, readRunCommits, readTrunkCommits } from './reviewCommits.ts'
import { classifyAll, type ReviewedItem } from './reviewFiles.ts'
import { reviewItems } from './reviewItems.ts'
import { runIdOf } from './runId.ts'

/** What is reviewed: names and ids at one moment. */
export interface ReviewTarget {
  /** The branch's name without its remote: the run's id. */
  readonly run: string
  readonly tip: string
  readonly trunk: string | null
  /** What it was before Undo brought it back under this name. */
  readonly was?: FormerName | null
}

/** One file of a review, before what the reviewer did is laid over it. */
export interface ReviewedFile extends ReviewedItem, Provenance {
  readonly alsoOnTrunk: boolean
}

/** All that follows from the commits alone: never changes for one target. */
export interface ReviewFacts {
  readonly target: ReviewTarget
  readonly base: string | null
  readonly files: readonly ReviewedFile[]
  /** By path, and for a pair by its old path too where no other file has it. */
  readonly byPath: ReadonlyMap<string, ReviewedFile>
  readonly commits: readonly RunCommit[]
  readonly changes: ReadonlyMap<string, readonly RawChange[]>
  readonly ledger: Ledger | null
  readonly reportPath: string | null
  readonly onTrunk: readonly TrunkCommit[]
}

type Repo = Pick<RepositoryContext, 'git' | 'config' | 'objects' | 'repository' | 'state'>

/** How many reviews of one repository are kept. */
const KEPT = 6
const caches = new WeakMap<object, Map<string, Promise<ReviewFacts>>>()

/** The review of a target, computed once. Errors: ERR_GIT where commits or trees are gone. */
export function reviewFacts(repo: Repo, target: ReviewTarget): Promise<ReviewFacts> {
  const cache = caches.get(repo.objects) ?? new Map<string, Promise<ReviewFacts>>()
  caches.set(repo.objects, cache)
  const key = JSON.stringify([target.run, target.tip, target.trunk, target.was ?? null])
  const known = cache.get(key)
  cache.delete(key)
  const value = known ?? computeReview(repo, target)
  cache.set(key, value)
  // A failure is told once and tried anew the next time, and so is an object that was missing.
  if (!known)
    value.then(
      (facts) => facts.files.some((file) => file.missing !== null) && cache.delete(key),
      () => cache.delete(key),
    )
  for (const old of [...cache.keys()].slice(0, Math.max(0, cache.size - KEPT))) cache.delete(old)
  return value
}

/** Computes a review from the merge base to the tip, whatever HEAD is. Reads only. */
export async function computeReview(repo: Repo, target: ReviewTarget): Promise<ReviewFacts> {
  const { git } = repo
  const { tip, trunk, run } = target
  const generatedBy = readGeneratedBy(repo, tip)
  generatedBy.catch(() => {})
  const { base, changes: raw } = await nightDiff(git, trunk, tip)
  const moved = trunk !== null && trunk !== base
  const commits = base === tip ? Promise.resolve(NO_COMMITS) : readRunCommits(repo, base, tip, run, target.was ?? null)
  commits.catch(() => {})
  const blobs = [readLedger(repo, target), readReport(repo, target)] as const
  const onTrunkSide = moved ? diffTrees(git, base, trunk) : Promise.resolve([])
  onTrunkSide.catch(() => {})
  const items = reviewItems(raw)
  const looked = await classifyAll(git, items, (item) => item.generated)
  const attributes = await (await generatedBy)(items.filter((item) => !item.generated).map((item) => item.path))
  const classified = looked.map((one) =>
    attributes.has(one.item.path) && one.kind !== 'submodule'
      ? { ...one, kind: 'generated' as const, fields: [], gist: null }
      : one,
  )
  const trunkPaths = pathsOf(await onTrunkSide)
  const runCommits = await commits
  const from = provenance(items, runCommits)
  const files = classified.map(
    (one): ReviewedFile => ({
      ...one,
      ...(from.get(one.item.path) ?? NOWHERE),
      alsoOnTrunk: trunkPaths.has(one.item.path) || (one.item.fromPath !== null && trunkPaths.has(one.item.fromPath)),
    }),
  )
  const byPath = new Map<string, ReviewedFile>()
  for (const file of files) if (file.item.fromPath !== null) byPath.set(file.item.fromPath, file)
  for (const file of files) byPath.set(file.item.path, file)
  const own = await Promise.all(blobs)
  const named = target.was != null || runCommits.commits.some((one) => one.foreign === 'other-run')
  const renamed = own.every((one) => one === null) && named
  const [ledger, report] = renamed ? await filesOfNamedRun(repo, target, base) : own
  return {
    target,
    base,
    files,
    byPath,
    commits: runCommits.commits,
    changes: runCommits.changes,
    ledger,
    reportPath: report,
    onTrunk: moved ? await readTrunkCommits(repo, base, trunk, pathsOf(raw)) : [],
  }
}

const NO_COMMITS = { commits: [], changes: new Map<string, RawChange[]>() }
const NOWHERE: Provenance = { commits: [], phases: [], foreign: false }

/** The ledger's marks from the blob at the tip: what lies in the working tree does not count. */
export async function readLedger(
  repo: Pick<Repo, 'objects'>,
  target: Pick<ReviewTarget, 'run' | 'tip'>,
): Promise<Ledger | null> {
  const path = ledgerPath(target.run)
  const blob = await repo.objects.read(`${target.tip}:${path}`)
  return blob?.type === 'blob' ? { path, marks: parseLedger(blob.bytes) } : null
}

/** A branch that came back under another name carries the ledger and the report of the run that its commits name. */
async function filesOfNamedRun(repo: Repo, target: ReviewTarget, base: string | null) {
  const run = await runIdOf(repo, target.run, base, target.tip)
  return Promise.all([readLedger(repo, { ...target, run }), readReport(repo, { ...target, run })])
}

async function readReport(repo: Repo, target: ReviewTarget): Promise<string | null> {
  const path = reportPath(target.run)
  return (await repo.objects.read(`${target.tip}:${path}`))?.type === 'blob' ? path : null
}
