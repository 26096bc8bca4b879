import { LOCAL } from '../git/refs.ts'
import type { Plan } from '../operations/plan.ts'
import { restorationOf } from '../store/operations.ts'
import type { StateDb } from '../store/stateDb.ts'

/** What a branch was before it was removed and came back under another name. */
export interface FormerName {
  readonly run: string
  /** The tip that it came back with: only a branch that still holds it is that run. */
  readonly tip: string
}

/** How many times over a branch may have come back. */
const TIMES = 20

/** The first name of a branch that Undo brought back under another one; null for any other branch. */
export function formerName(state: StateDb, branch: string): FormerName | null {
  let run = branch
  let tip: string | null = null
  for (let n = 0; n < TIMES; n++) {
    const row = restorationOf(state, run)
    const there = (row?.plan as Plan | null)?.refs.find((one) => one.ref === LOCAL + run)?.new
    if (row === null || row.branch === run || !there) break
    tip ??= there
    run = row.branch
  }
  return tip === null ? null : { run, tip }
}
