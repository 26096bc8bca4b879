import { count } from '../../../shared/errors/refusals.ts'
import type { Inbox } from '../../../shared/model/index.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { applyMarks } from '../../state/verbs.ts'
import { Icon } from '../../ui/Icon.tsx'

interface Props {
  readonly repoId: string
  readonly waiting: Inbox['marksWaiting'][number]
}

/** A night that is on main, but whose marks could not be applied. */
export function MarksPage({ repoId, waiting }: Props) {
  const app = useApp()
  const lost = useLost()
  const busy = useMirror((m) => m.running[repoId] !== undefined) || lost !== null
  const trunk = useMirror((m) => m.repos[repoId]?.repository.trunk.branch ?? 'main')
  return (
    <>
      <header className="page-head">
        <div className="top">
          <h1 className="cut">{waiting.branch}</h1>
          <span className="chip wait">
            <Icon name="needs" />
            Marks not applied
          </span>
        </div>
        <ul className="facts" aria-label="Facts">
          <li>approved; its changes are on {trunk}</li>
          <li>{count(waiting.pending, 'mark')} pending</li>
        </ul>
      </header>
      <div className="reason wait">
        <Icon name="warn" />
        <p>
          <strong>{count(waiting.pending, 'mark')} could not be applied:</strong> {waiting.failure}
        </p>
        <span className="grow" />
        <button
          type="button"
          className="btn primary"
          aria-disabled={busy}
          title={lost ?? undefined}
          onClick={() => !busy && void applyMarks(app, repoId, waiting.branch)}
        >
          Apply marks again
        </button>
      </div>
      <p className="reading">
        {trunk} stays as it is. Applying again reads the marks from {trunk}, all in one go; what was applied before is
        not applied twice.
      </p>
    </>
  )
}
