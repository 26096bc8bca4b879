import type { EventName, Reply } from '../../shared/contract/types.ts'
import type { Wire } from './wire.ts'

/** What the preload script puts on `window`. */
export interface Bridge {
  invoke(method: string, params: unknown): Promise<Reply>
  subscribe(listener: (event: EventName, payload: unknown) => void): () => void
  /** The path of a file or folder that was dropped on the window. */
  pathOfFile?(file: File): string
}

declare global {
  interface Window {
    readonly daybreak?: Bridge
  }
}

/** The bridge lives as long as the window, so its connection is never lost. */
export function createBridgeWire(bridge: Bridge): Wire {
  return {
    invoke: (method, params) => bridge.invoke(method, params),
    subscribe: (listener) => bridge.subscribe(listener),
    onStatus: () => () => {},
  }
}
