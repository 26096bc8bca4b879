import type { ConflictStage } from '../../../../shared/model/index.ts'
import { diffTrees } from '../../git/diffTree.ts'
import type { Git } from '../../git/process.ts'
import { objectsAt } from '../../git/unmerged.ts'
import { isLone, type Renames } from './renames.ts'
import type { Stopped } from './stopped.ts'

/** Files of one side alone that it has under another name: git put them into the folder to which the other side renamed theirs. */
export async function movedAlong(
  git: Git,
  rest: readonly (readonly [string, readonly ConflictStage[]])[],
  ours: Renames,
  theirs: Renames,
  trees: Stopped['trees'],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [stage, tree, other] of [
    [2, trees.ours, theirs],
    [3, trees.theirs, ours],
  ] as const) {
    const lone = rest.flatMap(([, at]) => (isLone(at, stage) ? at : []))
    if (lone.length === 0 || tree === null || trees.base === null) continue
    const there = await objectsAt(
      git,
      tree,
      lone.map((one) => one.path),
    )
    const strays = lone.filter((one) => !there.has(one.path))
    if (strays.length === 0) continue
    const added = (await diffTrees(git, trees.base, tree)).filter((one) => one.status === 'A')
    for (const { path, oid } of strays) {
      const from = added.find((one) => one.newOid === oid && folderRename(one.path, path, other))
      if (from) found.set(path, from.path)
    }
  }
  return found
}

/** Whether a side renamed files from the folder of the first path to that of the second. */
function folderRename(from: string, to: string, { to: renamed }: Renames): boolean {
  const [before, after] = foldersOf(from, to)
  return [...renamed].some(([old, now]) => old.startsWith(before) && now.startsWith(after))
}

/** The folders, with their slashes, in which two paths with the same end differ. */
export function foldersOf(from: string, to: string): readonly [before: string, after: string] {
  const [a, b] = [from.split('/'), to.split('/')]
  while (a.length > 0 && b.length > 0 && a.at(-1) === b.at(-1)) {
    a.pop()
    b.pop()
  }
  const folder = (parts: readonly string[]) => (parts.length === 0 ? '' : `${parts.join('/')}/`)
  return [folder(a), folder(b)]
}
