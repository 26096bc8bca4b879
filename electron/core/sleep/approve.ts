import type { ApproveOutcome, Refusal } from '../../../shared/model/index.ts'
import type { CoreContext } from '../context.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { LOCAL } from '../git/refs.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { requireObjects } from '../git/requireObjects.ts'
import { touchedPaths } from '../git/touched.ts'
import { readBranchFacts } from '../inbox/facts.ts'
import { followUp } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { keptRef, NO_FOLLOW, type Plan, undoRef } from '../operations/plan.ts'
import { recover } from '../operations/recover.ts'
import type { RunningOperation } from '../operations/running.ts'
import { ROUNDS } from '../operations/verb.ts'
import { writeGateRun } from '../store/gateRuns.ts'
import { unfinishedOperations } from '../store/operations.ts'
import { requireSoundConfig } from '../usecases/settings.ts'
import { type Approvable, type ApproveInput, advancedBy, NO_MARKS } from './approvable.ts'
import { runGate } from './gate.ts'
import { type Landing, landingOf } from './landing.ts'
import { lookAt } from './look.ts'
import { alreadyMerged } from './merged.ts'
import { mergeMainIn } from './mergeMainIn.ts'
import { checkPlaces, placesOf, whatMayNotRun } from './places.ts'
import { runIdOf } from './runId.ts'
import { holdersSignature } from './situation.ts'

const no = (refusal: Refusal): ApproveOutcome => ({ approved: false, refusal })

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
    const found = await withMain(operation, looked.found, input)
    if ('refusal' in found) return no(found.refusal)
    operation.fault('looked')
    const prepared = await prepareApproval(core, operation, found, input)
    if ('refusal' in prepared) {
      const { refusal } = prepared
      if (refusal.refusal === 'dirty-tree' && round < ROUNDS && (await wasBetween(operation, found))) continue
      return no(refusal)
    }
    const result = await carryOut(operation, found, prepared, round)
    if (result !== null) return result
    if (round === ROUNDS) return no(await movedMeanwhile(operation, input.branch))
  }
}

/**
 * Where wanted and where trunk has moved on: the same night on top of a merge with trunk. Only for an advance that
 * touches nothing of the night; what overlaps is for a person to look at, after Bring main in.
 */
async function withMain(
  operation: RunningOperation,
  found: Approvable,
  input: ApproveInput,
): Promise<Approvable | { readonly refusal: Refusal }> {
  const { situation, run, facts } = found
  if (!input.bringMainIn || facts.base === situation.trunk.oid) return found
  if (facts.overlap.length > 0 || facts.base === null) return { refusal: await advancedBy(found) }
  const merged = await mergeMainIn(operation, found)
  if ('refusal' in merged) return merged
  return {
    situation,
    branchAt: run.tip,
    run: { ...run, tip: merged.commit },
    facts: await readBranchFacts(operation.repo.git, merged.commit, situation.trunk.oid),
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
  const landing = await landingOf(operation, found, input)
  if ('refusal' in landing) return landing
  const places = placesOf(situation, input.branch, found.branchAt, landing.to)
  if ('refusal' in places) return places
  const untrusted = await whatMayNotRun(core, operation, situation, places.trees)
  // With its filter out of force a file reads as changed, so that nothing can be told of it before.
  if (untrusted?.items.some((item) => item.kind === 'filter')) return { refusal: untrusted }
  await requireObjects(operation.git, await touchedPaths(operation.git, trunk.oid, landing.to))
  const dirty = await checkPlaces({ git: operation.git, situation, facts, tip: run.tip }, places.trees)
  if (dirty) return { refusal: dirty }
  if (facts.base !== trunk.oid) return { refusal: await advancedBy(found) }
  if (untrusted) return { refusal: untrusted }
  const failed = await passGate(operation, found, landing)
  if (failed) return { refusal: failed }
  const keep = situation.settings.keepBranch
  const ref = LOCAL + input.branch
  return {
    landing,
    plan: {
      refs: [
        { ref: trunk.ref, old: trunk.oid, new: landing.to },
        // With main brought in a branch that is kept goes along; one that goes away need not.
        { ref, old: found.branchAt, new: keep ? run.tip : found.branchAt },
        { ref: undoRef(operation.id), old: null, new: trunk.oid },
        ...(keep ? [] : [{ ref: keptRef(operation.id), old: null, new: found.branchAt }]),
      ],
      trees: places.trees,
      heads: places.heads,
      ...situation.home,
      trusted: operation.trusted,
      follow: {
        ...NO_FOLLOW,
        marks: {
          run: await runIdOf(repo, input.branch, facts.base, run.tip),
          commit: landing.to,
          held: landing.held,
        },
        run: { runId: input.branch, status: 'merged', headSha: landing.to },
        removeBranch: keep ? null : { ref, oid: found.branchAt },
        declined: landing.declined,
      },
      facts: {
        tip: keep ? run.tip : found.branchAt,
        base: facts.base,
        commits: facts.commits,
        files: facts.items.length - landing.leftOutItems,
        leftOut: landing.leftOut,
        stale: landing.stale,
      },
    },
  }
}

/**
 * Runs the gate where there is one, and keeps how it ended for this very landing: for a try that is refused after it, and
 * for a night that comes back by Undo. A gate that was cancelled says nothing.
 */
async function passGate(operation: RunningOperation, found: Approvable, landing: Landing): Promise<Refusal | null> {
  const { situation, run } = found
  const { gate } = situation.settings
  if (!gate) return null
  const failed = await runGate(operation, gate, landing.to)
  if (failed?.refusal === 'gate-failed' && failed.reason === 'cancelled') return failed
  const what = {
    branch: operation.branch,
    tip: run.tip,
    base: situation.trunk.oid,
    leftOut: landing.leftOut,
    command: gate.run,
  }
  writeGateRun(operation.repo.state, what, failed === null, operation.ports.clock().toISOString())
  return failed
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
    config: situation.config,
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

/**
 * The first look at the files is without locks: what it took for local changes may have been the middle of somebody
 * else's act. True where one is under way, which is waited for, or where a ref has moved since.
 */
async function wasBetween(operation: RunningOperation, found: Approvable): Promise<boolean> {
  const { repo, ports, branch } = operation
  if (unfinishedOperations(repo.state).length > 0) {
    await recover(repo, ports, async () => operation.trusted)
    return true
  }
  const { trunk } = found.situation
  const now = await readRefsNow(repo.git, [trunk.ref, LOCAL + branch])
  return now.get(trunk.ref) !== trunk.oid || now.get(LOCAL + branch) !== found.branchAt
}

/** After too many rounds: what stands in the way is that trunk keeps moving. */
async function movedMeanwhile(operation: RunningOperation, branch: string): Promise<Refusal> {
  const looked = await lookAt(operation, { branch })
  if (looked.kind === 'no') return looked.refusal
  if (looked.kind === 'merged') return { refusal: 'branch-gone', branch, merged: true }
  return advancedBy(looked.found)
}
