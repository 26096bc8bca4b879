import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Refusal } from '../../shared/model/index.ts'
import type { Route } from './route.ts'

/** How a file is shown: a memory as text, or anything as raw lines side by side or inline. */
export type FileView = 'text' | 'side' | 'inline'

export interface Filter {
  readonly path: string
  readonly kind: string
  readonly phase: string
  readonly viewed: 'all' | 'no' | 'yes'
}

export const NO_FILTER: Filter = { path: '', kind: '', phase: '', viewed: 'all' }

/** What the person chose on one branch. */
export interface BranchSession {
  readonly path: string | null
  /** The change of the file that is current, by index. */
  readonly change: number
  readonly scroll: number
  /** Groups opened or closed by hand, by id; the rest is as it comes. */
  readonly open: Readonly<Record<string, boolean>>
  readonly filter: Filter
  readonly filtering: boolean
  /** Rises with each step to a file or change that the person asked for, so that it is scrolled to and focused. */
  readonly jump: number
  /** The commit that is walked, null for the whole run. */
  readonly commit: string | null
  readonly allCommits: boolean
  /** The refusal of the last try to approve, kept until another tip or another try. */
  readonly refused: { readonly tip: string; readonly refusal: Refusal } | null
}

export const NEW_BRANCH: BranchSession = {
  path: null,
  change: 0,
  scroll: 0,
  open: {},
  filter: NO_FILTER,
  filtering: false,
  jump: 0,
  commit: null,
  allCommits: false,
  refused: null,
}

export interface Session {
  readonly route: Route
  readonly memoryView: FileView
  readonly rawView: Exclude<FileView, 'text'>
  readonly branches: Readonly<Record<string, BranchSession>>
}

export type SessionStore = StoreApi<Session>

export function createSession(route: Route): SessionStore {
  return createStore<Session>(() => ({ route, memoryView: 'text', rawView: 'side', branches: {} }))
}

/** How many branches are remembered over a restart. */
const KEPT_BRANCHES = 50

/** The session as it is put by with `app.saveSession`. */
export function saveable(session: Session): string {
  const branches = Object.entries(session.branches).slice(-KEPT_BRANCHES)
  return JSON.stringify({
    version: 1,
    route: session.route,
    memoryView: session.memoryView,
    rawView: session.rawView,
    branches: Object.fromEntries(
      branches.map(([key, b]) => [key, { path: b.path, change: b.change, scroll: b.scroll, open: b.open }]),
    ),
  })
}

const isView = (value: unknown): value is FileView => value === 'text' || value === 'side' || value === 'inline'
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Reads back what `saveable` wrote; what is not understood is left out. */
export function restored(saved: string | null): Partial<Session> {
  try {
    const raw: unknown = saved === null ? null : JSON.parse(saved)
    if (!isRecord(raw) || raw.version !== 1) return {}
    const branches: Record<string, BranchSession> = {}
    for (const [key, value] of Object.entries(isRecord(raw.branches) ? raw.branches : {})) {
      if (!isRecord(value)) continue
      branches[key] = {
        ...NEW_BRANCH,
        path: typeof value.path === 'string' ? value.path : null,
        change: typeof value.change === 'number' ? value.change : 0,
        scroll: typeof value.scroll === 'number' ? value.scroll : 0,
        open: isRecord(value.open) ? (value.open as Record<string, boolean>) : {},
      }
    }
    const route =
      isRecord(raw.route) && typeof raw.route.page === 'string' ? (raw.route as unknown as Route) : undefined
    return {
      branches,
      ...(route ? { route } : {}),
      ...(isView(raw.memoryView) ? { memoryView: raw.memoryView } : {}),
      ...(raw.rawView === 'side' || raw.rawView === 'inline' ? { rawView: raw.rawView } : {}),
    }
  } catch {
    return {}
  }
}
