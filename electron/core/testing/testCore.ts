import { withHome } from '../../../e2e/support/index.ts'
import { dispatch, type Handlers, type Method, type Params, type Result } from '../../../shared/contract/index.ts'
import type { WireError } from '../../../shared/errors/index.ts'
import { type Core, createCore } from '../createCore.ts'
import type { Ports } from '../ports.ts'

export interface TestCore {
  readonly core: Core
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Bugs and causes that did not cross the wire. */
  readonly reports: unknown[]
  /** The result; throws the wire error where there is one. */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  /** The failure's code, null where there was none. */
  code<M extends Method>(method: M, params: Params<M>): Promise<WireError['code'] | null>
  dispose(): Promise<void>
}

/** A core in a private home with a fixed clock. It watches nothing unless `host` says so. */
export function testCore(ports: Partial<Ports> = {}): TestCore {
  const own = withHome()
  const home = ports.home ?? own.home
  const env = ports.env ?? own.env
  const reports: unknown[] = []
  const core = createCore({
    clock: () => new Date('2026-11-30T12:00:00Z'),
    host: 'cli',
    version: '0.0.0',
    log: () => {},
    ...ports,
    home,
    env,
  })
  const port = {
    handlers: core.handlers as unknown as Handlers,
    report: (error: unknown) => {
      reports.push(error)
      return 'reference'
    },
  }
  const ask = (method: Method, params: unknown) => dispatch(port, method, params, { via: 'test' })
  return {
    core,
    home,
    env,
    reports,
    call: async (method, params) => {
      const reply = await ask(method, params)
      if (!reply.ok)
        throw Object.assign(new Error(reply.error.message, { cause: reports.at(-1) }), { wire: reply.error })
      return reply.result as Result<typeof method>
    },
    code: async (method, params) => {
      const reply = await ask(method, params)
      return reply.ok ? null : reply.error.code
    },
    dispose: () => core.dispose(),
  }
}
