import type { HistoryEntry } from '../../../shared/model/index.ts'
import { entryView, undoName } from '../../app/acts.ts'
import { useApp } from '../../state/react.ts'
import { hashOf } from '../../state/route.ts'
import { undoOperation } from '../../state/verbs.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

interface Props {
  readonly repoId: string
  readonly history: readonly HistoryEntry[] | null
}

/** The latest acts that came about, with Undo where it is still possible. */
export function Lately({ repoId, history }: Props) {
  const app = useApp()
  const acts = (history ?? []).filter((e) => e.status === 'done' || e.status === 'undone').slice(0, 8)
  return (
    <section className="panel" aria-label="Lately">
      <div className="panel-head">
        <h2>Lately</h2>
        <span className="grow" />
        <a className="link small" href={hashOf({ page: 'history', repoId })}>
          All history
        </a>
      </div>
      {history && acts.length === 0 && <p className="panel-none">Nothing was approved or aborted yet.</p>}
      <ol className="hist">
        {acts.map((entry) => {
          const view = entryView(entry)
          return (
            <li key={entry.operationId}>
              <Icon name={view.icon} className={view.tone} />
              <span className="cut grow" title={`${view.text}. ${view.detail}`}>
                {view.text}
              </span>
              <span className="small dimmer nowrap">{when(entry.startedAt)}</span>
              {entry.undo === 'undo' && (
                <button
                  type="button"
                  className="btn s"
                  aria-label={undoName(entry)}
                  onClick={() => void undoOperation(app, repoId, entry.operationId, false)}
                >
                  Undo
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
