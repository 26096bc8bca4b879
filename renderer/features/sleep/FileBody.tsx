import { lazy, Suspense, useEffect, useRef } from 'react'
import type { FileReview, Review } from '../../../shared/model/index.ts'
import { useApp, useSession } from '../../state/react.ts'
import type { BranchSession, FileView } from '../../state/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { BinaryView } from './BinaryView.tsx'
import { ChangeBar } from './ChangeBar.tsx'
import { LargeText } from './LargeText.tsx'
import { MemoryText } from './MemoryText.tsx'
import { changesIn, hasText, viewFor } from './model/changes.ts'
import { stepChange } from './navigate.ts'

const RawDiff = lazy(() => import('../../editor/RawDiff.tsx'))

/** A reason longer than this, in characters, stands on two small lines. */
const LONG_WHY = 56

interface Props {
  readonly review: Review
  readonly file: FileReview
  readonly session: BranchSession
}

const views: readonly (readonly [FileView, string])[] = [
  ['text', 'Memory text'],
  ['side', 'Side by side'],
  ['inline', 'Inline'],
]

/** Why the file changed, how it is shown, and what changed in it. */
export function FileBody({ review, file, session }: Props) {
  const app = useApp()
  const memoryView = useSession((s) => s.memoryView)
  const rawView = useSession((s) => s.rawView)
  const view = viewFor(file, memoryView, rawView)
  const changes = changesIn(file, view)
  const change = session.change < 0 ? changes.length - 1 : Math.min(session.change, changes.length - 1)
  const asText = file.old?.text != null || file.new?.text != null
  const choose = (next: FileView) =>
    app.session.setState(
      next === 'text' ? { memoryView: next } : { rawView: next, ...(hasText(file) ? { memoryView: next } : {}) },
    )
  const why = file.why.map((w) => w.text.replace('\n', ': ').replaceAll('\n', ' ')).filter((text) => text !== '')
  const walking = session.commit !== null

  // The part that had the focus is gone with the old view; the file keeps it.
  const seen = useRef(view)
  useEffect(() => {
    if (seen.current === view) return
    seen.current = view
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('.view')?.focus()
  }, [view])

  return (
    <>
      <div className="why">
        <p className={why.join('').length > LONG_WHY ? 'why-long' : 'cut'} title={why.join('\n')}>
          {why.length > 0 && (
            <>
              <b>Why:</b> {why.join('; ')}
            </>
          )}
        </p>
        <span className="grow" />
        <fieldset className="group-btns" aria-label="Change">
          <button
            type="button"
            className="btn s icon"
            aria-label="Previous change"
            title="Previous change (p)"
            onClick={() => stepChange(app, -1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="btn s icon"
            aria-label="Next change"
            title="Next change (n)"
            onClick={() => stepChange(app, 1)}
          >
            <Icon name="down" />
          </button>
        </fieldset>
        {(hasText(file) || asText) && (
          <fieldset className="seg" aria-label="View">
            {views.map(([id, label]) =>
              id === 'text' && !hasText(file) ? null : (
                <button type="button" key={id} aria-pressed={view === id} onClick={() => choose(id)}>
                  {label}
                </button>
              ),
            )}
          </fieldset>
        )}
      </div>
      {file.notes.length > 0 && (
        <ul className="notes" aria-label="Notes">
          {file.notes.map((note) => (
            <li key={note}>
              <Icon name="info" className="dimmer" />
              {note}
            </li>
          ))}
        </ul>
      )}
      {view === 'text' && (
        <MemoryText review={review} file={file} change={change} jump={session.jump} walking={walking} />
      )}
      {view !== 'text' && !asText && <BinaryView review={review} file={file} walking={walking} />}
      {view !== 'text' && asText && (
        <>
          <ChangeBar review={review} file={file} changes={changes} at={change} walking={walking} />
          {file.large ? (
            <LargeText file={file} inline={view === 'inline'} at={change} jump={session.jump} />
          ) : (
            <Suspense fallback={<div className="editor-slot reading">Loading the editor.</div>}>
              <RawDiff file={file} inline={view === 'inline'} at={change} jump={session.jump} />
            </Suspense>
          )}
        </>
      )}
    </>
  )
}
