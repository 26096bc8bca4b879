import { readFile } from 'node:fs/promises'
import { protocol } from 'electron'
import { SECURITY_HEADERS } from '../host/csp.ts'
import { pageFiles } from '../host/files.ts'
import { PAGE_HOST, SCHEME } from './channels.ts'

/** Must be called before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ])
}

/** Answers `app://daybreak/…` from the folder of the built page, with the policy on every answer. */
export function servePage(folder: string): void {
  const files = pageFiles(folder)
  protocol.handle(SCHEME, async (request) => {
    const url = new URL(request.url)
    const page = url.host === PAGE_HOST && request.method === 'GET' ? files.get(url.pathname) : undefined
    if (!page) return new Response('Nothing is here.', { status: 404, headers: SECURITY_HEADERS })
    return new Response(new Uint8Array(await readFile(page.file)), {
      headers: { ...SECURITY_HEADERS, 'Content-Type': page.type },
    })
  })
}
