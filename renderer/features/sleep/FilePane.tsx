import { useEffect, useLayoutEffect, useRef } from 'react'
import type { ApprovalPreview, FileChange, Review } from '../../../shared/model/index.ts'
import { patchBranch } from '../../state/app.ts'
import { branchKey, fileKey } from '../../state/mirror.ts'
import { useApp, useMirror } from '../../state/react.ts'
import { loadFile, reloadFile } from '../../state/reviews.ts'
import type { BranchSession } from '../../state/session.ts'
import { CommitsPanel } from './CommitsPanel.tsx'
import { FileBody } from './FileBody.tsx'
import { FileHead } from './FileHead.tsx'
import { MarksPanel } from './MarksPanel.tsx'
import { alikeOf, type Group, orderOf } from './model/groups.ts'
import { OnMain } from './OnMain.tsx'

interface Props {
  readonly review: Review
  readonly preview: ApprovalPreview | null
  readonly groups: readonly Group[]
  readonly file: FileChange | null
  readonly session: BranchSession
}

const SAVE_SCROLL_MS = 250

/** The file that is shown, and below it where the run's changes come from and what is pending. */
export function FilePane({ review, preview, groups, file, session }: Props) {
  const app = useApp()
  const key = branchKey(review.repoId, review.run.branch)
  const loaded = useMirror((m) => (file ? m.files[fileKey(review, file.path, session.commit)] : undefined))
  const view = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const path = file?.path ?? null

  useEffect(() => {
    if (path === null) return
    void loadFile(app, review, path, session.commit)
    // The next file is read ahead, so that `v` and `]` do not wait.
    const order = orderOf(groups)
    const next = order[order.findIndex((f) => f.path === path) + 1]
    if (next) void loadFile(app, review, next.path, session.commit)
  }, [app, review, path, session.commit, groups])

  // What is shown is what is chosen from then on: ticking it must not show another.
  useEffect(() => {
    if (path !== null && session.path !== path) patchBranch(app, key, { path, change: 0, scroll: 0 })
  }, [app, key, path, session.path])

  // Another file begins at its top; the place in a file is kept over a restart.
  const scroll = useRef(session.scroll)
  scroll.current = session.scroll
  const place = loaded === undefined ? null : `${path} ${session.commit}`
  useLayoutEffect(() => {
    if (view.current && place !== null) view.current.scrollTop = scroll.current
  }, [place])

  const onScroll = () => {
    clearTimeout(timer.current)
    const top = view.current?.scrollTop ?? 0
    timer.current = setTimeout(() => patchBranch(app, key, { scroll: top }), SAVE_SCROLL_MS)
  }

  return (
    <article className="view" aria-label={path ?? 'No file'} ref={view} onScroll={onScroll} tabIndex={-1}>
      <OnMain review={review} />
      {file ? (
        <>
          <FileHead review={review} file={file} walking={session.commit !== null} alike={alikeOf(groups, file.path)} />
          {loaded && 'value' in loaded && <FileBody review={review} file={loaded.value} session={session} />}
          {loaded && 'problem' in loaded && (
            <div className="reason stop" role="alert">
              <p>
                <strong>{loaded.problem.message}</strong>
              </p>
              <span className="grow" />
              <button
                type="button"
                className="btn"
                onClick={() => void reloadFile(app, review, file.path, session.commit)}
              >
                Try again
              </button>
            </div>
          )}
          {!loaded && <p className="reading">Reading {file.path}.</p>}
        </>
      ) : (
        <p className="reading">{review.files.length === 0 ? 'This branch changes no file.' : 'No file is chosen.'}</p>
      )}
      <div className="bottom">
        <CommitsPanel review={review} session={session} touched={file?.commits ?? []} />
        <MarksPanel review={review} held={preview?.heldMarks ?? []} />
      </div>
    </article>
  )
}
