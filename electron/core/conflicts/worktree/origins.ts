import type { ConflictStage } from '../../../../shared/model/index.ts'
import type { Git } from '../../git/process.ts'
import { readBlobs } from './content.ts'
import type { Renames } from './renames.ts'
import { pairByContent } from './similar.ts'

/** New path → old path by side, where the old one is unmerged too: the names that the recursive strategy leaves apart. */
export interface Origins {
  readonly ours: ReadonlyMap<string, string>
  readonly theirs: ReadonlyMap<string, string>
}

/** The old names that are unmerged beside the new ones: by the renames of the sides, else by what the files hold. */
export async function originsOf(
  git: Git,
  byPath: ReadonlyMap<string, readonly ConflictStage[]>,
  moved: ReadonlyMap<string, string>,
  ours: Renames,
  theirs: Renames,
): Promise<Origins> {
  const found = { ours: new Map<string, string>(), theirs: new Map<string, string>() }
  for (const [side, stage, other, known] of [
    ['ours', 2, 3, ours],
    ['theirs', 3, 2, theirs],
  ] as const) {
    const at = (path: string, of: 1 | 2 | 3) => byPath.get(path)?.find((one) => one.stage === of)
    // An old name is left alone, or with what the other side did not change in it.
    const olds = [...byPath].flatMap(([, one]) => {
      const [base, kept] = [one.find((it) => it.stage === 1), one.find((it) => it.stage === other)]
      return base && one.every((it) => it.stage === 1 || it.stage === other) && (!kept || kept.oid === base.oid)
        ? [base]
        : []
    })
    const news = [...byPath.keys()].flatMap((path) => (moved.has(path) || at(path, 1) ? [] : (at(path, stage) ?? [])))
    const told = news.flatMap((one) => {
      const from = known.from.get(one.path)
      return from !== undefined && olds.some((old) => old.path === from) ? [[one.path, from] as const] : []
    })
    const [newNames, oldNames] = [new Set(told.map(([path]) => path)), new Set(told.map(([, from]) => from))]
    const restOlds = olds.filter((one) => !oldNames.has(one.path))
    const restNews = news.filter((one) => !newNames.has(one.path) && !known.from.has(one.path))
    const blobs =
      restOlds.length === 0 || restNews.length === 0 ? new Map() : await readBlobs(git, [...restOlds, ...restNews])
    const alike = pairByContent(restOlds, restNews, (oid) => blobs.get(oid)?.bytes ?? null)
    for (const [path, from] of [...told, ...alike]) found[side].set(path, from)
  }
  return found
}
