import type { ConflictStage } from '../../../../shared/model/index.ts'
import { diffTrees } from '../../git/diffTree.ts'
import type { Git } from '../../git/process.ts'

/** What a side renamed. */
export interface Renames {
  /** Old name → new name, and back. */
  readonly to: ReadonlyMap<string, string>
  readonly from: ReadonlyMap<string, string>
}

export const NO_RENAMES: Renames = { to: new Map(), from: new Map() }

export async function renames(git: Git, base: string | null, side: string | null): Promise<Renames> {
  if (base === null || side === null) return NO_RENAMES
  const found = (await diffTrees(git, base, side)).filter((one) => one.status === 'R' && one.fromPath !== null)
  return {
    to: new Map(found.map((one) => [one.fromPath as string, one.path])),
    from: new Map(found.map((one) => [one.path, one.fromPath as string])),
  }
}

/** Whether a path has this stage and no other. */
export const isLone = (at: readonly ConflictStage[], stage: 1 | 2 | 3) => at.length === 1 && has(at, stage)

export const has = (stages: readonly ConflictStage[], stage: 1 | 2 | 3) => stages.some((one) => one.stage === stage)
