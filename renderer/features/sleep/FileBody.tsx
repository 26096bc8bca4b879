import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { FileReview, Review } from '../../../shared/model/index.ts'
import { useApp, useSession } from '../../state/react.ts'
import type { BranchSession, FileView } from '../../state/session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { BinaryView } from './BinaryView.tsx'
import { ChangeBar } from './ChangeBar.tsx'
import { LargeText } from './LargeText.tsx'
import { MemoryText } from './MemoryText.tsx'
import { MergedView } from './MergedView.tsx'
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
  const [together, setTogether] = useState(false)
  const view = viewFor(file, memoryView, rawView)
  const changes = changesIn(file, view)
  const change = session.change < 0 ? changes.length - 1 : Math.min(session.change, changes.length - 1)
  const asText = file.old?.text != null || file.new?.text != null
  const choose = (next: FileView) => {
    setTogether(false)
    app.session.setState(
      next === 'text' ? { memoryView: next } : { rawView: next, ...(hasText(file) ? { memoryView: next } : {}) },
    )
  }
  const why = file.why.map((w) => w.text.replace('\n', ': ').replaceAll('\n', ' ')).filter((text) => text !== '')
  const walking = session.commit !== null
  const { trunk } = review
  const canMerge = file.file.alsoOnTrunk && !walking
  const merging = together && canMerge

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
        <p className={!merging && why.join('').length > LONG_WHY ? 'why-long' : 'cut'} title={why.join('\n')}>
          {merging && (
            <>
              <b>Merged preview:</b> {trunk.branch} as it was at <code>{review.base?.slice(0, 7)}</code> against{' '}
              {trunk.branch} with both
            </>
          )}
          {!merging && why.length > 0 && (
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
                <button type="button" key={id} aria-pressed={!merging && view === id} onClick={() => choose(id)}>
                  {label}
                </button>
              ),
            )}
            {canMerge && (
              <button
                type="button"
                aria-pressed={merging}
                title={`The file with this change and with what ${trunk.branch} did to it since the run`}
                onClick={() => setTogether(true)}
              >
                With {trunk.branch}
              </button>
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
      {merging && <MergedView review={review} file={file} jump={session.jump} />}
      {!merging && view === 'text' && (
        <MemoryText review={review} file={file} change={change} jump={session.jump} walking={walking} />
      )}
      {!merging && view !== 'text' && !asText && <BinaryView review={review} file={file} walking={walking} />}
      {!merging && view !== 'text' && asText && (
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
