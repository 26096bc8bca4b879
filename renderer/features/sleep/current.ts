import type { Step } from '../../app/refusals.ts'
import type { App } from '../../state/app.ts'
import { LOST } from '../../state/connection.ts'
import { branchKey } from '../../state/mirror.ts'
import { verdictOf } from './model/verdict.ts'

/** What can be said now of the branch that is shown; null where none is, or it is not read yet. */
export function currentVerdict(app: App): { readonly refused: string | null; readonly steps: readonly Step[] } | null {
  const { route, branches } = app.session.getState()
  if (route.page !== 'sleep') return null
  const key = branchKey(route.repoId, route.branch)
  const { reviews, running, connected } = app.mirror.getState()
  const review = reviews[key]?.review
  if (!review) return null
  const refused = branches[key]?.refused
  const verdict = verdictOf(
    review,
    reviews[key]?.preview ?? null,
    refused && refused.tip === review.tip ? refused.refusal : null,
    reviews[key]?.problem ?? null,
    connected ? null : LOST,
  )
  if (running[route.repoId]) return { refused: 'something runs already', steps: [] }
  const why = `${verdict.reason.lead} ${verdict.reason.rest}`.trim()
  return { refused: verdict.canApprove ? null : why, steps: verdict.steps }
}
