import type { ConflictStage } from '../../../../shared/model/index.ts'
import { encodePath } from '../../git/bytes.ts'
import type { Git } from '../../git/process.ts'
import { objectsAt } from '../../git/unmerged.ts'
import { movedAlong } from './movedAlong.ts'
import { type Origins, originsOf } from './origins.ts'
import { has, isLone, NO_RENAMES, type Renames, renames } from './renames.ts'
import type { Stopped } from './stopped.ts'

/** What the paths of one conflict are to each other. */
export type Shape =
  | { readonly is: 'one' }
  /** One file, two new names. */
  | { readonly is: 'renamed-apart'; readonly from: string; readonly ours: string; readonly theirs: string }
  /** Two files, one name. `ours`, `theirs`: their old names; null where that side created the file. */
  | { readonly is: 'renamed-together'; readonly ours: string | null; readonly theirs: string | null }
  /** One side renamed it, the other deleted it. `from` null where the old name is not known. */
  | { readonly is: 'renamed-deleted'; readonly from: string | null }
  /** One side put it into a folder that the other renamed, under the name `from`: git moved it along. */
  | { readonly is: 'moved-along'; readonly from: string }
  /** Something else stands at the path: git put this side's file beside it, at `beside`, or knows no place for it. */
  | { readonly is: 'in-the-way'; readonly beside: string | null }

/** The stages that belong to one conflict. */
export interface Group {
  /** The path it is about. */
  readonly path: string
  readonly stages: readonly ConflictStage[]
  readonly shape: Shape
}

/**
 * Puts the unmerged paths that are one conflict together, in the order of the index. The same stages give the same groups,
 * in whatever order they are told: what is resolved meanwhile is told as well.
 */
