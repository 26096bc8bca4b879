import type { Mark, Refusal } from '../../../shared/model/index.ts'
import type { CoreContext } from '../context.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { Approvable, ApproveInput } from './approvable.ts'

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
  readonly declined: readonly { readonly path: string; readonly contentKey: string }[]
}

/** Works out what trunk would get. Writes objects only where something is left out. */
export async function landingOf(
  _core: CoreContext,
  _operation: RunningOperation,
  found: Approvable,
  _input: ApproveInput,
): Promise<Landing | { readonly refusal: Refusal }> {
  return { to: found.run.tip, leftOut: [], leftOutItems: 0, stale: [], held: [], declined: [] }
}
