import type { Review } from '../../../shared/model/index.ts'
import { useApp } from '../../state/react.ts'
import { abort } from '../../state/verbs.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ariaKeys, keyNames } from '../../ui/Keys.tsx'
import { age } from '../../ui/time.ts'
import { requestApprove } from './approving.ts'
import type { Verdict } from './model/verdict.ts'

const SHAPES = { ok: 'ready', wait: 'needs', stop: 'cannot' } as const

interface Props {
  readonly review: Review
  readonly verdict: Verdict
  readonly busy: boolean
}

/** Heading, state, how much is viewed, and the two acts. */
export function PageHead({ review, verdict, busy }: Props) {
  const app = useApp()
  const { repoId, run, files, viewed } = review
  const { branch } = run
  const canApprove = verdict.canApprove && !busy
  const canAbort = run.remote === null && !busy
  const share = files.length === 0 ? 0 : Math.round((100 * viewed) / files.length)
  return (
    <header className="page-head">
      <div className="top">
        <h1 className="cut" title={`${branch}, ${age(run.committedAt)} old`}>
          {branch}
        </h1>
        <span className={`chip ${verdict.chip.tone}`}>
          <Icon name={SHAPES[verdict.chip.tone]} />
          {verdict.chip.label}
        </span>
        <span role="status" className="dim nowrap">
          {viewed.toLocaleString('en-US')} of {files.length.toLocaleString('en-US')} viewed
        </span>
        <span className="meter" aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </span>
        <span className="grow" />
        <span className="head-acts">
          <button
            type="button"
            className="btn danger"
            aria-disabled={!canAbort}
            aria-describedby={canAbort ? undefined : 'reason'}
            onClick={() => canAbort && void abort(app, repoId, branch)}
          >
            Abort sleep branch
          </button>
          <button
            type="button"
            className="btn primary"
            aria-disabled={!canApprove}
            aria-describedby="reason"
            aria-keyshortcuts={ariaKeys('Mod+Enter')}
            title={`Approve sleep merge (${keyNames('Mod+Enter').join('+')})`}
            onClick={() => canApprove && requestApprove(app, repoId, branch, false)}
          >
            Approve sleep merge
          </button>
        </span>
      </div>
      <ul className="facts" aria-label="Facts">
        {verdict.facts.map((fact) => (
          <li key={fact} className="cut">
            <Fact text={fact} />
          </li>
        ))}
      </ul>
    </header>
  )
}

/** Ids in a fact stand in the code font. */
function Fact({ text }: { readonly text: string }) {
  const at = text.search(/\S*[0-9a-f]{7}$/)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <code>{text.slice(at)}</code>
    </>
  )
}
