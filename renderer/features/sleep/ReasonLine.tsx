import type { Review } from '../../../shared/model/index.ts'
import type { Step } from '../../app/refusals.ts'
import { type App, go, openOverlay } from '../../state/app.ts'
import type { Running } from '../../state/mirror.ts'
import { useApp } from '../../state/react.ts'
import { refreshReview } from '../../state/reviews.ts'
import { bringMainIn, cancelRunning } from '../../state/verbs.ts'
import { Coded } from '../../ui/Coded.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { requestApprove } from './approving.ts'
import type { Verdict } from './model/verdict.ts'

interface Props {
  readonly review: Review
  readonly verdict: Verdict
  readonly running: Running | null
}

const labels: Readonly<Record<Step, string>> = {
  'bring-main-in-and-approve': 'Bring main in and approve',
  'bring-main-in': 'Bring main in',
  'resolve-conflicts': 'Resolve conflicts',
  'show-local-changes': 'Show local changes',
  'show-trust': 'Show what would run',
  revert: 'Revert this night',
  'show-history': 'Show history',
  'read-again': 'Try again',
}

function take(app: App, step: Step, review: Review, verdict: Verdict): void {
  const { repoId, run } = review
  const { refusal } = verdict
  if (step === 'bring-main-in-and-approve') requestApprove(app, repoId, run.branch, true)
  else if (step === 'bring-main-in') void bringMainIn(app, repoId, run.branch)
  else if (step === 'resolve-conflicts')
    go(app, { page: 'conflict', repoId, source: { from: 'branch', branch: run.branch } })
  else if (step === 'show-trust') openOverlay(app, { kind: 'trust', repoId, branch: run.branch })
  else if (step === 'read-again') void refreshReview(app, repoId, run.branch)
  else if (step !== 'show-local-changes') go(app, { page: 'history', repoId })
  else if (refusal?.refusal === 'dirty-tree') openOverlay(app, { kind: 'local-changes', refusal })
}

const icons: Readonly<Record<Verdict['reason']['tone'], IconName>> = { plain: 'info', wait: 'merge', stop: 'cannot' }

/** The line under the heading, always there: what will happen, what stands in the way, or what runs now. */
export function ReasonLine({ review, verdict, running }: Props) {
  const app = useApp()
  if (running)
    return (
      <div className="reason run" aria-live="polite">
        <Icon name="history" />
        <p id="reason" className="cut">
          {running.step}
        </p>
        {running.total > 0 && <progress value={running.done} max={running.total} aria-label={running.step} />}
        <span className="grow" />
        {running.cancellable && (
          <button type="button" className="btn" onClick={() => void cancelRunning(app, review.repoId)}>
            Cancel
          </button>
        )}
      </div>
    )
  const { tone, lead, rest } = verdict.reason
  const icon = verdict.refusal?.refusal === 'main-advanced' ? 'merge' : tone === 'wait' ? 'warn' : icons[tone]
  // The step that helps is the filled button, unless Approve itself can be pressed.
  const { steps } = verdict
  return (
    <div className={`reason ${tone === 'plain' ? '' : tone}`}>
      <Icon name={icon} />
      <p id="reason" aria-live="polite" className={tone === 'plain' ? 'cut' : 'clamp'} title={`${lead} ${rest}`.trim()}>
        {lead && (
          <strong>
            <Coded text={lead} />{' '}
          </strong>
        )}
        <Coded text={rest} />
      </p>
      <span className="grow" />
      {[...steps].reverse().map((step) => (
        <button
          type="button"
          key={step}
          className={`btn${step === steps[0] && !verdict.canApprove ? ' primary' : ''}`}
          onClick={() => take(app, step, review, verdict)}
        >
          {labels[step]}
        </button>
      ))}
    </div>
  )
}
