import type { AppSettings } from '../../shared/model/index.ts'
import { type App, arrive, go, showError, wireOf } from './app.ts'
import { refreshCandidates } from './candidateList.ts'
import { announceCandidate } from './candidates.ts'
import { refreshConflicts, routeOfSet, setsOf } from './conflicts.ts'
import { branchKey } from './mirror.ts'
import { openRepository, refreshHistory, refreshInbox, refreshRecent } from './repositories.ts'
import { isUnsaved, rereadOpened, saveAll } from './resolverItems.ts'
import { refreshPreview, refreshReview, rereadTicks } from './reviews.ts'
import { restored, saveable } from './session.ts'

const SAVE_AFTER_MS = 600

/** Reads the first facts, restores the session and opens what was asked for, else what was open last. */
export async function start(app: App): Promise<void> {
  let info: Awaited<ReturnType<typeof app.client.call<'app.info'>>>
  try {
    info = await app.client.call('app.info', {})
  } catch (error) {
    app.mirror.setState({ fatal: wireOf(error) })
    return
  }
  app.mirror.setState({ info, recent: info.recent, fatal: null })
  const { chosen } = app.mirror.getState()
  if (chosen !== null) void changeSettings(app, chosen)
  const before = restored(info.session)
  const asked = app.session.getState().route
  app.session.setState(before)
  arrive(app, asked.page === 'landing' ? (before.route ?? asked) : asked)
  saveOnChange(app)

  const { route } = app.session.getState()
  const known = route.page === 'landing' ? undefined : info.recent.find((r) => r.id === route.repoId && !r.missing)
  const path = info.initial ?? (asked.page === 'landing' ? null : known?.path)
  const first = asked.page !== 'landing' && known ? known.path : path
  if (!first) return go(app, { page: 'landing' }, 'replace')
  const opened = await openRepository(app, first, route)
  if (!opened) go(app, { page: 'landing' }, 'replace')
  else if (info.tool) await showTool(app)
}

/** Started as a merge tool: the page is the tool's one file. */
async function showTool(app: App): Promise<void> {
  const { route } = app.session.getState()
  if (route.page === 'landing') return
  await refreshConflicts(app, route.repoId)
  const set = setsOf(app, route.repoId).find((one) => one.source.from === 'tool')
  if (set) go(app, routeOfSet(route.repoId, set), 'replace')
}

function saveOnChange(app: App): void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let saved = ''
  const save = () => {
    timer = null
    const session = saveable(app.session.getState())
    if (session === saved) return
    saved = session
    app.client.call('app.saveSession', { session }).catch(() => {
      saved = ''
    })
  }
  app.session.subscribe(() => {
    if (timer === null) timer = setTimeout(save, SAVE_AFTER_MS)
  })
  if (typeof document !== 'undefined')
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'hidden') return
      save()
      saveAll(app)
    })
  if (typeof addEventListener === 'undefined') return
  // The browser asks only where something decided is not kept yet; it is kept meanwhile.
  addEventListener('beforeunload', (event) => {
    if (!isUnsaved(app)) return
    saveAll(app)
    event.preventDefault()
  })
}

/** Reads again all that is on the page about one repository. */
export function refreshVisible(app: App, repoId: string): void {
  void refreshInbox(app, repoId)
  void refreshConflicts(app, repoId)
  void refreshCandidates(app, repoId)
  rereadOpened(app, repoId)
  const { route } = app.session.getState()
  if (route.page === 'landing' || route.repoId !== repoId) return
  if (route.page === 'sleep') void refreshReview(app, repoId, route.branch)
  if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
}

/** Follows what the core announces, and asks for everything again after the connection was lost. */
export function follow(app: App): () => void {
  const off = [
    app.client.on('repo.changed', ({ repoId, what }) => {
      void refreshInbox(app, repoId)
      void refreshConflicts(app, repoId)
      void refreshCandidates(app, repoId)
      rereadOpened(app, repoId)
      const { route } = app.session.getState()
      if (route.page !== 'sleep' || route.repoId !== repoId) {
        if (app.mirror.getState().repos[repoId]?.history) void refreshHistory(app, repoId)
        return
      }
      const { branches } = app.session.getState()
      if (what.includes('marks')) {
        const shown = branches[branchKey(repoId, route.branch)]?.path ?? null
        rereadTicks(app, repoId, route.branch, shown)
      }
      if (what.every((w) => w === 'worktree')) void refreshPreview(app, repoId, route.branch)
      else void refreshReview(app, repoId, route.branch)
    }),
    app.client.on('operation.progress', (progress) => {
      app.mirror.setState((m) => {
        const before = m.running[progress.repoId]
        if (before === undefined) return m
        const output = before.output + (progress.output ?? '')
        return { running: { ...m.running, [progress.repoId]: { ...progress, output } } }
      })
    }),
    app.client.on('candidate.waits', (waits) => {
      void refreshCandidates(app, waits.repoId)
      announceCandidate(app, waits)
    }),
    app.client.on('app.openRequested', ({ path }) => void openRepository(app, path)),
    app.client.onReconnect(() => {
      app.mirror.setState({ connected: true, commits: {} })
      void refreshRecent(app)
      for (const repo of Object.values(app.mirror.getState().repos)) void reopen(app, repo.repository.path)
    }),
  ]
  return () => {
    for (const stop of off) stop()
  }
}

/** A core that was started anew does not have the repository open any more. */
async function reopen(app: App, path: string): Promise<void> {
  try {
    const { id } = await app.client.call('repo.open', { path })
    refreshVisible(app, id)
  } catch (error) {
    showError(app, `${path} was not opened again`, error)
  }
}

/** Changes personal settings; the page follows at once, also before it is known what they were. */
export async function changeSettings(app: App, change: Partial<AppSettings>): Promise<void> {
  const { info, chosen } = app.mirror.getState()
  if (info === null) return app.mirror.setState({ chosen: { ...chosen, ...change } })
  app.mirror.setState({ info: { ...info, settings: { ...info.settings, ...change } }, chosen: null })
  try {
    const settings = await app.client.call('app.setSettings', { settings: change })
    const now = app.mirror.getState().info
    if (now) app.mirror.setState({ info: { ...now, settings } })
  } catch (error) {
    app.mirror.setState({ info })
    showError(app, 'The setting was not kept', error)
  }
}
