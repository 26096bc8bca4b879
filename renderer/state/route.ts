import type { ConflictSource } from '../../shared/model/index.ts'

/** What the address after `#` names. The history page and the home page belong to one repository. */
export type Route =
  | { readonly page: 'landing' }
  | { readonly page: 'home'; readonly repoId: string }
  | { readonly page: 'history'; readonly repoId: string }
  | { readonly page: 'sleep'; readonly repoId: string; readonly branch: string; readonly path?: string }
  /** All conflicts of one source; with `item`, one of them. */
  | { readonly page: 'conflict'; readonly repoId: string; readonly source: ConflictSource; readonly item?: string }

/** Bytes of a path that are no UTF-8 are lone surrogates, which an address cannot hold: they are written `\dcff`. */
const enc = (text: string): string =>
  encodeURIComponent(
    text.replaceAll('\\', '\\\\').replace(/\p{Surrogate}/gu, (lone) => `\\${lone.charCodeAt(0).toString(16)}`),
  )

const dec = (text: string): string =>
  decodeURIComponent(text).replace(/\\(\\|[0-9a-f]{4})/g, (_, what: string) =>
    what === '\\' ? what : String.fromCharCode(Number.parseInt(what, 16)),
  )

const sourceHash = (source: ConflictSource): string => {
  if (source.from === 'worktree') return `worktree/${enc(source.worktree)}`
  if (source.from === 'candidate') return `candidate/${enc(source.candidate)}`
  return source.from === 'branch' ? `branch/${enc(source.branch)}` : 'tool/-'
}

const sourceOf = (from: string | undefined, name: string): ConflictSource | null => {
  if (from === 'worktree') return { from, worktree: dec(name) }
  if (from === 'branch') return { from, branch: dec(name) }
  if (from === 'candidate') return { from, candidate: dec(name) }
  return from === 'tool' ? { from } : null
}

/** The hash of a route, `#` included. */
export function hashOf(route: Route): string {
  switch (route.page) {
    case 'landing':
      return '#/'
    case 'home':
      return `#/${route.repoId}`
    case 'history':
      return `#/${route.repoId}/history`
    case 'sleep':
      return `#/${route.repoId}/sleep/${enc(route.branch)}${route.path === undefined ? '' : `/${enc(route.path)}`}`
    case 'conflict':
      return `#/${route.repoId}/conflicts/${sourceHash(route.source)}${route.item === undefined ? '' : `/${route.item}`}`
  }
}

/** The route of a hash; anything not understood is the landing page. */
export function routeOf(hash: string): Route {
  const parts = hash.replace(/^#\/?/, '').split('/')
  const [repoId, page, branch, path] = parts
  if (repoId === undefined || !/^[0-9a-f]{16}$/.test(repoId)) return { page: 'landing' }
  if (page === 'history') return { page, repoId }
  if (page === 'sleep' && branch) {
    try {
      return { page, repoId, branch: dec(branch), ...(path ? { path: dec(path) } : {}) }
    } catch {
      return { page: 'home', repoId }
    }
  }
  if (page === 'conflicts' && path) {
    try {
      const source = sourceOf(branch, path)
      const item = parts[4]
      if (source !== null)
        return { page: 'conflict', repoId, source, ...(item && /^[0-9a-f]{16}$/.test(item) ? { item } : {}) }
    } catch {
      return { page: 'home', repoId }
    }
  }
  return { page: 'home', repoId }
}
