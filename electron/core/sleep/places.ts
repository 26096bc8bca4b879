import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Refusal } from '../../../shared/model/index.ts'
import type { CoreContext } from '../context.ts'
import type { Git } from '../git/process.ts'
import { LOCAL } from '../git/refs.ts'
import { type TouchedPath, touchedPaths } from '../git/touched.ts'
import { heldElsewhere } from '../inbox/blockers.ts'
import { type BranchFacts, overlapOf } from '../inbox/facts.ts'
import { checkTrees } from '../operations/checks.ts'
import { filtersOn } from '../operations/filters.ts'
import type { HeadMove, TreeMove } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { readTrust } from '../usecases/trust.ts'
import { type Situation, usableHolders } from './situation.ts'

interface PlacesToCheck {
  readonly git: Git
  readonly situation: Situation
  readonly facts: BranchFacts
  readonly tip: string
}

/** Whether the worktrees can follow. Local changes are told whatever becomes of an advance of trunk. */
export async function checkPlaces(what: PlacesToCheck, trees: readonly TreeMove[]): Promise<Refusal | null> {
  const { git, situation, facts } = what
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-check-'))
  try {
    const advanced = facts.base !== null && facts.base !== situation.trunk.oid
    const only = advanced ? { only: await touchedSince(git, facts.base as string, situation.trunk.oid, what.tip) } : {}
    return (await checkTrees({ git, folder, ignoreCase: situation.ignoreCase, ...only }, trees)).refusal
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * What the night touched since `base`, with what trunk has there now, and files of trunk that stand in the place of a
 * folder of the night or the other way round: what trunk has itself is nobody's local change.
 */
async function touchedSince(git: Git, base: string, trunk: string, tip: string): Promise<TouchedPath[]> {
  const [touched, apart] = await Promise.all([touchedPaths(git, base, tip), touchedPaths(git, trunk, tip)])
  const now = new Map(apart.map((one) => [one.path, one]))
  const paths = touched.map((one) => one.path)
  const known = new Set(paths)
  const gone = apart.filter((one) => one.new === null && !known.has(one.path)).map((one) => one.path)
  const more = overlapOf(gone, paths).flatMap((path) => now.get(path) ?? [])
  return [...touched.map((one) => now.get(one.path) ?? { ...one, old: one.new }), ...more]
}

/** What of the repository's own would have to run and was not accepted: its gate, filters on what is written out. */
export async function whatMayNotRun(
  core: CoreContext,
  operation: Pick<RunningOperation, 'repo' | 'trusted'>,
  situation: Situation,
  trees: readonly TreeMove[],
): Promise<Extract<Refusal, { refusal: 'not-trusted' }> | null> {
  if (operation.trusted) return null
  const { repo } = operation
  const { config, settings } = situation
  const gates = settings.gate ? (await readTrust(core, repo)).items.filter((item) => item.kind === 'gate') : []
  const items = [...gates, ...(await filtersOn(repo.git, config, trees)).items]
  return items.length > 0 ? { refusal: 'not-trusted', items } : null
}

/** The worktrees that the move concerns: those that hold trunk follow it, one that holds the branch goes over to trunk. */
export function placesOf(
  situation: Situation,
  branch: string,
  tip: string,
  to: string,
): { readonly trees: TreeMove[]; readonly heads: HeadMove[] } | { readonly refusal: Refusal } {
  const { checkouts, trunk, settings } = situation
  const onTrunk = usableHolders(checkouts, trunk.branch)
  if (onTrunk.refusal) return onTrunk
  const trees: TreeMove[] = onTrunk.holders.map((one) => ({
    worktree: one.path,
    gitDir: one.gitDir,
    from: trunk.oid,
    to,
    guard: null,
  }))
  const used = heldElsewhere(checkouts, branch, trunk.branch)
  if (used && !settings.keepBranch) return { refusal: { refusal: 'branch-in-use', branch, worktree: used.path } }
  if (used) return { trees, heads: [] }
  const onBranch = usableHolders(checkouts, branch)
  if (onBranch.refusal) return onBranch
  const heads: HeadMove[] = []
  for (const one of onBranch.holders) {
    trees.push({ worktree: one.path, gitDir: one.gitDir, from: tip, to, guard: trunk.oid })
    heads.push({ worktree: one.path, gitDir: one.gitDir, fromRef: LOCAL + branch, to: { ref: trunk.ref } })
  }
  return { trees, heads }
}
