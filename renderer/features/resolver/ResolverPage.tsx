import './resolver.css'
import './choices.css'
import './overview.css'
import { useEffect, useState } from 'react'
import { preloadMergeEditors } from '../../editor/merge/load.ts'
import { go } from '../../state/app.ts'
import { findSet, refreshConflicts } from '../../state/conflicts.ts'
import { useApp, useLost, useMirror, useResolver } from '../../state/react.ts'
import { itemKey } from '../../state/resolver.ts'
import { readItem, saveNow, stopReading } from '../../state/resolverItems.ts'
import type { Route } from '../../state/route.ts'
import { ItemPage } from './ItemPage.tsx'
import { Overview } from './Overview.tsx'

interface Props {
  readonly route: Extract<Route, { page: 'conflict' }>
}

/** The conflicts of one source, or one of them. */
export function ResolverPage({ route }: Props) {
  const app = useApp()
  const { repoId, source, item } = route
  const conflicts = useMirror((m) => m.conflicts[repoId])
  const set = findSet(conflicts?.list?.sets ?? [], source)
  const ended = useResolver((r) => r.toolEnded)
  const known = conflicts?.list != null

  useEffect(() => void refreshConflicts(app, repoId), [app, repoId])
  useEffect(preloadMergeEditors, [])
  if (ended !== null && source.from === 'tool') return <Ended how={ended} />
  if (item !== undefined) return <Opened route={route} item={item} />
  if (set) return <Overview repoId={repoId} set={set} />
  return (
    <Plain title="Conflicts">
      {known ? (
        <>
          Nothing is in conflict here any more.{' '}
          <button type="button" className="btn" onClick={() => go(app, { page: 'home', repoId })}>
            Show the inbox
          </button>
        </>
      ) : conflicts?.problem ? (
        <span role="alert">
          {conflicts.problem.message}{' '}
          <button type="button" className="btn" onClick={() => void refreshConflicts(app, repoId)}>
            Try again
          </button>
        </span>
      ) : (
        'Reading the conflicts.'
      )}
    </Plain>
  )
}

function Opened({ route, item }: { readonly route: Props['route']; readonly item: string }) {
  const app = useApp()
  const { repoId, source } = route
  const key = itemKey(repoId, source, item)
  const opened = useResolver((r) => r.items[key])
  const set = useMirror((m) => findSet(m.conflicts[repoId]?.list?.sets ?? [], source))

  useEffect(() => {
    void readItem(app, repoId, source, item)
    return () => void saveNow(app, key)
  }, [app, key, repoId, source, item])

  const path = set?.items.find((one) => one.id === item)?.path ?? 'Conflict'
  if (opened === undefined) return <Reading id={key} title={path} />
  if ('problem' in opened)
    return (
      <Plain title={path}>
        <span role="alert">
          {opened.problem.message} {opened.problem.unchanged.join(' ')}
        </span>{' '}
        <button type="button" className="btn" onClick={() => void readItem(app, repoId, source, item)}>
          Try again
        </button>{' '}
        <button type="button" className="btn" onClick={() => go(app, { page: 'conflict', repoId, source })}>
          Show all files in conflict
        </button>
      </Plain>
    )
  return <ItemPage id={key} open={opened} set={set} />
}

/** When a reading counts as long, and how often its seconds are told, in milliseconds. */
const LONG_MS = 1000

/** While the sides are read: nothing much at first, then for how long, and the way to stop it. */
function Reading({ id, title }: { readonly id: string; readonly title: string }) {
  const app = useApp()
  const lost = useLost()
  const since = useResolver((r) => r.reading[id]?.since ?? null)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (since === null) return
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - since) / LONG_MS)), LONG_MS)
    return () => clearInterval(timer)
  }, [since])
  return (
    <Plain title={title}>
      <span role="status">{seconds < 1 ? 'Reading the sides.' : 'Reading the sides takes longer than usual.'}</span>{' '}
      {seconds > 0 && (
        <>
          <span className="dim" role="timer">
            {seconds} s
          </span>{' '}
          <button
            type="button"
            className="btn"
            aria-disabled={lost !== null}
            title={lost ?? 'Stop reading; nothing was changed'}
            onClick={() => lost === null && void stopReading(app, id)}
          >
            Cancel
          </button>
        </>
      )}
    </Plain>
  )
}

function Ended({ how }: { readonly how: 'resolved' | 'given-up' }) {
  return (
    <Plain title={how === 'resolved' ? 'Resolved' : 'Given up'}>
      {how === 'resolved' ? 'The result is written.' : 'Nothing was written.'} The merge tool has ended; this window can
      be closed.
    </Plain>
  )
}

function Plain({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <>
      <header className="page-head">
        <div className="top">
          <h1 className="cut">{title}</h1>
        </div>
      </header>
      <div className="reading">{children}</div>
    </>
  )
}
