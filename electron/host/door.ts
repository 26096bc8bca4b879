import { type Caller, dispatch, type Handlers, type NativeHandlers, type Reply } from '../../shared/contract/index.ts'
import type { Core, CoreListener } from '../core/createCore.ts'
import type { Log } from './log.ts'

/** What a host carries bytes to and from. */
export interface Door {
  /** One call of the contract. Never rejects. */
  call(method: unknown, params: unknown, caller: Caller): Promise<Reply>
  /** Every event of the core; returns the way to stop. */
  subscribe(listener: CoreListener): () => void
}

/** Joins the core with what this host answers itself. `checkResults`: as in `dispatch`. */
export function createDoor(core: Core, native: NativeHandlers, log: Log, checkResults = true): Door {
  const handlers: Handlers = { ...core.handlers, ...native }
  const port = { handlers, report: (error: unknown, method: string) => log.report(error, method), checkResults }
  return {
    // Anything but text is no method's name; made into text it could become one.
    call: (method, params, caller) => dispatch(port, typeof method === 'string' ? method : '', params, caller),
    subscribe: (listener) => core.subscribe(listener),
  }
}
