import { BrowserWindow, screen } from 'electron'
import { PAGE_ORIGIN } from './channels.ts'
import { placeWindow, readWindowState, SMALLEST, writeWindowState } from './windowState.ts'

export interface WindowSetup {
  /** The built preload script, absolute. */
  readonly preload: string
  /** Where the window's place is remembered. */
  readonly stateFile: string
  /** Called when the page could not be shown. */
  readonly onFailure: (error: unknown) => void
}

/** Opens the app's window where it was last time, as far as that is still on a display. */
export function openWindow({ preload, stateFile, onFailure }: WindowSetup): BrowserWindow {
  const state = readWindowState(stateFile)
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter((display) => display.id !== primary.id)
  const place = placeWindow(
    state,
    [primary, ...others].map((display) => display.workArea),
  )
  const window = new BrowserWindow({
    ...place,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    title: 'Daybreak',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  if (state?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', () =>
    writeWindowState(stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() }),
  )
  window.loadURL(`${PAGE_ORIGIN}/`).catch((error: unknown) => {
    // A window that was closed while it loaded is no failure.
    if (!window.isDestroyed()) onFailure(error)
  })
  return window
}
