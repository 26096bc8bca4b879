import type { ConflictItem, ConflictStage, Who } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { decodePath, splitNul } from '../../git/bytes.ts'
import type { Git } from '../../git/process.ts'
import { objectsAt } from '../../git/unmerged.ts'
import type { MergePreview } from '../../sleep/merge.ts'
import { withDeadLinks } from '../deadLinks.ts'
import { sourceKey } from '../text/sides.ts'
import { type Blob, holdsOf, readBlobs } from '../worktree/content.ts'
import { type Group, groupStages } from '../worktree/group.ts'
import { itemOf } from '../worktree/item.ts'
import type { Entry } from '../worktree/itemFacts.ts'

export interface ItemSetup {
  readonly repo: RepositoryContext
  readonly branch: string
  /** The commits that are merged, and the one that they come from. */
  readonly trees: { readonly base: string | null; readonly ours: string; readonly theirs: string }
  readonly ours: Who
  readonly theirs: Who
  readonly preview: Pick<MergePreview, 'stages' | 'blobs' | 'linking'>
  /** Paths whose attributes say that they are not merged by line. */
  readonly bySide: ReadonlySet<string>
}

/** The conflicts of a merge in memory, described as those that git leaves in a working tree are. All are open. */
export async function itemsOf(setup: ItemSetup): Promise<ConflictItem[]> {
  const { repo, branch, trees, preview, bySide } = setup
  const { git } = repo
  const stages = [...preview.stages].flatMap(([path, all]) => all.map((one): ConflictStage => ({ ...one, path })))
  const groups = await groupStages(git, stages, trees)
  const renamed = groups.filter((one) => one.shape.is.startsWith('renamed')).flatMap((one) => one.stages)
  const [ours, theirs] = await Promise.all([own(git, trees.ours, renamed, 2), own(git, trees.theirs, renamed, 3)])
  const extra = [...ours.values(), ...theirs.values()].map((oid) => ({ mode: '100644', oid }))
  const blobs = new Map<string, Blob>(
    await readBlobs(git, [...stages.filter((one) => !preview.blobs.has(one.oid)), ...extra]),
  )
  for (const [oid, bytes] of preview.blobs) blobs.set(oid, { size: bytes.length, holds: holdsOf(bytes), bytes })
  const unmerged = new Set(preview.stages.keys())
  const place = sourceKey(repo, { from: 'branch', branch })
  const items = await Promise.all(
    groups.map(async (group) => {
      const folder = await folderAt(git, group, trees)
      const who = { ours: setup.ours, theirs: setup.theirs }
      return itemOf({
        place,
        group,
        ...who,
        blobs,
        own: { ours, theirs },
        bySide: bySide.has(group.path),
        folder,
        unmerged,
      })
    }),
  )
  return withDeadLinks(items, preview.linking)
}

/** Path → blob that a side's own commit has there, for the paths of one stage. */
async function own(
  git: Git,
  tree: string,
  stages: readonly ConflictStage[],
  stage: 2 | 3,
): Promise<Map<string, string>> {
  const paths = stages.filter((one) => one.stage === stage).map((one) => one.path)
  const found = await objectsAt(git, tree, paths)
  return new Map([...found].flatMap(([path, { oid, type }]) => (type === 'blob' ? [[path, oid]] : [])))
}

/** The files of a folder that the other side has where one side has a file. */
async function folderAt(git: Git, { path, stages }: Group, trees: ItemSetup['trees']): Promise<Entry[]> {
  const has = (stage: 2 | 3) => stages.some((one) => one.stage === stage)
  if (has(2) === has(3)) return []
  const tree = has(2) ? trees.theirs : trees.ours
  if ((await objectsAt(git, tree, [path])).get(path)?.type !== 'tree') return []
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree, '--', path])
  return splitNul(stdout).map((row) => {
    const tab = row.indexOf(9)
    const [mode = '', , oid = ''] = row.toString('latin1', 0, tab).split(' ')
    return { path: decodePath(row.subarray(tab + 1)), mode, oid }
  })
}
