import type { RecentRepository } from '../../shared/model/index.ts'
import { type App, go, openOverlay, patchRepo, showError, wireOf } from './app.ts'
import { refreshCandidates } from './candidateList.ts'
import { coalesced } from './coalesce.ts'
import { refreshConflicts } from './conflicts.ts'
import type { Route } from './route.ts'

type ById = Map<App, (key: string) => Promise<void>>
const inboxes: ById = new Map()

/** Reads the inbox of an opened repository again. Failures keep the last one and are told beside it. */
export function refreshInbox(app: App, repoId: string): Promise<void> {
  let run = inboxes.get(app)
  if (run === undefined) {
    run = coalesced(async (id) => {
      try {
        const inbox = await app.client.call('inbox.get', { repoId: id })
        patchRepo(app, id, { inbox, repository: inbox.repository, problem: null })
      } catch (error) {
        patchRepo(app, id, { problem: wireOf(error) })
      }
    })
    inboxes.set(app, run)
  }
  return run(repoId)
}

/** Reads the history of an opened repository again. */
export async function refreshHistory(app: App, repoId: string): Promise<void> {
  try {
    patchRepo(app, repoId, { history: await app.client.call('history.list', { repoId, limit: 200 }) })
  } catch (error) {
    patchRepo(app, repoId, { problem: wireOf(error) })
  }
}

/** The page to show first for a repository: the newest branch that waits, else its home. */
export function firstPage(app: App, repoId: string): Route {
  const waiting = app.mirror.getState().repos[repoId]?.inbox?.sleepBranches.find((b) => b.remote === null)
  return waiting ? { page: 'sleep', repoId, branch: waiting.branch } : { page: 'home', repoId }
}

/** Opens a repository without showing it; null where it failed and the failure is shown. */
async function load(app: App, path: string, quiet: boolean): Promise<string | null> {
  try {
    const repository = await app.client.call('repo.open', { path })
    app.mirror.setState((m) => ({
      repos: {
        ...m.repos,
        [repository.id]: { inbox: null, history: null, problem: null, ...m.repos[repository.id], repository },
      },
    }))
    return repository.id
  } catch (error) {
    if (!quiet)
      showError(app, `${path} was not opened`, error, [
        { label: 'Try again', run: () => void openRepository(app, path) },
      ])
    return null
  }
}

/** Opens a repository and shows it, at `route` where that belongs to it. */
export async function openRepository(
  app: App,
  path: string,
  route: Route | null = null,
  quiet = false,
): Promise<boolean> {
  const repoId = await load(app, path, quiet)
  if (repoId === null) return false
  const here = route !== null && route.page !== 'landing' && route.repoId === repoId
  if (here) go(app, route, 'replace')
  else go(app, { page: 'home', repoId })
  void refreshConflicts(app, repoId)
  void refreshCandidates(app, repoId)
  await refreshInbox(app, repoId)
  const at = app.session.getState().route
  if (!here && at.page === 'home' && at.repoId === repoId) go(app, firstPage(app, repoId), 'replace')
  void refreshRecent(app).then(() => loadOther(app, repoId))
  return true
}

/** The repository that is one click away from `current`: the one opened before it. */
export const otherOf = (app: App, current: string): RecentRepository | null =>
  app.mirror.getState().recent.find((r) => r.id !== current && !r.missing) ?? null

/** Reads what waits in the repository that is one click away, without showing it or making it the last one. */
export async function loadOther(app: App, current: string): Promise<void> {
  const other = otherOf(app, current)
  if (other === null || app.mirror.getState().repos[other.id]) return
  try {
    const repository = await app.client.call('repo.open', { path: other.path, background: true })
    app.mirror.setState((m) => ({
      repos: { [repository.id]: { inbox: null, history: null, problem: null, repository }, ...m.repos },
    }))
    await refreshInbox(app, repository.id)
  } catch {
    // It is shown without a count; opening it says what is wrong.
  }
}

/** The system's folder dialog where the host has one, else the app's own. */
export async function pickRepository(app: App): Promise<void> {
  if (app.mirror.getState().info?.host !== 'electron') return openOverlay(app, { kind: 'open-folder', start: null })
  try {
    const { path } = await app.client.call('repo.pick', {})
    if (path !== null) await openRepository(app, path)
  } catch (error) {
    if (wireOf(error).code === 'ERR_NOT_SUPPORTED_HERE') openOverlay(app, { kind: 'open-folder', start: null })
    else showError(app, 'No folder was chosen', error)
  }
}

/** Builds the sample repository anew and shows it. */
export async function openSample(app: App): Promise<void> {
  try {
    const repository = await app.client.call('demo.create', {})
    app.mirror.setState((m) => ({
      repos: { ...m.repos, [repository.id]: { inbox: null, history: null, problem: null, repository } },
    }))
    go(app, { page: 'home', repoId: repository.id })
    void refreshRecent(app)
    void refreshConflicts(app, repository.id)
    void refreshCandidates(app, repository.id)
    await refreshInbox(app, repository.id)
    go(app, firstPage(app, repository.id), 'replace')
  } catch (error) {
    showError(app, 'The sample repository was not made', error, [
      { label: 'Try again', run: () => void openSample(app) },
    ])
  }
}

export async function refreshRecent(app: App): Promise<void> {
  try {
    app.mirror.setState({ recent: await app.client.call('repo.recent', {}) })
  } catch {
    // The list is a convenience: the one that is shown stays.
  }
}

export async function pinRecent(app: App, path: string, pinned: boolean): Promise<void> {
  try {
    app.mirror.setState({ recent: await app.client.call('repo.pin', { path, pinned }) })
  } catch (error) {
    showError(app, `${path} was not ${pinned ? 'pinned' : 'unpinned'}`, error)
  }
}

export async function forgetRecent(app: App, path: string): Promise<void> {
  try {
    app.mirror.setState({ recent: await app.client.call('repo.forget', { path }) })
  } catch (error) {
    showError(app, `${path} was not removed from the list`, error)
  }
}
