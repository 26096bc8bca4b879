import type { Client, EventName, EventPayload } from '../../shared/contract/types.ts'
import type { WireError } from '../../shared/errors/appError.ts'
import type { Wire } from './wire.ts'

/** A failure that the core reported, as it came over the wire. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError'
  readonly wire: WireError

  constructor(wire: WireError) {
    super(wire.message)
    this.wire = wire
  }
}

/** The typed client over a wire. Results are believed: the core parsed them before it sent them. */
export function createClient(wire: Wire): Client {
  return {
    async call(method, params) {
      const reply = await wire.invoke(method, params)
      if (!reply.ok) throw new RemoteError(reply.error)
      return reply.result as never
    },
    on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) {
      return wire.subscribe((name, payload) => {
        if (name === event) listener(payload as EventPayload<E>)
      })
    },
    onReconnect: (listener) =>
      wire.onStatus((status) => {
        if (status === 'back') listener()
      }),
  }
}
