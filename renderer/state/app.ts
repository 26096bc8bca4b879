import type { Client } from '../../shared/contract/types.ts'
import type { WireError } from '../../shared/errors/appError.ts'
import { RemoteError } from '../transport/index.ts'
import { createMirror, type MirrorStore, type RepoMirror, type ReviewMirror } from './mirror.ts'
import { createOverlays, type Overlay, type OverlayStore, type Remedy, type Toast, type Undoable } from './overlay.ts'
import { problemOfError } from './problem.ts'
import { createResolver, type ResolverStore } from './resolver.ts'
import { hashOf, type Route, routeOf } from './route.ts'
import { type BranchSession, createSession, NEW_BRANCH, type SessionStore } from './session.ts'

/** Everything that the page runs on. Actions are functions that take it first. */
export interface App {
  readonly client: Client
  readonly mirror: MirrorStore
  readonly session: SessionStore
  readonly overlays: OverlayStore
  readonly resolver: ResolverStore
}

export function createApp(client: Client, hash = ''): App {
  return {
    client,
    mirror: createMirror(),
    session: createSession(routeOf(hash)),
    overlays: createOverlays(),
    resolver: createResolver(),
  }
}

/** The wire form of anything thrown: a RemoteError's own, or a bug of the page itself. */
export function wireOf(error: unknown): WireError {
  if (error instanceof RemoteError) return error.wire
  return {
    code: 'ERR_INTERNAL',
    message: `Something in Daybreak itself went wrong: ${error instanceof Error ? error.message : String(error)}`,
    unchanged: ['An unfinished act is finished or rolled back at the next command.'],
    suggestions: [{ label: 'Look for what is wrong', shell: 'daybreak doctor' }],
    data: {},
  }
}

export function patchRepo(app: App, repoId: string, patch: Partial<RepoMirror>): void {
  app.mirror.setState((m) => {
    const before = m.repos[repoId]
    return before === undefined ? m : { repos: { ...m.repos, [repoId]: { ...before, ...patch } } }
  })
}

const NO_REVIEW: ReviewMirror = { review: null, preview: null, problem: null }

export function patchReview(app: App, key: string, patch: Partial<ReviewMirror>): void {
  app.mirror.setState((m) => ({ reviews: { ...m.reviews, [key]: { ...NO_REVIEW, ...m.reviews[key], ...patch } } }))
}

export function patchBranch(app: App, key: string, patch: Partial<BranchSession>): void {
  app.session.setState((s) => ({ branches: { ...s.branches, [key]: { ...NEW_BRANCH, ...s.branches[key], ...patch } } }))
}

/** Goes to a page; the address follows, so that Back works. */
export function go(app: App, route: Route, how: 'push' | 'replace' = 'push'): void {
  app.session.setState({ route })
  if (typeof history === 'undefined' || location.hash === hashOf(route)) return
  if (how === 'push') history.pushState(null, '', hashOf(route))
  else history.replaceState(null, '', hashOf(route))
}

/** Takes over a route from the address; a file that it names becomes the chosen one. */
export function arrive(app: App, route: Route): void {
  app.session.setState({ route })
  if (route.page === 'sleep' && route.path !== undefined)
    patchBranch(app, `${route.repoId} ${route.branch}`, { path: route.path, change: 0, scroll: 0, commit: null })
}

export function openOverlay(app: App, overlay: Overlay | null): void {
  app.overlays.setState({ overlay })
}

let lastToast = 0

export function showToast(
  app: App,
  text: string,
  tone: Toast['tone'] = 'ok',
  undo: Toast['undo'] = null,
  act: Toast['act'] = null,
): void {
  lastToast += 1
  app.overlays.setState({ toast: { id: lastToast, text, tone, undo, act } })
}

/** Says something to screen readers. */
export function say(app: App, text: string): void {
  app.overlays.setState((o) => ({ said: { id: o.said.id + 1, text } }))
}

const UNDO_DEPTH = 100

export function pushUndo(app: App, undoable: Undoable): void {
  app.overlays.setState((o) => ({ undo: [...o.undo.slice(1 - UNDO_DEPTH), undoable] }))
}

/** Shows a failure over the page, with what helps. */
export function showError(app: App, title: string, error: unknown, remedies: readonly Remedy[] = []): void {
  openOverlay(app, { kind: 'problem', problem: problemOfError(title, wireOf(error), remedies) })
}
