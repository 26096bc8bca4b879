/** What decides whether a branch still has something to approve. */
export interface SettledInput {
  readonly tip: string
  /** The tip is an ancestor of trunk, or trunk itself. */
  readonly onTrunk: boolean
  /** The run's row in the store's database, null where there is none. */
  readonly row: { readonly status: string; readonly baseSha: string | null } | null
  /** The tip's own message names this branch as its run. */
  readonly tipNamesRun: boolean
  /** Daybreak approved this very tip. */
  readonly approvedHere: boolean
}

/**
 * `empty`: the tip is the run's base, or a branch without a row has no commit of its own. `already-merged`: what it
 * holds is on trunk.
 */
export function settledState(input: SettledInput): 'open' | 'empty' | 'already-merged' {
  const { row, tip } = input
  if (row && row.baseSha === tip && row.status !== 'merged') return 'empty'
  if (!input.onTrunk) return 'open'
  if (row || input.tipNamesRun || input.approvedHere) return 'already-merged'
  return 'empty'
}
