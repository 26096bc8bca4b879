import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BatchRow, ConflictSource, FolderListing, Refusal } from '../../shared/model/index.ts'

/** A button of a problem: what it says and what it does. */
export interface Remedy {
  readonly label: string
  /** Id of a command of the app. */
  readonly command?: string
  readonly run?: () => void
}

/** What a person needs to know when something did not work. */
export interface Problem {
  readonly title: string
  readonly what: string
  /** Paths it is about, one a line, exact. */
  readonly paths: readonly string[]
  readonly unchanged: readonly string[]
  readonly helps: readonly string[]
  /** Command lines that help, to be copied. */
  readonly shell: readonly string[]
  readonly code: string
  readonly remedies: readonly Remedy[]
}

/** The one thing that lies over the page. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'about' }
  | { readonly kind: 'open-folder'; readonly start: FolderListing | null }
  | { readonly kind: 'trust'; readonly repoId: string; readonly branch: string | null }
  | { readonly kind: 'approve'; readonly repoId: string; readonly branch: string; readonly bringMainIn: boolean }
  | { readonly kind: 'report'; readonly repoId: string; readonly branch: string }
  | { readonly kind: 'local-changes'; readonly refusal: Extract<Refusal, { refusal: 'dirty-tree' }> }
  | {
      readonly kind: 'batch'
      readonly repoId: string
      readonly source: ConflictSource
      readonly take: 'ours' | 'theirs'
      readonly items: readonly { readonly item: string; readonly fingerprint: string }[]
      readonly rows: readonly BatchRow[]
    }
  | { readonly kind: 'abort-operation'; readonly repoId: string; readonly source: ConflictSource }
  | { readonly kind: 'discard'; readonly repoId: string; readonly candidate: string }
  | { readonly kind: 'problem'; readonly problem: Problem }

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'ok' | 'plain' | 'wait'
  readonly undo: (() => void) | null
  /** Where it leads, when it tells of something that waits. */
  readonly act: { readonly label: string; run(): void } | null
}

/** Something the person did that `Ctrl/Cmd+Z` takes back. */
export interface Undoable {
  readonly label: string
  undo(): void | Promise<void>
}

export interface OverlayState {
  readonly overlay: Overlay | null
  readonly toast: Toast | null
  readonly undo: readonly Undoable[]
  /** Said to screen readers only. */
  readonly said: { readonly id: number; readonly text: string }
}

export type OverlayStore = StoreApi<OverlayState>

export function createOverlays(): OverlayStore {
  return createStore<OverlayState>(() => ({
    overlay: null,
    toast: null,
    undo: [],
    said: { id: 0, text: '' },
  }))
}
