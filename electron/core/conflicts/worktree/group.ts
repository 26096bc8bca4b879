import type { ConflictStage } from '../../../../shared/model/index.ts'
import { diffTrees } from '../../git/diffTree.ts'
import type { Git } from '../../git/process.ts'
import { objectsAt } from '../../git/unmerged.ts'
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
  /** Something else stands at the path: git put this side's file beside it, at `beside`, or knows no place for it. */
  | { readonly is: 'in-the-way'; readonly beside: string | null }

/** The stages that belong to one conflict. */
export interface Group {
  /** The path it is about. */
  readonly path: string
  readonly stages: readonly ConflictStage[]
  readonly shape: Shape
}

interface Renames {
  /** Old name → new name, and back. */
  readonly to: ReadonlyMap<string, string>
  readonly from: ReadonlyMap<string, string>
}

const NO_RENAMES: Renames = { to: new Map(), from: new Map() }

/** Puts the unmerged paths that are one conflict together, in the order of the index. */
export async function groupStages(
  git: Git,
  stages: readonly ConflictStage[],
  trees: Stopped['trees'],
): Promise<Group[]> {
  const byPath = new Map<string, ConflictStage[]>()
  for (const stage of stages) byPath.set(stage.path, [...(byPath.get(stage.path) ?? []), stage])
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

  for (const [path, at] of byPath) {
    if (!has(at, 1) || has(at, 2) || has(at, 3)) continue
    const pair = renamedApart(path, byPath, ours, theirs, done)
    if (pair) put(pair.ours, [path, pair.ours, pair.theirs], { is: 'renamed-apart', from: path, ...pair })
  }
  for (const [beside, path] of moved) {
    if (done.has(beside)) continue
    const together = byPath.has(path) && !done.has(path) ? [path, beside] : [beside]
    put(path, together, { is: 'in-the-way', beside })
  }
  for (const [path, at] of byPath) {
    if (done.has(path)) continue
    put(path, [path], shapeOf(path, at, ours, theirs))
  }
  return groups.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))
}

const has = (stages: readonly ConflictStage[], stage: 1 | 2 | 3) => stages.some((one) => one.stage === stage)

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
  done: ReadonlySet<string>,
): { ours: string; theirs: string } | null {
  const lone = (stage: 2 | 3) =>
    [...byPath].flatMap(([name, at]) => (at.length === 1 && at[0]?.stage === stage && !done.has(name) ? at : []))
  const [two, three] = [lone(2), lone(3)]
  const [a, b] = [ours.to.get(path), theirs.to.get(path)]
  if (a !== undefined && b !== undefined && two.some((one) => one.path === a) && three.some((one) => one.path === b))
    return { ours: a, theirs: b }
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

async function renames(git: Git, base: string | null, side: string | null): Promise<Renames> {
  if (base === null || side === null) return NO_RENAMES
  const found = (await diffTrees(git, base, side)).filter((one) => one.status === 'R' && one.fromPath !== null)
  return {
    to: new Map(found.map((one) => [one.fromPath as string, one.path])),
    from: new Map(found.map((one) => [one.path, one.fromPath as string])),
  }
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
