import './frame.css'
import './rail.css'
import './page.css'
import { useEffect, useRef } from 'react'
import { HistoryPage } from '../features/history/HistoryPage.tsx'
import { HomePage } from '../features/home/HomePage.tsx'
import { Landing } from '../features/landing/Landing.tsx'
import { ResolverPage } from '../features/resolver/ResolverPage.tsx'
import { MarksPage } from '../features/sleep/MarksPage.tsx'
import { SleepPage } from '../features/sleep/SleepPage.tsx'
import { findSet } from '../state/conflicts.ts'
import type { Mirror } from '../state/mirror.ts'
import { useApp, useMirror, useResolver, useSession } from '../state/react.ts'
import { hashOf, type Route } from '../state/route.ts'
import { showPath } from '../ui/path.ts'
import { Boundary } from './Boundary.tsx'
import { Fatal } from './Fatal.tsx'
import { Overlays } from './Overlays.tsx'
import { Rail } from './Rail.tsx'
import { Sidebar } from './Sidebar.tsx'
import { TitleBar } from './TitleBar.tsx'
import { followTheme } from './theme.ts'
import { useDrop, useHash, useKeyboard, useNativeCommands, useRefreshOnFocus } from './wiring.ts'

const FOCUS_PAGE = () => document.getElementById('page')?.focus()

/** The whole window: title bar, inbox, the page of the route, and what lies over it. */
export function Frame() {
  const app = useApp()
  const theme = useMirror((m) => m.chosen?.theme ?? m.info?.settings.theme ?? 'system')
  const fatal = useMirror((m) => m.fatal)
  const started = useMirror((m) => m.info !== null)
  const connected = useMirror((m) => m.connected)
  const route = useSession((s) => s.route)
  const repo = useMirror((m) => (route.page === 'landing' ? undefined : m.repos[route.repoId]))

  useEffect(() => followTheme(theme), [theme])
  useHash(app)
  useKeyboard(app)
  useNativeCommands(app)
  useRefreshOnFocus(app)
  const dropping = useDrop(app)

  const conflict = useMirror((m) => (route.page === 'conflict' ? conflictTitle(m, route) : null))
  const title = route.page === 'sleep' ? route.branch : route.page === 'history' ? 'History' : conflict
  useEffect(() => {
    document.title = [title, repo?.repository.name, 'Daybreak'].filter(Boolean).join(' · ')
  }, [title, repo?.repository.name])

  // What had the focus is gone with the page it was on; the next one takes it, so that Tab goes on from there.
  const page = hashOf(route)
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    if (document.activeElement === document.body) FOCUS_PAGE()
  }, [page])

  const toolEnded = useResolver((r) => r.toolEnded)
  const railed = repo !== undefined && route.page === 'conflict'

  if (fatal) return <Fatal problem={fatal} />
  return (
    <>
      <button type="button" className="skip" onClick={FOCUS_PAGE}>
        Skip to the page
      </button>
      <div className={`app${repo ? '' : ' bare'}${railed ? ' rail' : ''}`}>
        <TitleBar repository={repo?.repository ?? null} inbox={repo?.inbox ?? null} />
        {repo && (railed ? <Rail repoId={repo.repository.id} /> : <Sidebar repoId={repo.repository.id} />)}
        <main id="page" tabIndex={-1}>
          {!connected && toolEnded === null && (
            <div className="banner" role="alert">
              The connection to Daybreak was lost. Nothing can be changed until it is back; trying again. Where it was
              started anew, open it by its new link.
            </div>
          )}
          <Boundary key={page}>
            {started && !repo && <Landing />}
            {repo && route.page === 'home' && <HomePage repoId={repo.repository.id} />}
            {repo && route.page === 'history' && <HistoryPage repoId={repo.repository.id} />}
            {repo && route.page === 'conflict' && <ResolverPage key={page} route={route} />}
            {repo && route.page === 'sleep' && <Branch repoId={repo.repository.id} branch={route.branch} />}
          </Boundary>
        </main>
      </div>
      {dropping && (
        <div className="drop" aria-hidden="true">
          Drop the folder to open it
        </div>
      )}
      <Overlays />
    </>
  )
}

/** The path of the conflict that is shown, or what the overview is about. */
function conflictTitle(mirror: Mirror, route: Extract<Route, { page: 'conflict' }>): string {
  const set = findSet(mirror.conflicts[route.repoId]?.list?.sets ?? [], route.source)
  const item = set?.items.find((one) => one.id === route.item)
  return item ? showPath(item.path) : (set?.title ?? 'Conflicts')
}

/** A branch's review; where only its marks are left to apply, the page for that. */
function Branch({ repoId, branch }: { readonly repoId: string; readonly branch: string }) {
  const inbox = useMirror((m) => m.repos[repoId]?.inbox)
  const waiting = inbox?.marksWaiting.find((m) => m.branch === branch)
  const known = inbox?.sleepBranches.some((b) => b.branch === branch)
  if (waiting && !known) return <MarksPage repoId={repoId} waiting={waiting} />
  return <SleepPage key={`${repoId} ${branch}`} repoId={repoId} branch={branch} />
}
