import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictItem, ConflictSet, ConflictSource, ConflictStage } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { type Checkout, readCheckouts } from '../../git/checkouts.ts'
import { ongoingOperation } from '../../git/operationState.ts'
import type { Git } from '../../git/process.ts'
import type { RefSnapshot } from '../../git/refs.ts'
import { notMergedByLine, objectsAt, readEntries, readResolveUndo, readUnmerged } from '../../git/unmerged.ts'
import { linksTo } from '../../sleep/linking.ts'
import { pathsTakenAway, withDeadLinks } from '../deadLinks.ts'
import type { ConflictProvider } from '../provider.ts'
import { resolvedHere } from '../settle/reopen.ts'
import { openIn } from '../text/lineConflicts.ts'
import { sourceKey } from '../text/sides.ts'
import { readBlobs } from './content.ts'
import { type Group, groupStages } from './group.ts'
import { itemOf } from './item.ts'
import { withRerere } from './rerere.ts'
import { readStopped, type Stopped } from './stopped.ts'
import { ables, nameSides } from './who.ts'

/** What git left in the working trees: linked ones, and those of a bare repository, as well. */
export const worktreeProvider: ConflictProvider = {
  async list(repo) {
    const { checkouts, refs } = await lookAround(repo)
    const sets = await Promise.all(checkouts.map((one) => setOf(repo, one, refs)))
    return sets.flatMap((one) => one ?? [])
  },
  async find(repo, source) {
    if (source.from !== 'worktree') return null
    const { checkouts, refs } = await lookAround(repo)
    const found = checkouts.find((one) => one.path === source.worktree)
    return found ? setOf(repo, found, refs) : null
  },
  async blob(repo, _source, oid) {
    const object = await repo.objects.read(oid)
    return object?.type === 'blob' ? object.bytes : null
  },
}

/**
 * Files outside the repository's own folder are not looked at. What was configured since the last look is taken out of
 * force first: telling what git wrote from what was edited asks for its conversions.
 */
async function lookAround(repo: RepositoryContext) {
  const { config, snapshot } = await repo.look()
  const all = await readCheckouts(repo.git, repo.repository, config)
  const checkouts = all.filter((one) => !one.missing && one.gitDir !== null && one.outside === null)
  return { checkouts, refs: snapshot.refs }
}

interface Place {
  readonly repo: RepositoryContext
  readonly git: Git
  readonly gitDir: string
  readonly source: ConflictSource
}

async function setOf(
  repo: RepositoryContext,
  checkout: Checkout,
  refs: RefSnapshot['refs'],
): Promise<ConflictSet | null> {
  const gitDir = checkout.gitDir as string
  // Of a branch without a commit git prints zeros.
  const head = checkout.head === null || /^0+$/.test(checkout.head) ? null : checkout.head
  const place: Place = {
    repo,
    git: repo.git.at(checkout.path),
    gitDir,
    source: { from: 'worktree', worktree: checkout.path },
  }
  const unmerged = await readUnmerged(place.git)
  const stashes = existsSync(join(repo.repository.commonDir, 'logs', 'refs', 'stash'))
  if (unmerged.length === 0 && ongoingOperation(gitDir) === null && !stashes) return null
  const remembered = await readResolveUndo(place.git)
  if (unmerged.length + remembered.length === 0 && ongoingOperation(gitDir) === null) return null
  const told = unmerged.length > 0 ? unmerged : remembered
  const stopped = await readStopped({ repo, git: place.git, gitDir, branch: checkout.branch, head }, told)
  const resolved = await resolvedNow(place.git, remembered, unmerged, stopped)
  const plans = await resolvedHere(repo, { reading: place.git, gitDir })
  const done = plans.flatMap((one) => one.plan.item ?? [])
  if (unmerged.length === 0 && resolved.length + done.length === 0) return null
  if (unmerged.length === 0 && stopped.operation === 'unmerged-index') return null
  const named = await nameSides(repo, gitDir, stopped, refs)
  const here = done.flatMap((one) => one.stages)
  const known = new Set([...unmerged, ...resolved].map((one) => one.path))
  const stages = [...unmerged, ...resolved, ...here.filter((one) => !known.has(one.path))]
  const found = await itemsOf(place, stages, unmerged, stopped, named)
  const items = withResolved(found, done, new Set(unmerged.map((one) => one.path)))
  const open = items.filter((one) => one.state !== 'resolved').length
  return {
    source: place.source,
    operation: stopped.operation,
    ...named,
    items,
    step: stopped.step,
    ...ables(stopped.operation, open, stopped.trees.ours === null),
  }
}

/**
 * What was resolved here is told as it was then: the index forgets what a folder held, and that there was one. What the
 * index remembers beside it without a conflict, a file that a merge put there and nothing else, is left out.
 */
