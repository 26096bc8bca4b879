import type { ConflictStage } from '../../../../shared/model/index.ts'
import type { Git } from '../../git/process.ts'
import { objectsAt } from '../../git/unmerged.ts'

/**
 * Whether a commit has the blobs of one stage. Names that a merge made up, or moved, are not looked for; nor the blobs of
 * a file with two names, for both of which git puts its own merge.
 */
export async function holds(
  git: Git,
  commit: string,
  stages: readonly ConflictStage[],
  stage: 1 | 2 | 3,
): Promise<boolean> {
  const wanted = stages.filter((one) => one.stage === stage)
  const there = await objectsAt(
    git,
    commit,
    wanted.map((one) => one.path),
  )
  const found = wanted.flatMap((one) => there.get(one.path) ?? [])
  const merged = (oid: string) => stage !== 1 && stages.some((one) => one.stage === 5 - stage && one.oid === oid)
  const agrees = ({ path, oid }: ConflictStage) => (there.get(path)?.oid ?? oid) === oid || merged(oid)
  return found.length > 0 && wanted.every(agrees)
}
