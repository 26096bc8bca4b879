import './home.css'
import { useEffect } from 'react'
import { count } from '../../../shared/errors/refusals.ts'
import { whoOf } from '../../app/acts.ts'
import { candidatesWaiting } from '../../app/candidateItems.ts'
import { conflictsWaiting } from '../../app/conflictItems.ts'
import { candidateRoute } from '../../state/candidates.ts'
import { routeOfSet } from '../../state/conflicts.ts'
import { useApp, useMirror } from '../../state/react.ts'
import { refreshHistory } from '../../state/repositories.ts'
import { hashOf } from '../../state/route.ts'
import { showPath } from '../../ui/path.ts'
import { when } from '../../ui/time.ts'
import { Cycle } from './Cycle.tsx'
import { Lately } from './Lately.tsx'
import { LostLines } from './LostLines.tsx'
import { WeekPanel } from './WeekPanel.tsx'

/** The repository's own page: what waits, or that nothing does, and the last week. */
export function HomePage({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const inbox = useMirror((m) => m.repos[repoId]?.inbox ?? null)
  const conflicts = useMirror((m) => m.conflicts[repoId])
  const candidates = useMirror((m) => m.candidates[repoId])
  const history = useMirror((m) => m.repos[repoId]?.history ?? null)
  useEffect(() => void refreshHistory(app, repoId), [app, repoId])
  if (!inbox) return <p className="reading">Reading the inbox.</p>

  const local = inbox.sleepBranches.filter((b) => b.remote === null)
  const inConflict = conflicts?.list?.sets ?? []
  const mine = candidates?.list?.filter((row) => row.state === 'person') ?? []
  const losses = candidates?.losses ?? []
  const waiting = local.length + inbox.marksWaiting.length + inConflict.length + candidatesWaiting(candidates)
  const last = history?.find((e) => e.status === 'done' && (e.verb === 'approve' || e.verb === 'abort'))
  const lead =
    waiting === 0
      ? last
        ? `${last.branch} ${last.verb === 'approve' ? 'approved' : 'aborted'} by ${whoOf(last)}, ${when(last.startedAt)}.`
        : inbox.sleepBranches.length > 0
          ? `${count(inbox.sleepBranches.length, 'branch', 'branches')} on a remote can be read, not approved.`
          : 'No sleep branch is there. Branches that match the pattern of this repository are shown here.'
      : [
          ...(local.length > 0
            ? [
                `${count(
                  local.reduce((sum, b) => sum + b.left, 0),
                  'file',
                )} left to look at.`,
              ]
            : []),
          ...(mine.length > 0 ? [`${count(mine.length, 'merge candidate')} to settle.`] : []),
          ...(inConflict.length > 0 ? [`${count(conflictsWaiting(inConflict), 'file')} in conflict.`] : []),
        ].join(' ')

  return (
    <div className="home">
      <header>
        <h1>{waiting === 0 ? 'Nothing waits for you' : `${count(waiting, 'thing waits', 'things wait')} for you`}</h1>
        <p className="dim">{lead}</p>
        {local.length + inConflict.length + mine.length > 0 && (
          <p className="waiting">
            {inConflict.map((set) => (
              <a key={set.title} className="btn" href={hashOf(routeOfSet(repoId, set))}>
                Resolve: {set.title}
              </a>
            ))}
            {mine.slice(0, 6).map((row) => (
              <a key={row.id} className="btn" href={hashOf(candidateRoute(repoId, row))}>
                Settle {showPath(row.path)}
              </a>
            ))}
            {local.slice(0, 6).map((b) => (
              <a key={b.ref} className="btn" href={hashOf({ page: 'sleep', repoId, branch: b.branch })}>
                Review {b.branch}
              </a>
            ))}
          </p>
        )}
      </header>
      {losses.length > 0 && <LostLines repoId={repoId} reports={losses} />}
      <Cycle inbox={inbox} waiting={waiting} />
      <div className="two">
        <WeekPanel week={inbox.week} />
        <Lately repoId={repoId} history={history} />
      </div>
    </div>
  )
}
