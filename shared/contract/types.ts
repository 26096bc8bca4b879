import type * as z from 'zod'
import type { WireError } from '../errors/index.ts'
import type { events, methods } from './methods.ts'

export type Methods = typeof methods
export type Method = keyof Methods
export type Params<M extends Method> = z.input<Methods[M]['params']>
export type DecodedParams<M extends Method> = z.output<Methods[M]['params']>
export type Result<M extends Method> = z.output<Methods[M]['result']>
export type MethodOf<K> = { [M in Method]: Methods[M]['kind'] extends K ? M : never }[Method]

/** Who asks, through which door. */
export interface Caller {
  readonly via: 'app' | 'cli' | 'mcp' | 'test'
  readonly actor?: string
}

export type Handler<M extends Method> = (params: DecodedParams<M>, caller: Caller) => Promise<Result<M>> | Result<M>
/** A missing handler does not compile. */
export type Handlers = { readonly [M in Method]: Handler<M> }
/** What the core answers itself; the rest is the host's. */
export type CoreHandlers = { readonly [M in Exclude<Method, MethodOf<'native'>>]: Handler<M> }
export type NativeHandlers = { readonly [M in MethodOf<'native'>]: Handler<M> }

export type Events = typeof events
export type EventName = keyof Events
export type EventPayload<E extends EventName> = z.output<Events[E]>
export type Emit = <E extends EventName>(event: E, payload: EventPayload<E>) => void

export type Reply = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly error: WireError }

/** What the renderer holds, over whichever transport. */
export interface Client {
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void
  /** Called after the connection was lost and is back: everything mirrored must be asked again. */
  onReconnect(listener: () => void): () => void
}
