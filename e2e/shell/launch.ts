import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { vi } from 'vitest'
import { installedChromium } from '../../scripts/browser.mjs'
import type { BrowserWindow } from './double/electron.ts'
import type { beginDouble, DoubleState } from './double/state.ts'

const root = resolve(import.meta.dirname, '../..')

export interface Launch {
  readonly state: DoubleState
  readonly window: () => BrowserWindow
  readonly windows: () => BrowserWindow[]
  readonly page: () => Promise<Page>
}

export interface LaunchOptions {
  readonly browser: Browser
  readonly home: string
  readonly argv?: readonly string[]
  readonly first?: boolean
  readonly displays?: DoubleState['displays']
}

export function startChromium(): Promise<Browser> {
  const executablePath = installedChromium()
  return chromium.launch(executablePath === null ? {} : { executablePath })
}

const DISPLAY = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } }

/** Starts the real `electron/main.ts` on a fresh double. Modules are loaded anew, so each launch is a process of its own. */
export async function launchShell(options: LaunchOptions): Promise<Launch> {
  vi.resetModules()
  const preload = readFileSync(join(root, 'dist', 'preload', 'preload.cjs'), 'utf8')
  // Loaded anew like the shell itself, so that both see this launch's state.
  const fresh: { beginDouble: typeof beginDouble } = await import('./double/state.ts')
  const { browser, first = true, displays = [DISPLAY] } = options
  const state = fresh.beginDouble({ browser, preload, first, displays })
  process.env.DAYBREAK_HOME = options.home
  process.argv = ['electron', root, ...(options.argv ?? [])]
  const double = await import('./double/electron.ts')
  await import('../../electron/main.ts')
  const windows = () => double.BrowserWindow.getAllWindows()
  const window = () => {
    const [only] = windows()
    if (!only) throw new Error('no window is open')
    return only
  }
  if (first) await vi.waitFor(() => window(), { timeout: 20_000 })
  return { state, windows, window, page: () => window().page }
}
