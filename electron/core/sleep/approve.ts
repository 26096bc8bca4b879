import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import type { ApproveOutcome, Refusal } from '../../../shared/model/index.ts'
import type { CoreContext } from '../context.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { LOCAL } from '../git/refs.ts'
import { touchedPaths } from '../git/touched.ts'
import { heldElsewhere } from '../inbox/blockers.ts'
import { readBranchFacts } from '../inbox/facts.ts'
import { checkTrees } from '../operations/checks.ts'
import { followUp } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { type HeadMove, keptRef, NO_FOLLOW, type Plan, type TreeMove, undoRef } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { ROUNDS } from '../operations/verb.ts'
import { requireSoundConfig } from '../usecases/settings.ts'
import { localFiltersOn } from '../usecases/trust.ts'
import { type Approvable, type ApproveInput, NO_MARKS } from './approvable.ts'
import { type Landing, landingOf } from './landing.ts'
import { alreadyMerged } from './merged.ts'
import { runIdOf } from './runId.ts'
import { type RunState, readRunState } from './runState.ts'
import { holdersSignature, readSituation, type Situation, usableHolders } from './situation.ts'

const no = (refusal: Refusal): ApproveOutcome => ({ approved: false, refusal })

export type Looked =
  | { readonly kind: 'approvable'; readonly found: Approvable }
  | { readonly kind: 'merged'; readonly situation: Situation; readonly run: Extract<RunState, { state: 'merged' }> }
  | { readonly kind: 'no'; readonly refusal: Refusal }

/** Looks at a run without changing anything. Errors: ERR_NO_TRUNK, ERR_NO_SUCH_BRANCH (another tip than reviewed). */
export async function lookAt(
  operation: Pick<RunningOperation, 'repo'>,
  input: Pick<ApproveInput, 'branch' | 'tip'>,
): Promise<Looked> {
  const situation = await readSituation(operation.repo)
  const run = await readRunState(situation, input.branch)
  if (run.state === 'no') return { kind: 'no', refusal: run.refusal }
  if (run.state === 'merged') return { kind: 'merged', situation, run }
  if (run.state === 'empty') return { kind: 'no', refusal: { refusal: 'empty-run', branch: input.branch } }
  if (input.tip !== undefined && input.tip !== run.tip)
    throw new AppError('ERR_NO_SUCH_BRANCH', { branch: `${input.branch} at ${input.tip}` })
  const facts = await readBranchFacts(operation.repo.git, run.tip, situation.trunk.oid)
  return { kind: 'approvable', found: { situation, run, facts } }
}

/** Moves trunk to a sleep branch's tip, applies its marks and removes the branch. Nothing moves on a refusal. */
export async function approve(
  core: CoreContext,
  operation: RunningOperation,
  input: ApproveInput,
): Promise<ApproveOutcome> {
  for (let round = 1; ; round++) {
    const looked = await lookAt(operation, input)
    if (looked.kind === 'no') return no(looked.refusal)
    if (looked.kind === 'merged') return alreadyMerged(operation, looked.situation, looked.run)
    const { found } = looked
    const prepared = await prepareApproval(core, operation, found, input)
    if ('refusal' in prepared) return no(prepared.refusal)
    const result = await carryOut(operation, found, prepared, round)
    if (result !== null) return result
    if (round === ROUNDS) return no(await movedMeanwhile(operation, input.branch))
  }
}

export interface PreparedApproval {
  readonly plan: Plan
  readonly landing: Landing
}

