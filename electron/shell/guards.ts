import { app, type Session, shell, type WebContents } from 'electron'
import { PAGE_ORIGIN } from './channels.ts'
import { mayOpenOutside } from './links.ts'

const ours = (address: string) => address.startsWith(`${PAGE_ORIGIN}/`)

/** Refuses every permission a page could ask for but one: to put text on the clipboard, for the copy buttons. */
export function denyPermissions(session: Session): void {
  const allowed = (permission: string, address: string) =>
    permission === 'clipboard-sanitized-write' && ours(`${address.replace(/\/$/, '')}/`)
  session.setPermissionRequestHandler((contents, permission, answer) => answer(allowed(permission, contents.getURL())))
  session.setPermissionCheckHandler((_contents, permission, origin) => allowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
}

/** No page leaves `app://`, opens a window or embeds one; a link of the allow-list goes to the system's browser. */
export function guardNavigation(): void {
  app.on('web-contents-created', (_event, contents) => guard(contents))
}

function guard(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!ours(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!ours(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url)) void shell.openExternal(url)
    return { action: 'deny' }
  })
}
