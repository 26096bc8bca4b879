import type { Act } from '../store/doneActs.ts'
import type { StoreRun } from '../store/storeRuns.ts'

export interface LastRun {
  readonly branch: string
  readonly at: string
  readonly status: string
}

/** A branch whose tip names itself as its run. */
export interface RunTip {
  readonly branch: string
  readonly at: string
}

/**
 * The latest curation run: the newest row of the store, or a branch or approval that is newer than any row; where a
 * run has a row, the row's word holds.
 */
export function latestRun(rows: readonly StoreRun[], tips: readonly RunTip[], acts: readonly Act[]): LastRun | null {
  const known = new Set(rows.map((row) => row.branch))
  const found: LastRun[] = [
    ...rows.map((row) => ({ branch: row.branch, at: row.endedAt ?? row.startedAt, status: row.status })),
    ...tips.filter((tip) => !known.has(tip.branch)).map((tip) => ({ ...tip, status: 'review' })),
    ...acts.flatMap((act) => {
      const status = { approve: 'merged', abort: 'abandoned' }[act.verb]
      return status && !known.has(act.branch) ? [{ branch: act.branch, at: act.endedAt, status }] : []
    }),
  ]
  const time = (run: LastRun) => Date.parse(run.at) || 0
  return found.reduce<LastRun | null>((best, run) => (best === null || time(run) > time(best) ? run : best), null)
}
