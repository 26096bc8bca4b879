import type { EventEmitter } from 'node:events'
import type { Browser } from '@playwright/test'

/** What one launch of the double is given, and what it records. */
export interface DoubleState {
  browser: Browser
  /** The built preload script's text. */
  preload: string
  /** Whether this instance gets the single-instance lock. */
  first: boolean
  displays: { id: number; workArea: { x: number; y: number; width: number; height: number } }[]
  /** Answers of `showOpenDialog`, in order. */
  dialogAnswers: { canceled: boolean; filePaths: string[] }[]
  dialogs: unknown[]
  lockData: unknown
  /** What `window.open` was answered. */
  openAnswers: string[]
  openedOutside: string[]
  shownInFolder: string[]
  menu: MenuEntry[]
  /** The dock's menu, and the jump list. */
  dock: MenuEntry[]
  jumpList: unknown
  permissionRequest: PermissionRequest | null
  permissionCheck: PermissionCheck | null
  /** Set by `app.quit` and `app.exit`. */
  exitCode: number | null
  exited: Promise<number>
  exit: (code: number) => void
  app: EventEmitter | null
}

export interface MenuEntry {
  label?: string
  role?: string
  accelerator?: string
  registerAccelerator?: boolean
  enabled?: boolean
  submenu?: MenuEntry[]
  click?: () => void
}

export type PermissionRequest = (
  contents: { getURL(): string },
  permission: string,
  answer: (allowed: boolean) => void,
) => void
export type PermissionCheck = (contents: null, permission: string, origin: string) => boolean

let current: DoubleState | null = null

/** Starts a launch: what the double works with from now on. */
export function beginDouble(given: Pick<DoubleState, 'browser' | 'preload' | 'first' | 'displays'>): DoubleState {
  const { promise, resolve } = Promise.withResolvers<number>()
  current = {
    ...given,
    dialogAnswers: [],
    dialogs: [],
    lockData: undefined,
    openAnswers: [],
    openedOutside: [],
    shownInFolder: [],
    menu: [],
    dock: [],
    jumpList: undefined,
    permissionRequest: null,
    permissionCheck: null,
    exitCode: null,
    exited: promise,
    exit: resolve,
    app: null,
  }
  return current
}

export function doubleState(): DoubleState {
  if (current === null) throw new Error('no launch of the double has begun')
  return current
}
