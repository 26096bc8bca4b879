import type { EventName, Reply } from '../../shared/contract/types.ts'
import { connectionLost } from './lost.ts'
import { listeners, type Wire, type WireStatus } from './wire.ts'

/** The part of a WebSocket that is used; tests give their own. */
export interface SocketLike {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((message: { data: unknown }) => void) | null
  onclose: (() => void) | null
}

interface Options {
  readonly open: () => SocketLike
  /** Proves to the host that this page was served by it: the first frame of every connection. */
  readonly token: string
  readonly later: (run: () => void, ms: number) => void
}

const FIRST_RETRY_MS = 250
const LONGEST_RETRY_MS = 5000

/**
 * JSON frames over a socket: `{hello: token}` first, `{id, method, params}` out, `{id, reply}` and `{event, payload}` in.
 * Calls made while there is no connection wait for the next one. A call that was under way when the connection broke is
 * answered with ERR_CONNECTION_LOST, for nobody knows whether it was done.
 */
export function createSocketWire({ open, token, later }: Options): Wire {
  const events = listeners<[EventName, unknown]>()
  const status = listeners<[WireStatus]>()
  const pending = new Map<number, (reply: Reply) => void>()
  const waiting: string[] = []
  let socket: SocketLike | null = null
  let lastId = 0
  let lost = false
  let retryMs = FIRST_RETRY_MS

  const receive = (data: unknown) => {
    const frame = JSON.parse(String(data)) as { id?: number; reply?: Reply; event?: EventName; payload?: unknown }
    if (frame.event !== undefined) return events.tell(frame.event, frame.payload)
    const settle = frame.id === undefined ? undefined : pending.get(frame.id)
    if (settle === undefined || frame.id === undefined || frame.reply === undefined) return
    pending.delete(frame.id)
    settle(frame.reply)
  }

  const connect = () => {
    const next = open()
    next.onopen = () => {
      socket = next
      retryMs = FIRST_RETRY_MS
      next.send(JSON.stringify({ hello: token }))
      for (const frame of waiting.splice(0)) next.send(frame)
      if (lost) status.tell('back')
      lost = false
    }
    next.onmessage = (message) => receive(message.data)
    next.onclose = () => {
      const sent = socket === next
      socket = null
      if (sent)
        for (const [id, settle] of [...pending]) if (pending.delete(id)) settle({ ok: false, error: connectionLost })
      if (!lost) status.tell('lost')
      lost = true
      later(connect, retryMs)
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
    }
  }
  connect()

  return {
    invoke: (method, params) =>
      new Promise((resolve) => {
        lastId += 1
        pending.set(lastId, resolve)
        const frame = JSON.stringify({ id: lastId, method, params })
        if (socket === null) waiting.push(frame)
        else socket.send(frame)
      }),
    subscribe: events.add,
    onStatus: status.add,
  }
}