function withResolved(
  found: readonly ConflictItem[],
  done: readonly ConflictItem[],
  unmerged: ReadonlySet<string>,
): ConflictItem[] {
  const told = new Map(
    done
      .filter((one) => !one.stages.some(({ path }) => unmerged.has(path)))
      .map((one): [string, ConflictItem] => [one.id, { ...one, state: 'resolved', left: 0 }]),
  )
  const now = found.map((one) => (one.state === 'resolved' ? (told.get(one.id) ?? one) : one))
  const known = new Set(now.map((one) => one.id))
  const rest = [...told.values()].filter((one) => !known.has(one.id))
  const real = now.filter((one) => told.has(one.id) || one.state !== 'resolved' || !isPlainAddition(one))
  return rest.length === 0 ? real : [...real, ...rest].sort((a, b) => (a.path < b.path ? -1 : 1))
}

const isPlainAddition = ({ stages, kind }: ConflictItem) =>
  kind === 'rename-delete' && stages.length === 1 && stages[0]?.stage !== 1

/**
 * Of what the index remembers as resolved, what belongs to this operation: its stages are what the sides have. The index
 * remembers earlier ones too, a commit does not make it forget.
 */
async function resolvedNow(
  git: Git,
  remembered: readonly ConflictStage[],
  unmerged: readonly ConflictStage[],
  { trees }: Stopped,
): Promise<ConflictStage[]> {
  const open = new Set(unmerged.map((one) => one.path))
  const rest = remembered.filter((one) => !open.has(one.path))
  const paths = [...new Set(rest.map((one) => one.path))]
  const at = async (tree: string | null) => (tree === null ? new Map() : objectsAt(git, tree, paths))
  const [ours, theirs] = await Promise.all([at(trees.ours), at(trees.theirs)])
  const others = new Set<string>()
  for (const { path, stage, oid } of rest) {
    const there: { oid: string } | undefined = stage === 2 ? ours.get(path) : stage === 3 ? theirs.get(path) : undefined
    // Of a file with two names git has put its own merge into both stages.
    const merged = rest.some((one) => one.oid === oid && one.path !== path && one.stage === 5 - stage)
    if (there !== undefined && there.oid !== oid && !merged) others.add(path)
  }
  return rest.filter((one) => !others.has(one.path))
}

async function itemsOf(
  place: Place,
  stages: readonly ConflictStage[],
  unmerged: readonly ConflictStage[],
  { trees }: Stopped,
  who: Pick<ConflictSet, 'ours' | 'theirs'>,
): Promise<ConflictItem[]> {
  const { git, repo, source } = place
  const groups = await groupStages(git, stages, trees)
  const renamed = groups.filter((one) => one.shape.is.startsWith('renamed')).flatMap((one) => one.stages)
  const [ours, theirs, bySide, folders] = await Promise.all([
    own(git, trees.ours, renamed, 2),
    own(git, trees.theirs, renamed, 3),
    notMergedByLine(git, [...new Set(groups.map((one) => one.path))]),
    foldersAt(git, groups),
  ])
  const extra = [...ours.values(), ...theirs.values()].map((oid) => ({ mode: '100644', oid }))
  const blobs = await readBlobs(git, [...stages, ...extra])
  const open = new Set(unmerged.map((one) => one.path))
  const items = groups.map((group): ConflictItem => {
    const folder = folders.get(group.path) ?? []
    const facts = { place: sourceKey(repo, source), group, ...who, blobs, own: { ours, theirs } }
    const item = itemOf({ ...facts, bySide: bySide.has(group.path), folder, unmerged: open })
    const left = openIn(repo, source, item)
    return { ...item, left, state: item.state === 'open' && left === 0 ? 'decided' : item.state }
  })
  const linking = await linksTo(git, 'index', pathsTakenAway(items.filter((one) => one.state !== 'resolved')))
  const told = withDeadLinks(items, linking)
  return withRerere({ git, gitDir: place.gitDir, commonDir: repo.repository.commonDir }, told)
}

/** Path → blob that a side's own commit has there, for the paths of one stage. */
async function own(
  git: Git,
  tree: string | null,
  stages: readonly ConflictStage[],
  stage: 2 | 3,
): Promise<Map<string, string>> {
  const paths = stages.filter((one) => one.stage === stage).map((one) => one.path)
  const found = tree === null ? new Map() : await objectsAt(git, tree, paths)
  return new Map([...found].flatMap(([path, { oid, type }]) => (type === 'blob' ? [[path, oid]] : [])))
}

/** More files than these are not put into a choice. */
const MOST_FILES = 2000

/** The merged entries below the paths at which only one side has a file. */
async function foldersAt(git: Git, groups: readonly Group[]) {
  const single = groups.filter(
    ({ stages }) => !(stages.some((one) => one.stage === 2) && stages.some((one) => one.stage === 3)),
  )
  const paths = single.map((one) => one.path)
  const entries = await readEntries(git, paths)
  return new Map(
    paths.map((path) => [path, entries.filter((one) => one.path.startsWith(`${path}/`)).slice(0, MOST_FILES)]),
  )
}
