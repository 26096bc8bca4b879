import { AppError } from '../../../shared/errors/index.ts'
import type { MergeBranchOutcome, Refusal } from '../../../shared/model/index.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { withTrailers, writeCommit } from '../git/commit.ts'
import { mergeBase } from '../git/mergeBase.ts'
import { blobsOf } from '../git/mergeTree.ts'
import { LOCAL, resolveCommit } from '../git/refs.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { followUp } from '../operations/followUp.ts'
import { moveByPlan } from '../operations/move.ts'
import { NO_FOLLOW, type Plan, undoRef } from '../operations/plan.ts'
import type { RunningOperation } from '../operations/running.ts'
import { ROUNDS } from '../operations/verb.ts'
import { mergeCommits } from '../sleep/merge.ts'
import { holdersSignature, readSituation, type Situation, usableHolders } from '../sleep/situation.ts'

/**
 * Merges `commitish` into a branch: fast-forward where that is possible, else a commit with parents (branch, commitish).
 * A collision moves nothing. Errors: ERR_WRITE_CONFLICT with every path and both blobs (ours: the branch moved; an absent
 * side is empty), ERR_NO_SUCH_COMMIT, ERR_NO_SUCH_BRANCH, ERR_REFUSED.
 */
export async function mergeBranch(
  operation: RunningOperation,
  asked: { readonly commitish: string; readonly into: string },
): Promise<MergeBranchOutcome> {
  const { repo } = operation
  const { into } = asked
  const ref = LOCAL + into
  const theirs = await resolveCommit(repo.git, asked.commitish)
  if (theirs === null) throw new AppError('ERR_NO_SUCH_COMMIT', { commit: asked.commitish, branch: into })
  for (let round = 1; ; round++) {
    const situation = await readSituation(repo)
    const ours = (await readRefsNow(repo.git, [ref])).get(ref) ?? null
    if (ours === null) throw new AppError('ERR_NO_SUCH_BRANCH', { branch: into })
    const base = await mergeBase(repo.git, ours, theirs)
    const outcome = { into, from: ours, upToDate: base === theirs, fastForward: base === ours }
    if (base === theirs) return { ...outcome, to: ours, fastForward: false }
    const to = base === ours ? theirs : await mergedCommit(operation, situation, asked, ours, theirs)
    const moved = await move(operation, situation, { into, ref, from: ours, to })
    if (moved === true) return { ...outcome, to }
    if (moved !== null)
      throw new AppError('ERR_REFUSED', { what: `Merging ${asked.commitish} into ${into}`, refusal: moved })
    if (round === ROUNDS)
      throw new AppError('ERR_GIT', { verb: 'update-ref', exitCode: null, detail: `${into} kept moving` })
  }
}

async function mergedCommit(
  operation: RunningOperation,
  { config }: Situation,
  { commitish, into }: { readonly commitish: string; readonly into: string },
  ours: string,
  theirs: string,
): Promise<string> {
  const merged = await mergeCommits(operation.reading, config, ours, theirs)
  if (merged === null) throw new AppError('ERR_WRITE_CONFLICT', { into, commit: commitish, conflicts: [] })
  if (merged.conflicts.length > 0) {
    const conflicts = merged.conflicts.map((path) => ({ path, ...blobsOf(merged.stages.get(path) ?? []) }))
    throw new AppError('ERR_WRITE_CONFLICT', { into, commit: commitish, conflicts })
  }
  const message = withTrailers(`Merge ${commitish.replaceAll(/\p{Cc}+/gu, ' ')} into ${into}`, [
    ['Daybreak-Operation', operation.id],
  ])
  const setup = { git: operation.git, config, now: operation.ports.clock(), trusted: operation.trusted }
  return writeCommit(setup, { tree: merged.tree, parents: [ours, theirs], message })
}

/** True where it moved; a refusal where it may not; null where someone else was faster. */
async function move(
  operation: RunningOperation,
  situation: Situation,
  { into, ref, from, to }: { readonly into: string; readonly ref: string; readonly from: string; readonly to: string },
): Promise<true | Refusal | null> {
  const { repo } = operation
  const { checkouts, config } = situation
  const usable = usableHolders(checkouts, into)
  if (usable.refusal) return usable.refusal
  const plan: Plan = {
    refs: [
      { ref, old: from, new: to },
      { ref: undoRef(operation.id), old: null, new: from },
    ],
    trees: usable.holders.map(({ path, gitDir }) => ({ worktree: path, gitDir, from, to, guard: null })),
    heads: [],
    ...situation.home,
    trusted: operation.trusted,
    follow: NO_FOLLOW,
    facts: {},
  }
  const before = holdersSignature(checkouts, [into])
  const moved = await moveByPlan(operation, plan, {
    config,
    ignoreCase: situation.ignoreCase,
    stillFits: async () => holdersSignature(await readCheckouts(repo.git, repo.repository, config), [into]) === before,
  })
  if (!moved.moved) return moved.refusal
  await followUp({ repo, ports: operation.ports, git: operation.git, fault: operation.fault }, operation, plan)
  return true
}
