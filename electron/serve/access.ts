import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const secret = () => randomBytes(24).toString('base64url')
const digest = (text: string) => createHash('sha256').update(text).digest()
/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))

/** A way in that works once. Its two addresses are one link: the use of either is its use. */
export interface Link {
  /** Lets its bearer in: for the person's own terminal. */
  readonly url: string
  /** Lets in only the user who runs this server: may be seen by others, as the arguments of a process are. */
  readonly ownUrl: string
}

/** Who may ask one running server. All secrets live as long as the process. */
export interface Access {
  /** Injected into the page, wanted as the first frame on `/rpc`. */
  readonly pageToken: string
  /** `Set-Cookie` for a browser that brought a token. */
  readonly cookie: string
  newLink(): Link
  /** Uses a link up. `isOwnUser`: whether the one who brings it is the user who runs this server. */
  takeToken(token: string, isOwnUser: () => boolean): 'taken' | 'used' | 'other-user'
  hasSession(cookieHeader: string | undefined): boolean
  isPageToken(token: unknown): boolean
  /** Whether the request is for this server and comes from a page of this server or from no page at all. */
  isOurs(headers: IncomingHttpHeaders): boolean
  /** As `isOurs`, and the Origin is there: what a WebSocket upgrade needs. */
  isOurPage(headers: IncomingHttpHeaders): boolean
}

/** The access rules of a server that listens on `port` of 127.0.0.1. */
export function createAccess(port: number): Access {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const name = `daybreak-${randomBytes(6).toString('hex')}`
  const session = secret()
  const pageToken = secret()
  const tokens = new Map<string, { readonly ownOnly: boolean; readonly link: readonly string[] }>()

  const hostIsOurs = (headers: IncomingHttpHeaders) => hosts.includes((headers.host ?? '').toLowerCase())
  const originIsOurs = (headers: IncomingHttpHeaders) => headers.origin === `http://${headers.host?.toLowerCase()}`
  /** A page elsewhere loads something here, or sends the person here in any way but by a link. */
  const fromElsewhere = (headers: IncomingHttpHeaders) =>
    (headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site') &&
    (headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document')

  return {
    pageToken,
    cookie: `${name}=${session}; HttpOnly; SameSite=Strict; Path=/`,
    newLink() {
      const [open, own] = [secret(), secret()]
      tokens.set(open, { ownOnly: false, link: [open, own] }).set(own, { ownOnly: true, link: [open, own] })
      const to = (token: string) => `http://${hosts[0]}/?token=${token}`
      return { url: to(open), ownUrl: to(own) }
    },
    takeToken(token, isOwnUser) {
      for (const [known, { ownOnly, link }] of tokens) {
        if (!same(known, token)) continue
        if (ownOnly && !isOwnUser()) return 'other-user'
        for (const one of link) tokens.delete(one)
        return 'taken'
      }
      return 'used'
    },
    hasSession(cookieHeader) {
      for (const pair of (cookieHeader ?? '').split(';')) {
        const at = pair.indexOf('=')
        if (pair.slice(0, at).trim() === name && same(pair.slice(at + 1).trim(), session)) return true
      }
      return false
    },
    isPageToken: (token) => typeof token === 'string' && same(token, pageToken),
    isOurs: (headers) =>
      hostIsOurs(headers) && (headers.origin === undefined || originIsOurs(headers)) && !fromElsewhere(headers),
    isOurPage: (headers) => hostIsOurs(headers) && originIsOurs(headers) && !fromElsewhere(headers),
  }
}
