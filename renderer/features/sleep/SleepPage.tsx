import './sleep.css'
import './memory.css'
import './changes.css'
import './panels.css'
import './raw.css'
import { useEffect, useMemo } from 'react'
import { branchKey, commitKey } from '../../state/mirror.ts'
import { useApp, useLost, useMirror, useSession } from '../../state/react.ts'
import { loadCommit, refreshReview } from '../../state/reviews.ts'
import { NEW_BRANCH } from '../../state/session.ts'
import { ChangeList } from './ChangeList.tsx'
import { FilePane } from './FilePane.tsx'
import { GatePanel } from './GatePanel.tsx'
import { filterFiles } from './model/filter.ts'
import { groupsOf, orderOf } from './model/groups.ts'
import { verdictOf } from './model/verdict.ts'
import { fileAt } from './navigate.ts'
import { PageHead } from './PageHead.tsx'
import { ReasonLine } from './ReasonLine.tsx'
import { WalkBar } from './WalkBar.tsx'

interface Props {
  readonly repoId: string
  readonly branch: string
}

/** A sleep branch under review: head, reason line, kinds, file, commits and marks. */
export function SleepPage({ repoId, branch }: Props) {
  const app = useApp()
  const key = branchKey(repoId, branch)
  const state = useMirror((m) => m.reviews[key])
  const running = useMirror((m) => m.running[repoId] ?? null)
  const session = useSession((s) => s.branches[key] ?? NEW_BRANCH)
  const review = state?.review ?? null
  const lost = useLost()
  const walked = useMirror((m) => (review && session.commit ? m.commits[commitKey(review, session.commit)] : undefined))

  useEffect(() => void refreshReview(app, repoId, branch), [app, repoId, branch])
  useEffect(() => {
    if (review && session.commit !== null) void loadCommit(app, review, session.commit)
  }, [app, review, session.commit])

  const all = session.commit === null ? review?.files : walked && 'value' in walked ? walked.value.files : undefined
  const files = useMemo(() => filterFiles(all ?? [], session.filter), [all, session.filter])
  const groups = useMemo(() => groupsOf(files), [files])
  const order = useMemo(() => orderOf(groups), [groups])
  const file = fileAt(order, session.path)

  if (!review) return <Unread repoId={repoId} branch={branch} />
  const refused = session.refused && session.refused.tip === review.tip ? session.refused.refusal : null
  const verdict = verdictOf(review, state?.preview ?? null, refused, state?.problem ?? null, lost)

  return (
    <>
      <PageHead review={review} verdict={verdict} busy={running !== null || lost !== null} />
      <ReasonLine review={review} verdict={verdict} running={lost === null ? running : null} />
      <GatePanel running={running} refused={refused} />
      {session.commit !== null && <WalkBar review={review} commit={session.commit} />}
      <div className="review">
        <ChangeList
          review={review}
          all={all ?? null}
          groups={groups}
          shown={order.length}
          session={session}
          current={file?.path ?? null}
        />
        <FilePane review={review} preview={state?.preview ?? null} groups={groups} file={file} session={session} />
      </div>
    </>
  )
}

/** The page before its review is read, or when it could not be. */
function Unread({ repoId, branch }: Props) {
  const app = useApp()
  const problem = useMirror((m) => m.reviews[branchKey(repoId, branch)]?.problem ?? null)
  return (
    <>
      <header className="page-head">
        <div className="top">
          <h1 className="cut">{branch}</h1>
        </div>
        <p className="small dim">{problem ? '' : 'Reading the changes.'}</p>
      </header>
      <div className={`reason${problem ? ' stop' : ''}`} role={problem ? 'alert' : undefined}>
        {problem && (
          <>
            <p>
              <strong>{problem.message}</strong> {problem.unchanged.join(' ')}
            </p>
            <span className="grow" />
            <button type="button" className="btn" onClick={() => void refreshReview(app, repoId, branch)}>
              Try again
            </button>
          </>
        )}
      </div>
    </>
  )
}
