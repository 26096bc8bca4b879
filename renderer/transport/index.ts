import { createBridgeWire } from './bridgeWire.ts'
import { createSocketWire, type SocketLike } from './socketWire.ts'
import type { Wire } from './wire.ts'

export { createClient, RemoteError } from './client.ts'
export type { Wire, WireStatus } from './wire.ts'

/** The wire of the host that shows this page: the preload bridge where there is one, else a socket to the page's origin. */
export function connect(): Wire {
  if (window.daybreak !== undefined) return createBridgeWire(window.daybreak)
  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/rpc`
  const token = document.querySelector<HTMLMetaElement>('meta[name="daybreak-page-token"]')?.content ?? ''
  return createSocketWire({
    open: () => new WebSocket(url) as SocketLike,
    token,
    later: (run, ms) => setTimeout(run, ms),
  })
}
