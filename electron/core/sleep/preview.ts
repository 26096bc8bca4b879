import { AppError } from '../../../shared/errors/index.ts'
import type { ApprovalPreview, Refusal } from '../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { readMarks } from '../operations/followUp.ts'
import { isTrusted } from '../usecases/trust.ts'
import { advancedBy } from './approvable.ts'
import { type LeftOutPlan, planLeaveOut } from './leaveOut.ts'
import { lookAt } from './look.ts'
import { checkPlaces, placesOf, whatMayNotRun } from './places.ts'
import { runIdOf } from './runId.ts'

export interface PreviewInput {
  readonly branch: string
  readonly except: readonly string[]
}

/**
 * What Approve would do now, and all that stands in the way. Writes nothing into the repository. Errors:
 * ERR_NO_SUCH_BRANCH where the name stands for no branch.
 */
export async function previewApproval(
  core: CoreContext,
  repo: RepositoryContext,
  input: PreviewInput,
): Promise<ApprovalPreview> {
  const { branch } = input
  const looked = await lookAt({ repo }, { branch })
  const nothing = { branch, commits: 0, marks: 0, heldMarks: [], leftOut: [], dangling: [], stale: [], blockers: [] }
  if (looked.kind === 'merged') {
    const { oid } = looked.situation.trunk
    return { ...nothing, from: oid, to: oid }
  }
  if (looked.kind === 'no') {
    const refs = (await repo.look()).snapshot.refs
    const to = refs.get(`refs/heads/${branch}`) ?? refs.get(`refs/remotes/${branch}`)
    if (!to) throw new AppError('ERR_NO_SUCH_BRANCH', { branch })
    return { ...nothing, from: null, to, blockers: [looked.refusal] }
  }
  const { situation, run, facts } = looked.found
  const blockers: Refusal[] = []
  const runId = await runIdOf(repo, branch, facts.base, run.tip)
  const plan =
    input.except.length > 0 ? await planLeaveOut(repo, { run: runId, tip: run.tip, facts, except: input.except }) : null
  if (plan && 'refusal' in plan) blockers.push(plan.refusal)
  const left: LeftOutPlan | null = plan && !('refusal' in plan) ? plan : null
  const places = placesOf(situation, branch, run.tip, run.tip)
  const untrusted = await whatMayNotRun(
    core,
    { repo, trusted: await isTrusted(core, repo) },
    situation,
    'refusal' in places ? [] : places.trees,
  )
  const filtered = untrusted?.items.some((item) => item.kind === 'filter') ?? false
  if ('refusal' in places) blockers.push(places.refusal)
  else if (!filtered) {
    const dirty = await checkPlaces({ git: repo.git, situation, facts, tip: run.tip }, places.trees)
    if (dirty) blockers.push(dirty)
  }
  if (facts.base !== situation.trunk.oid) blockers.push(await advancedBy(looked.found))
  if (untrusted) blockers.push(untrusted)
  return {
    branch,
    from: situation.trunk.oid,
    to: run.tip,
    commits: facts.commits,
    marks: (await readMarks(repo, runId, run.tip)).length,
    heldMarks: [...(left?.held ?? [])],
    leftOut: left?.items.map((item) => item.path) ?? [],
    dangling: [...(left?.dangling ?? [])],
    stale: [...(left?.stale ?? [])],
    blockers,
  }
}
