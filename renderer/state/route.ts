/** What the address after `#` names. The history page and the home page belong to one repository. */
export type Route =
  | { readonly page: 'landing' }
  | { readonly page: 'home'; readonly repoId: string }
  | { readonly page: 'history'; readonly repoId: string }
  | { readonly page: 'sleep'; readonly repoId: string; readonly branch: string; readonly path?: string }

const enc = encodeURIComponent

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
      return { page, repoId, branch: decodeURIComponent(branch), ...(path ? { path: decodeURIComponent(path) } : {}) }
    } catch {
      return { page: 'home', repoId }
    }
  }
  return { page: 'home', repoId }
}
