import { refusalText } from '../../shared/errors/refusals.ts'
import type { SleepBranch } from '../../shared/model/index.ts'
import { age, columns, count, plain } from './words.ts'

const SHAPES = { ready: '●', needs: '◐', stop: '✕' } as const

/** What stands in the way of one branch, or that nothing does, in words. */
export function stateText(run: SleepBranch): string {
  if (run.status.state === 'ready') return 'ready'
  if (run.status.state === 'already-merged') return 'already merged'
  return run.status.blockers.map((blocker) => plain(refusalText(blocker).what)).join(' ')
}

/** Sleep branches as lines of a table. */
export function runLines(runs: readonly SleepBranch[], now: Date): string[] {
  return columns(
    runs.map((run) => [
      `${SHAPES[run.readiness]} ${plain(run.branch)}`,
      count(run.commits, 'commit'),
      count(run.files, 'file'),
      `${run.left} left to look at`,
      age(run.committedAt, now),
      stateText(run),
    ]),
  )
}
