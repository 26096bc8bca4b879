import type { EventName, Reply } from '../../shared/contract/types.ts'

/** What carries bytes between the page and the core: the preload bridge or a socket. */
export interface Wire {
  invoke(method: string, params: unknown): Promise<Reply>
  subscribe(listener: (event: EventName, payload: unknown) => void): () => void
  onStatus(listener: (status: WireStatus) => void): () => void
}

/** `lost`: nothing gets through and the wire tries again by itself; `back`: it does again. */
export type WireStatus = 'lost' | 'back'

/** A set of listeners that may come and go while it is told something. */
export function listeners<A extends readonly unknown[]>(): {
  add(listener: (...args: A) => void): () => void
  tell(...args: A): void
} {
  const all = new Set<(...args: A) => void>()
  return {
    add: (listener) => {
      all.add(listener)
      return () => all.delete(listener)
    },
    tell: (...args) => {
      for (const listener of [...all]) listener(...args)
    },
  }
}