/** All checks and the plan; writes at most new objects, which nothing refers to yet. */
export async function prepareApproval(
  core: CoreContext,
  operation: RunningOperation,
  found: Approvable,
  input: ApproveInput,
): Promise<PreparedApproval | { readonly refusal: Refusal }> {
  const { situation, run, facts } = found
  const { trunk, repo } = situation
  requireSoundConfig(situation.settings)
  const landing = await landingOf(core, operation, found, input)
  if ('refusal' in landing) return landing
  const places = placesOf(situation, input.branch, run.tip, landing.to)
  if ('refusal' in places) return places
  const filters = await localFiltersOn(core, repo, situation.config, [run.tip, trunk.oid], facts.touched)
  if (places.trees.length > 0 && filters.untrusted.length > 0)
    return { refusal: { refusal: 'not-trusted', items: filters.untrusted } }
  operation.filters = filters.paths.size > 0
  const advanced = facts.base !== trunk.oid
  const setup = { git: operation.git, folder: mkdtempSync(join(tmpdir(), 'daybreak-check-')), ignoreCase: situation.ignoreCase }
  // Local changes are told first: whatever becomes of trunk's advance, they will stand in the way.
  const only = advanced && facts.base ? { only: await touchedPaths(operation.git, facts.base, run.tip) } : {}
  const checked = await checkTrees({ ...setup, ...only }, places.trees).finally(() =>
    rmSync(setup.folder, { recursive: true, force: true }),
  )
  if (checked.refusal) return { refusal: checked.refusal }
  if (advanced)
    return {
      refusal: { refusal: 'main-advanced', commits: facts.trunkCommits, overlap: [...facts.overlap], conflicts: null },
    }
  const keep = situation.settings.keepBranch
  const ref = LOCAL + input.branch
  return {
    landing,
    plan: {
      refs: [
        { ref: trunk.ref, old: trunk.oid, new: landing.to },
        { ref, old: run.tip, new: run.tip },
        { ref: undoRef(operation.id), old: null, new: trunk.oid },
        ...(keep ? [] : [{ ref: keptRef(operation.id), old: null, new: run.tip }]),
      ],
      trees: places.trees,
      heads: places.heads,
      store: situation.store,
      follow: {
        ...NO_FOLLOW,
        marks: {
          run: await runIdOf(repo, input.branch, facts.base, run.tip),
          commit: landing.to,
          held: landing.held,
        },
        run: { runId: input.branch, status: 'merged', headSha: landing.to },
        removeBranch: keep ? null : { ref, oid: run.tip },
      },
      facts: {
        tip: run.tip,
        base: facts.base,
        commits: facts.commits,
        files: facts.items.length - landing.leftOutItems,
        leftOut: landing.leftOut,
        stale: landing.stale,
        declined: landing.declined,
      },
    },
  }
}

/** The worktrees that the move concerns: those that hold trunk follow it, one that holds the branch goes over to trunk. */
function placesOf(
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

/** Moves and follows up. null: someone else was faster; look again. */
export async function carryOut(
  operation: RunningOperation,
  found: Approvable,
  prepared: PreparedApproval,
  rounds: number,
): Promise<ApproveOutcome | null> {
  const { situation } = found
  const { repo, ports } = operation
  const { plan, landing } = prepared
  const branches = [situation.trunk.branch, operation.branch]
  const before = holdersSignature(situation.checkouts, branches)
  const moved = await moveByPlan(operation, plan, {
    ignoreCase: situation.ignoreCase,
    stillFits: async () =>
      holdersSignature(await readCheckouts(repo.git, repo.repository, situation.config), branches) === before,
  })
  if (!moved.moved) return moved.refusal ? no(moved.refusal) : null
  const done = await followUp({ repo, ports, git: operation.git, fault: operation.fault }, operation, plan)
  return {
    approved: true,
    operationId: operation.id,
    branch: operation.branch,
    alreadyMerged: false,
    from: situation.trunk.oid,
    to: landing.to,
    commits: found.facts.commits,
    leftOut: [...landing.leftOut],
    stale: [...landing.stale],
    marks: done.marks ?? NO_MARKS,
    branchRemoved: done.branchRemoved,
    rounds,
  }
}

/** After too many rounds: what stands in the way is that trunk keeps moving. */
async function movedMeanwhile(operation: RunningOperation, branch: string): Promise<Refusal> {
  const looked = await lookAt(operation, { branch })
  if (looked.kind === 'no') return looked.refusal
  if (looked.kind === 'merged') return { refusal: 'branch-gone', branch }
  const { facts } = looked.found
  return { refusal: 'main-advanced', commits: facts.trunkCommits, overlap: [...facts.overlap], conflicts: null }
}
