import type { BrowserWindow } from 'electron'
import type { EventName, EventPayload } from '../../shared/contract/index.ts'
import { EVENT } from './channels.ts'

/** Brings the window to the front and tells its page what was asked for from outside. */
export interface Opener {
  /** Opens the first window; `open` is kept for when it was closed and is wanted again. */
  begin(open: () => BrowserWindow): void
  /** Shows a repository, or without one only the window. */
  show(path: string | null): void
  send<E extends EventName>(event: E, payload: EventPayload<E>): void
}

/** Makes an opener. What is sent before the page is there is told once it is. */
export function createOpener(): Opener {
  let reopen: (() => BrowserWindow) | null = null
  let window: BrowserWindow | null = null
  let ready = false
  let waiting: string[] = []

  const begin: Opener['begin'] = (open) => {
    reopen = open
    const opened = open()
    window = opened
    opened.webContents.on('did-finish-load', () => {
      ready = true
      for (const text of waiting) opened.webContents.send(EVENT, text)
      waiting = []
    })
    opened.on('closed', () => {
      ready = false
      window = null
    })
  }
  const send: Opener['send'] = (event, payload) => {
    const text = JSON.stringify({ event, payload })
    if (ready) window?.webContents.send(EVENT, text)
    else waiting.push(text)
  }
  return {
    begin,
    send,
    show(path) {
      if (window === null && reopen !== null) begin(reopen)
      if (window?.isMinimized()) window.restore()
      window?.focus()
      if (path !== null) send('app.openRequested', { path })
    },
  }
}
