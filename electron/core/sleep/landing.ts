import type { Mark, Refusal } from '../../../shared/model/index.ts'
import { withTrailers, writeCommit } from '../git/commit.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { Approvable, ApproveInput } from './approvable.ts'
import { declinable } from './declined.ts'
import { type LeftOutPlan, planLeaveOut } from './leaveOut.ts'
import { formerName } from './restoredAs.ts'
import { runIdOf } from './runId.ts'

/** What trunk gets when a night is approved. */
export interface Landing {
  /** The commit: the branch's tip, or one above it that leaves something out. */
  readonly to: string
  readonly leftOut: readonly string[]
  /** Items that are left out; an archive or move pair is one. */
  readonly leftOutItems: number
  /** Generated lists that may be stale until the next night. */
  readonly stale: readonly string[]
  readonly held: readonly Mark[]
  /** What is remembered as declined. */
  readonly declined: readonly { readonly path: string; readonly changeKey: string }[]
}

/** Works out what trunk would get. Writes objects only where something is left out. */
export async function landingOf(
  operation: RunningOperation,
  found: Approvable,
  input: ApproveInput,
): Promise<Landing | { readonly refusal: Refusal }> {
  const { run, facts, situation } = found
  const nothing = { to: run.tip, leftOut: [], leftOutItems: 0, stale: [], held: [], declined: [] }
  if (input.except.length === 0) return nothing
  const { repo } = operation
  const runId = await runIdOf(repo, input.branch, facts.base, run.tip)
  const plan = await planLeaveOut(repo, { run: runId, tip: run.tip, facts, except: input.except })
  if ('refusal' in plan) return plan
  const was = formerName(repo.state, input.branch)
  const target = { run: input.branch, tip: run.tip, trunk: situation.trunk.oid, was }
  return {
    to: await writeLeftOut(operation, found, plan),
    leftOut: plan.items.map((item) => item.path),
    leftOutItems: plan.items.length,
    stale: plan.stale,
    held: plan.held,
    declined: await declinable(
      repo,
      target,
      plan.items.map((item) => item.path),
    ),
  }
}

/** Writes the commit that restores what is left out; its only parent is the branch's tip. */
async function writeLeftOut(operation: RunningOperation, found: Approvable, plan: LeftOutPlan): Promise<string> {
  const { git } = operation
  const { run, situation } = found
  const ledger = plan.ledger
  const blob =
    ledger && ledger.bytes.length > 0
      ? await git.text(['hash-object', '-w', '--no-filters', '--stdin'], { input: ledger.bytes })
      : null
  const tree = await withPrivateTree(git, run.tip, async (open) => {
    await open.set(plan.entries)
    if (ledger) await open.set([{ path: ledger.path, entry: blob === null ? null : { mode: '100644', oid: blob } }])
    return open.write()
  })
  const paths = plan.items.flatMap((item) => (item.fromPath === null ? [item.path] : [item.fromPath, item.path]))
  const n = plan.items.length
  const lines = [
    `Approve ${operation.branch} without ${n} ${n === 1 ? 'change' : 'changes'}`,
    '',
    'What is left out is as it was before the night.',
    ...(plan.stale.length > 0
      ? [
          '',
          'These generated lists may be stale until the next night:',
          ...plan.stale.map((path) => `  ${JSON.stringify(path)}`),
        ]
      : []),
    ...(plan.held.length > 0 ? ['', `Held back: ${plan.held.length} of the night's marks.`] : []),
  ]
  const message = withTrailers(lines.join('\n'), [
    ['Daybreak-Operation', operation.id],
    ...paths.map((path) => ['Daybreak-Left-Out', JSON.stringify(path)] as const),
  ])
  return writeCommit(
    { git, config: situation.config, now: operation.ports.clock(), trusted: operation.trusted },
    { tree, parents: [run.tip], message },
  )
}
