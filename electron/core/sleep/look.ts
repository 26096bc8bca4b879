import { AppError } from '../../../shared/errors/index.ts'
import type { Refusal } from '../../../shared/model/index.ts'
import type { Git } from '../git/process.ts'
import { type BranchFacts, readBranchFacts } from '../inbox/facts.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { Approvable, ApproveInput } from './approvable.ts'
import { type RunState, readRunState } from './runState.ts'
import { readSituation, type Situation } from './situation.ts'

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
  const facts = await factsOf(operation.repo.git, run.tip, situation.trunk.oid)
  return { kind: 'approvable', found: { situation, run, facts, branchAt: run.tip } }
}

const known = new Map<string, BranchFacts>()
const KEPT = 8

/** What follows from two commits alone never changes: the preview, the check and the verb ask for the same. */
async function factsOf(git: Git, tip: string, trunk: string): Promise<BranchFacts> {
  const key = `${tip} ${trunk}`
  const facts = known.get(key) ?? (await readBranchFacts(git, tip, trunk))
  known.delete(key)
  known.set(key, facts)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return facts
}
