import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Door } from '../host/door.ts'
import type { Access } from './access.ts'

/** The largest frame a page may send, in bytes: 20,000 long paths fit. */
const MAX_FRAME = 16 * 1024 * 1024
/** A page that does not say hello within this time is cut off, in milliseconds. */
const HELLO_WITHIN = 10_000
/** A page that has stopped reading is cut off when this much waits for it, in bytes; it asks anew when it is back. */
const MAX_WAITING = 256 * 1024 * 1024

/** Close codes of `/rpc`. */
export const CLOSE = { notUnderstood: 4400, noHello: 4403 } as const

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parse(data: string): Record<string, unknown> | null {
  try {
    const frame: unknown = JSON.parse(data)
    return isRecord(frame) ? frame : null
  } catch {
    return null
  }
}

/**
 * Calls and events over WebSocket. Frames are JSON: first `{"hello": pageToken}`, then `{id, method, params}` answered by
 * `{id, reply}` in any order, and `{event, payload}` at any time. `onPages`: told how many said hello, when that changes.
 */
export function createRpc(door: Door, access: Access, onPages: (pages: number) => void = () => {}) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, perMessageDeflate: false })
  const greeted = new Set<WebSocket>()

  const send = (socket: WebSocket, frame: unknown) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > MAX_WAITING) return socket.terminate()
    socket.send(JSON.stringify(frame))
  }

  const stop = door.subscribe((event, payload) => {
    for (const socket of greeted) send(socket, { event, payload })
  })

  const accept = (socket: WebSocket) => {
    const impatience = setTimeout(() => socket.close(CLOSE.noHello, 'no hello'), HELLO_WITHIN)
    socket.on('message', (data, isBinary) => {
      const frame = isBinary ? null : parse(data.toString())
      if (!frame) return socket.close(CLOSE.notUnderstood, 'not understood')
      if (!greeted.has(socket)) {
        clearTimeout(impatience)
        if (!access.isPageToken(frame.hello)) return socket.close(CLOSE.noHello, 'no hello')
        greeted.add(socket)
        onPages(greeted.size)
        return
      }
      const { id } = frame
      if (typeof id !== 'number' && typeof id !== 'string') return socket.close(CLOSE.notUnderstood, 'no id')
      void door.call(frame.method, frame.params, { via: 'app' }).then((reply) => send(socket, { id, reply }))
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(impatience)
      if (greeted.delete(socket)) onPages(greeted.size)
    })
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const allowed =
        request.url === '/rpc' && access.isOurPage(request.headers) && access.hasSession(request.headers.cookie)
      if (!allowed) {
        socket.on('error', () => {})
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
        return
      }
      server.handleUpgrade(request, socket, head, accept)
    },
    close(): void {
      stop()
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
