import type { OperationRow } from '../store/operations.ts'
import { ownMark } from './processes.ts'
import type { RunningOperation } from './running.ts'

/** What every row of an act in the history begins with: what, who, through which door, since when, in which process. */
export function rowOf({
  id,
  verb,
  branch,
  caller,
  startedAt,
}: RunningOperation): Pick<OperationRow, 'id' | 'verb' | 'branch' | 'actor' | 'via' | 'startedAt' | 'owner'> {
  return { id, verb, branch, actor: caller.actor ?? 'person', via: caller.via, startedAt, owner: ownMark() }
}