export async function groupStages(
  git: Git,
  stages: readonly ConflictStage[],
  trees: Stopped['trees'],
): Promise<Group[]> {
  const byPath = new Map<string, ConflictStage[]>()
  for (const stage of inOrder(stages)) byPath.set(stage.path, [...(byPath.get(stage.path) ?? []), stage])
  const whole = (path: string) => byPath.get(path)?.length === 3
  const odd = [...byPath.keys()].filter((path) => !whole(path))
  const [ours, theirs, moved] =
    odd.length === 0
      ? [NO_RENAMES, NO_RENAMES, new Map<string, string>()]
      : await Promise.all([
          renames(git, trees.base, trees.ours),
          renames(git, trees.base, trees.theirs),
          movedAside(git, byPath, trees),
        ])
  const groups: Group[] = []
  const done = new Set<string>()
  const put = (path: string, paths: readonly string[], shape: Shape) => {
    for (const one of paths) done.add(one)
    groups.push({ path, stages: paths.flatMap((one) => byPath.get(one) ?? []), shape })
  }

  const origins = await originsOf(git, byPath, moved, ours, theirs)
  // What git moved aside, and what stands in its place, is no new name of a file.
  const aside = [...moved].flat()
  for (const [path, at] of byPath) {
    if (!isLone(at, 1)) continue
    const pair = renamedApart(path, byPath, ours, theirs, origins, new Set([...done, ...aside]))
    if (pair) put(pair.ours, [path, pair.ours, pair.theirs], { is: 'renamed-apart', from: path, ...pair })
  }
  for (const [beside, path] of moved) {
    if (done.has(beside)) continue
    const together = byPath.has(path) && !done.has(path) ? [path, beside] : [beside]
    put(path, together, { is: 'in-the-way', beside })
  }
  for (const [path, old] of [...origins.ours, ...origins.theirs]) {
    if (done.has(path) || done.has(old)) continue
    const at = byPath.get(path) ?? []
    if (!has(at, 2) || !has(at, 3)) {
      if (isLone(byPath.get(old) ?? [], 1)) put(path, [path, old], { is: 'renamed-deleted', from: old })
    } else {
      const from = { ours: origins.ours.get(path) ?? null, theirs: origins.theirs.get(path) ?? null }
      put(path, [path, ...new Set([from.ours, from.theirs].flatMap((one) => one ?? []))], {
        is: 'renamed-together',
        ...from,
      })
    }
  }
  const along = await movedAlong(
    git,
    [...byPath].filter(([path]) => !done.has(path)),
    ours,
    theirs,
    trees,
  )
  for (const [path, at] of byPath) {
    if (done.has(path)) continue
    const from = along.get(path)
    put(path, [path], from === undefined ? shapeOf(path, at, ours, theirs) : { is: 'moved-along', from })
  }
  return groups.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

const inOrder = (stages: readonly ConflictStage[]) =>
  [...stages].sort((a, b) => Buffer.compare(encodePath(a.path), encodePath(b.path)) || a.stage - b.stage)

function shapeOf(path: string, at: readonly ConflictStage[], ours: Renames, theirs: Renames): Shape {
  if (at.length === 3) return { is: 'one' }
  const [from, other] = [ours.from.get(path) ?? null, theirs.from.get(path) ?? null]
  if (has(at, 2) && has(at, 3)) {
    return from === null && other === null ? { is: 'one' } : { is: 'renamed-together', ours: from, theirs: other }
  }
  const source = has(at, 2) ? from : other
  if (has(at, 1)) return source === null ? { is: 'one' } : { is: 'renamed-deleted', from: source }
  return source === null ? { is: 'in-the-way', beside: null } : { is: 'renamed-deleted', from: source }
}

/** The two names that one file got: by the renames of both sides, else the only two, or the two alike, that are left. */
function renamedApart(
  path: string,
  byPath: ReadonlyMap<string, readonly ConflictStage[]>,
  ours: Renames,
  theirs: Renames,
  origins: Origins,
  taken: ReadonlySet<string>,
): { ours: string; theirs: string } | null {
  const lone = (stage: 2 | 3, { from }: Renames) =>
    [...byPath].flatMap(([name, at]) =>
      isLone(at, stage) && !taken.has(name) && (from.get(name) ?? path) === path ? at : [],
    )
  const [two, three] = [lone(2, ours), lone(3, theirs)]
  const [a, b] = [ours.to.get(path), theirs.to.get(path)]
  if (a !== undefined && b !== undefined && two.some((one) => one.path === a) && three.some((one) => one.path === b))
    return { ours: a, theirs: b }
  const mine = two.find((one) => origins.ours.get(one.path) === path)
  const other = three.find((one) => origins.theirs.get(one.path) === path)
  if (mine && other) return { ours: mine.path, theirs: other.path }
  for (const one of two) {
    const alike = three.find((other) => other.oid === one.oid && other.path !== one.path)
    if (alike) return { ours: one.path, theirs: alike.path }
  }
  const alone = [...byPath.values()].filter((at) => at.length === 1 && at[0]?.stage === 1).length === 1
  const [first, second] = [two[0], three[0]]
  return alone && first && second && two.length === 1 && three.length === 1
    ? { ours: first.path, theirs: second.path }
    : null
}

/**
 * Files that git's merge moved out of the way of something else of the same name, as `path~side`: names that the
 * side itself does not have, while it has what stands before the `~`. → the path they are about.
 */
async function movedAside(
  git: Git,
  byPath: ReadonlyMap<string, readonly ConflictStage[]>,
  trees: Stopped['trees'],
): Promise<Map<string, string>> {
  const candidates = [...byPath].flatMap(([path, at]) => {
    const side = has(at, 2) && !has(at, 3) ? trees.ours : has(at, 3) && !has(at, 2) ? trees.theirs : null
    return side === null
      ? []
      : [...path.matchAll(/~/g)].map((tilde) => ({ path, side, of: path.slice(0, tilde.index) }))
  })
  const moved = new Map<string, string>()
  for (const side of new Set(candidates.map((one) => one.side))) {
    const mine = candidates.filter((one) => one.side === side)
    const there = await objectsAt(git, side, [...new Set(mine.flatMap((one) => [one.path, one.of]))])
    for (const { path, of } of mine) if (!there.has(path) && there.get(of)?.type === 'blob') moved.set(path, of)
  }
  return moved
}
