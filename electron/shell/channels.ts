/** The one channel a page asks on. Both ways carry JSON text, so that this host and `serve` answer alike. */
export const INVOKE = 'daybreak:invoke'
/** The one channel events go out on. */
export const EVENT = 'daybreak:event'

/** Where the page is: `app://daybreak/`. */
export const SCHEME = 'app'
export const PAGE_HOST = 'daybreak'
export const PAGE_ORIGIN = `${SCHEME}://${PAGE_HOST}`
