import type { Client, EventName, EventPayload, Method, Params, Result } from '../../shared/contract/types.ts'
import { AppError, type ErrorCode, type ErrorData } from '../../shared/errors/index.ts'
import { RemoteError } from '../transport/index.ts'

type Answers = { [M in Method]?: (params: Params<M>) => Result<M> | Promise<Result<M>> }

export interface FakeClient extends Client {
  /** What was asked, oldest first. */
  readonly calls: readonly (readonly [Method, unknown])[]
  emit<E extends EventName>(event: E, payload: EventPayload<E>): void
  reconnect(): void
}

/** A client that answers from a table; a method without an answer fails the test that asks it. */
export function fakeClient(answers: Answers): FakeClient {
  const calls: [Method, unknown][] = []
  const heard = new Map<string, ((payload: never) => void)[]>()
  const back: (() => void)[] = []
  return {
    calls,
    async call(method, params) {
      calls.push([method, params])
      const answer = answers[method] as ((params: unknown) => unknown) | undefined
      if (answer === undefined) throw new Error(`${method} was asked and has no answer`)
      return (await answer(params)) as never
    },
    on(event, listener) {
      heard.set(event, [...(heard.get(event) ?? []), listener as (payload: never) => void])
      return () => heard.delete(event)
    },
    onReconnect(listener) {
      back.push(listener)
      return () => {}
    },
    emit: (event, payload) => {
      for (const listener of heard.get(event) ?? []) listener(payload as never)
    },
    reconnect: () => {
      for (const listener of back) listener()
    },
  }
}

/** Throws what a client throws for a failure of the core. */
export function fail<C extends ErrorCode>(code: C, data: ErrorData<C>): never {
  throw new RemoteError(new AppError(code, data).toWire())
}
