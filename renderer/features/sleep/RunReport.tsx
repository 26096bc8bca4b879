import { useEffect } from 'react'
import { openOverlay } from '../../state/app.ts'
import { branchKey, fileKey } from '../../state/mirror.ts'
import { useApp, useMirror } from '../../state/react.ts'
import { loadFile } from '../../state/reviews.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { keyboardScrollable } from '../../ui/scrollable.ts'
import { reportText } from './model/reportText.ts'
import { placeOf, selectFile } from './navigate.ts'

/** The report that the run left, as text. */
export function RunReport({ repoId, branch }: { readonly repoId: string; readonly branch: string }) {
  const app = useApp()
  const review = useMirror((m) => m.reviews[branchKey(repoId, branch)]?.review ?? null)
  const path = review?.reportPath ?? null
  const loaded = useMirror((m) => (review && path !== null ? m.files[fileKey(review, path, null)] : undefined))
  const close = () => openOverlay(app, null)

  useEffect(() => {
    if (review && path !== null) void loadFile(app, review, path, null)
  }, [app, review, path])

  const showFile = () => {
    close()
    const place = placeOf(app)
    if (place && path !== null) selectFile(app, { ...place, session: { ...place.session, commit: null } }, path)
  }
  const lines = loaded && 'value' in loaded ? reportText(loaded.value.new?.text ?? '') : []

  return (
    <Dialog
      title="Run report"
      icon="file"
      wide
      onClose={close}
      foot={
        <>
          <code className="small dimmer cut grow">{path}</code>
          <button type="button" className="btn" onClick={showFile}>
            Show the file
          </button>
          <button type="button" className="btn" onClick={close}>
            Close
          </button>
        </>
      }
    >
      <section className="report" aria-label="Report" {...keyboardScrollable}>
        {!loaded && <p className="dim">Reading the report.</p>}
        {loaded && 'problem' in loaded && <p role="alert">{loaded.problem.message}</p>}
        {lines.map((line) => {
          if (line.kind === 'head') return <h3 key={line.at}>{line.cells.join(' ')}</h3>
          if (line.kind === 'text') return <p key={line.at}>{line.cells.join(' ')}</p>
          const [first, ...rest] = line.cells
          return (
            <p key={line.at} className="report-row">
              <span>{first}</span>
              <span>{rest.join(' · ')}</span>
            </p>
          )
        })}
      </section>
    </Dialog>
  )
}
