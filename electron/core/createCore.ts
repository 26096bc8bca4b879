import type { CoreHandlers, EventName, EventPayload } from '../../shared/contract/index.ts'
import type { Ports } from './ports.ts'

export type CoreListener = <E extends EventName>(event: E, payload: EventPayload<E>) => void

export interface Core {
  readonly handlers: CoreHandlers
  /** Subscribes to every event; returns the way to stop. */
  subscribe(listener: CoreListener): () => void
  /** Waits for running mutations, closes databases and child processes. */
  dispose(): Promise<void>
}

export type CreateCore = (ports: Ports) => Core
