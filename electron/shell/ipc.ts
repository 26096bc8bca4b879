import { ipcMain, type WebContents, type WebFrameMain } from 'electron'
import type { Door } from '../host/door.ts'
import { EVENT, INVOKE, PAGE_ORIGIN } from './channels.ts'

interface Asked {
  readonly method?: unknown
  readonly params?: unknown
}

/** Whether a frame is the top frame of one of our windows and shows our page. */
function isOurPage(frame: WebFrameMain | null, contents: WebContents, windows: () => readonly WebContents[]): boolean {
  return (
    frame !== null &&
    frame === contents.mainFrame &&
    windows().includes(contents) &&
    frame.url.startsWith(`${PAGE_ORIGIN}/`)
  )
}

/** Carries calls from our pages to the core and events back. Anyone else's call is an error and reaches no handler. */
export function connectPages(door: Door, windows: () => readonly WebContents[]): () => void {
  ipcMain.handle(INVOKE, async (event, text: unknown) => {
    if (!isOurPage(event.senderFrame, event.sender, windows)) throw new Error('This page may not ask anything.')
    const { method, params }: Asked = JSON.parse(String(text))
    return JSON.stringify(await door.call(method, params, { via: 'app' }))
  })
  const stop = door.subscribe((event, payload) => {
    const text = JSON.stringify({ event, payload })
    for (const contents of windows()) if (!contents.isDestroyed()) contents.send(EVENT, text)
  })
  return () => {
    stop()
    ipcMain.removeHandler(INVOKE)
  }
}
