import './history.css'
import { useEffect } from 'react'
import type { HistoryEntry } from '../../../shared/model/index.ts'
import { canApplyMarks, entryView, undoName } from '../../app/acts.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { refreshHistory } from '../../state/repositories.ts'
import { applyMarks, undoOperation } from '../../state/verbs.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

/** Every act of a verb, newest first, with what can still be taken back. */
export function HistoryPage({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const history = useMirror((m) => m.repos[repoId]?.history ?? null)
  const waiting = useMirror((m) => m.repos[repoId]?.inbox?.marksWaiting)
  useEffect(() => void refreshHistory(app, repoId), [app, repoId])

  return (
    <div className="history">
      <header className="page-head">
        <div className="top">
          <h1>History</h1>
        </div>
        <p className="small dim">What was approved, aborted and undone here, from the app and from the command line.</p>
      </header>
      {history?.length === 0 && <p className="panel-none">Nothing was approved or aborted yet.</p>}
      <ol className="acts" aria-label="Acts">
        {history?.map((entry) => (
          <Entry
            key={entry.operationId}
            entry={entry}
            repoId={repoId}
            marks={canApplyMarks(entry) && waiting?.some((w) => w.branch === entry.branch) !== false}
          />
        ))}
      </ol>
    </div>
  )
}

interface EntryProps {
  readonly entry: HistoryEntry
  readonly repoId: string
  readonly marks: boolean
}

function Entry({ entry, repoId, marks }: EntryProps) {
  const app = useApp()
  const lost = useLost()
  const off = { 'aria-disabled': lost !== null, title: lost ?? undefined }
  const view = entryView(entry)
  return (
    <li>
      <Icon name={view.icon} className={view.tone} />
      <span className="two-lines">
        <span className="cut">{view.text}</span>
        <span className="small dimmer cut" title={`${view.detail} · ${entry.operationId}`}>
          {view.detail}
        </span>
      </span>
      <time className="small dimmer nowrap" dateTime={entry.startedAt}>
        {when(entry.startedAt)}
      </time>
      {marks && (
        <button
          type="button"
          className="btn s"
          {...off}
          aria-label={`Apply marks again of ${entry.branch}`}
          onClick={() => void applyMarks(app, repoId, entry.branch)}
        >
          Apply marks again
        </button>
      )}
      {entry.undo === 'undo' && (
        <button
          type="button"
          className="btn s"
          {...off}
          aria-label={undoName(entry)}
          onClick={() => void undoOperation(app, repoId, entry.operationId, false)}
        >
          Undo
        </button>
      )}
      {entry.undo === 'revert' && (
        <button
          type="button"
          className="btn s"
          {...off}
          aria-label={`Revert this night, ${entry.branch}`}
          onClick={() => void undoOperation(app, repoId, entry.operationId, true)}
        >
          Revert this night
        </button>
      )}
    </li>
  )
}
