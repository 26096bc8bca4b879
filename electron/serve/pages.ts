import { createReadStream, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from '../host/csp.ts'
import { type PageFile, pageFiles } from '../host/files.ts'
import type { Access } from './access.ts'
import { isOwnUser } from './peer.ts'

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A whole small page of plain text, for people who end up where the app cannot be shown. */
const note = (title: string, lines: readonly string[], head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>${head}<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em}</style></head>
<body><h1>${escapeHtml(title)}</h1>${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</body></html>`

const NEW_LINK =
  'For a new link, press Enter in the terminal where Daybreak runs. Where it runs without one, start it again: daybreak serve'

const NOT_YOURS = [
  'It opens Daybreak only for the user who started it, and it cannot be seen here that this is you.',
  'If it is you, open the link that the terminal shows.',
]
/** Answers every GET and HEAD: the one-time link, the page and its files. */
export function createPages(folder: string, access: Access) {
  const files = pageFiles(folder)

  const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}) => {
    const bytes = Buffer.from(body)
    response.writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': bytes.length,
      'Cache-Control': 'no-store',
      ...headers,
    })
    response.end(response.req.method === 'HEAD' ? undefined : bytes)
  }

  const exchange = (request: IncomingMessage, response: ServerResponse, token: string) => {
    const known = access.hasSession(request.headers.cookie)
    const taken = access.takeToken(token, () => isOwnUser(request.socket))
    if (taken === 'used' && !known)
      return send(response, 403, note('This link was used already', ['Each link opens Daybreak once.', NEW_LINK]))
    if (taken === 'other-user' && !known) return send(response, 403, note('This link is not for you', NOT_YOURS))
    // After a link on a page of another site a redirect would not carry a Strict cookie; a step of our own page does.
    if (request.headers['sec-fetch-site'] === 'cross-site')
      return send(response, 200, note('Daybreak', ['Opening…'], '<meta http-equiv="refresh" content="0;url=/">'), {
        'Set-Cookie': access.cookie,
      })
    send(response, 303, '', { 'Set-Cookie': access.cookie, Location: '/' })
  }

  const sendFile = (response: ServerResponse, page: PageFile) => {
    if (page.file.endsWith('index.html')) {
      const meta = `<meta name="daybreak-page-token" content="${access.pageToken}">`
      return send(
        response,
        200,
        readFileSync(page.file, 'utf8').replace('<head>', () => `<head>${meta}`),
      )
    }
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': page.type,
      'Cache-Control': page.immutable ? 'private, max-age=31536000, immutable' : 'no-store',
    })
    if (response.req.method === 'HEAD') return response.end()
    createReadStream(page.file)
      .on('error', () => response.destroy())
      .pipe(response)
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    if (!access.isOurs(request.headers))
      return send(response, 403, note('Not from here', ['Daybreak answers only its own page on this machine.']))
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, note('Not that way', ['Only GET is answered here.']), { Allow: 'GET, HEAD' })
    const target = request.url ?? '/'
    const query = target.indexOf('?')
    const path = query < 0 ? target : target.slice(0, query)
    const token = query < 0 ? null : new URLSearchParams(target.slice(query)).get('token')
    // A program that only looks at links, or a browser that loads ahead, must not use one up.
    const opens = request.method === 'GET' && request.headers['sec-purpose'] === undefined
    if (path === '/' && token !== null && opens) return exchange(request, response, token)
    if (!access.hasSession(request.headers.cookie))
      return send(
        response,
        403,
        note('This page needs its link', ['Daybreak opens by a link that works once.', NEW_LINK]),
      )
    const page = files.get(path)
    if (!page) return send(response, 404, note('Nothing is here', ['Daybreak itself is at /.']))
    sendFile(response, page)
  }
}
