import type { Review } from '../../../shared/model/index.ts'
import { useApp } from '../../state/react.ts'
import { Icon } from '../../ui/Icon.tsx'
import { keyboardScrollable } from '../../ui/scrollable.ts'
import { countsText, subjectWords } from './model/changes.ts'
import { foreignWhy } from './model/kinds.ts'
import { stepCommit, walkTo } from './navigate.ts'

/** Which commit of the run is walked, what is known of it, and the way on. */
export function WalkBar({ review, commit }: { readonly review: Review; readonly commit: string }) {
  const app = useApp()
  const { commits } = review
  const index = commits.findIndex((c) => c.oid === commit)
  const at = commits[index]
  if (!at) return null
  const number = commits.length - index
  const counts = countsText(at.counts)
  return (
    <section className="walk" aria-label="Commit walk">
      <fieldset className="group-btns" aria-label="Commit">
        <button type="button" className="btn s icon" aria-label="Previous commit" onClick={() => stepCommit(app, -1)}>
          <Icon name="left" />
        </button>
        <button type="button" className="btn s icon" aria-label="Next commit" onClick={() => stepCommit(app, 1)}>
          <Icon name="right" />
        </button>
      </fieldset>
      <p className="cut" aria-live="polite">
        <strong>
          Commit {number} of {commits.length}
        </strong>{' '}
        <code>{at.oid.slice(0, 7)}</code> {at.phase ?? (at.bringsMainIn ? 'brings main in' : '')}{' '}
        {subjectWords(at.subject)}
        {at.foreign && <span className="wait"> No phase made this: {foreignWhy(at.foreign)}.</span>}
      </p>
      <span className="grow" />
      <span className="small dim nowrap">{at.author}</span>
      <details className="message">
        <summary className="btn s">Message</summary>
        <pre {...keyboardScrollable}>
          {at.subject}
          {at.body === '' ? '' : `\n\n${at.body}`}
          {counts === '' ? '' : `\n\nCounts: ${counts}`}
        </pre>
      </details>
      <button type="button" className="btn s" onClick={() => walkTo(app, null)}>
        Show the whole run
      </button>
    </section>
  )
}
