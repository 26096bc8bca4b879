import { resolve } from 'node:path'
import type { Method, Params, Result } from '../../shared/contract/index.ts'
import { AppError, type WireError } from '../../shared/errors/index.ts'
import type { Repository } from '../../shared/model/index.ts'
import type { Core } from '../core/createCore.ts'
import type { Ports } from '../core/ports.ts'
import { createDoor, type Door } from '../host/door.ts'
import type { Log } from '../host/log.ts'

/** A failure that the core answered with, in its wire form. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly wire: WireError

  constructor(wire: WireError) {
    super(wire.message)
    this.wire = wire
  }
}

/** The core of one command: made when first asked for, ended when the command ends. */
export interface Session {
  readonly log: Log
  /** `as`: what the host is when it is not just the command line; only the first call can say so. */
  core(as?: Pick<Ports, 'host' | 'initialPath' | 'tool'>): Promise<Core>
  /** What carries calls to the core. */
  door(): Promise<Door>
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
  /** The repository of `--repo`, else of the current folder. */
  repository(): Promise<Repository>
  /** Ends a running operation if it can be cancelled; true when there was one. */
  interrupt(): Promise<boolean>
  /** Ends the core. The next call makes a new one. */
  dispose(): Promise<void>
}

export interface SessionSetup {
  readonly ports: Ports
  readonly log: Log
  readonly cwd: string
  readonly repo: string | undefined
  readonly actor: string | undefined
}

const native = (method: 'repo.pick' | 'repo.reveal') => () => {
  throw new AppError('ERR_NOT_SUPPORTED_HERE', { method })
}

/** Makes a session. Starts nothing yet. */
export function createSession(setup: SessionSetup): Session {
  const caller = { via: 'cli' as const, ...(setup.actor === undefined ? {} : { actor: setup.actor }) }
  let started: Promise<{ core: Core; door: Door }> | null = null
  let running: { repoId: string; operationId: string } | null = null

  const start = async (as?: Pick<Ports, 'host' | 'initialPath' | 'tool'>) => {
    const { createCore } = await import('../core/createCore.ts')
    const core = createCore({ ...setup.ports, ...as })
    core.subscribe((event, payload) => {
      if (event !== 'operation.progress' || !('operationId' in payload)) return
      running = payload.cancellable ? { repoId: payload.repoId, operationId: payload.operationId } : null
    })
    const own = { 'repo.pick': native('repo.pick'), 'repo.reveal': native('repo.reveal') }
    // What is printed here was made in this very process: see "The command line starts fast" in docs/decisions.
    const door = createDoor(core, own, setup.log, false)
    return { core, door }
  }
  const get = (as?: Pick<Ports, 'host' | 'initialPath' | 'tool'>) => {
    started ??= start(as)
    return started
  }

  const session: Session = {
    log: setup.log,
    core: async (as) => (await get(as)).core,
    door: async () => (await get()).door,
    async call(method, params) {
      const reply = await (await get()).door.call(method, params, caller)
      if (!reply.ok) throw new Failure(reply.error)
      return reply.result as never
    },
    repository: () => session.call('repo.open', { path: resolve(setup.cwd, setup.repo ?? '.'), background: true }),
    async interrupt() {
      if (running === null) return false
      return (await session.call('operation.cancel', running)).cancelled
    },
    async dispose() {
      const ending = started
      started = null
      running = null
      if (ending !== null) await (await ending).core.dispose()
    },
  }
  return session
}
