import type { CoreHandlers, Emit, EventName, EventPayload } from '../../shared/contract/index.ts'
import { createTextRunner } from './conflicts/text/runner.ts'
import { warmUpWhenIdle } from './conflicts/text/warm.ts'
import type { CoreContext, RepositoryContext } from './context.ts'
import { watchCandidates } from './documents/candidates/watchCandidates.ts'
import { recoverAtOpen } from './operations/recover.ts'
import type { Ports } from './ports.ts'
import { createRegistry } from './registry.ts'
import { openAppDb } from './store/appDb.ts'
import { readAppSettings } from './store/appSettings.ts'
import { makeFolder } from './store/makeFolder.ts'
import { asStorageError } from './store/safeDatabase.ts'
import { appHandlers } from './usecases/app.ts'
import { configHandlers } from './usecases/config.ts'
import { conflictHandlers } from './usecases/conflicts.ts'
import { demoHandlers } from './usecases/demo.ts'
import { doctorHandlers } from './usecases/doctor.ts'
import { documentReadHandlers } from './usecases/documents.ts'
import { historyHandlers } from './usecases/history.ts'
import { inboxHandlers } from './usecases/inbox.ts'
import { publishingHandlers } from './usecases/publishing.ts'
import { repoHandlers } from './usecases/repo.ts'
import { reviewHandlers } from './usecases/review.ts'
import { sleepHandlers } from './usecases/sleep.ts'
import { isAccepted, trustHandlers } from './usecases/trust.ts'
import { watchRepository } from './watch/watchRepository.ts'

export type CoreListener = <E extends EventName>(event: E, payload: EventPayload<E>) => void

export interface Core {
  readonly handlers: CoreHandlers
  /** Subscribes to every event; returns the way to stop. */
  subscribe(listener: CoreListener): () => void
  /** Waits for running mutations, closes databases and child processes. */
  dispose(): Promise<void>
}

export type CreateCore = (ports: Ports) => Core

/** The composition root: ports in; handlers, events and the way to end out. Starts no process and opens no repository. */
export const createCore: CreateCore = (ports) => {
  makeHome(ports.home)
  const listeners = new Set<CoreListener>()
  const emit: Emit = (event, payload) => {
    for (const listener of [...listeners]) listener(event, payload)
  }
  const app = openAppDb(ports.home)
  if (app.problem) ports.log(`the app's own data is not used: ${app.problem.message}`)
  const watch = async (repo: RepositoryContext) => {
    // A command line answers and ends.
    if (ports.host === 'cli') return async () => {}
    const { stop } = await watchRepository(repo, emit, ports.log)
    const still = watchCandidates(repo, ports, emit)
    return async () => {
      still()
      await stop()
    }
  }
  const setup = { ports, keepByDefault: () => readAppSettings(app).keepBranch }
  const registry = createRegistry(setup, watch, (repo) => recoverAtOpen(repo, ports, () => isAccepted(core, repo)))
  const core: CoreContext = { ports, emit, app, repo: registry.repo, open: registry.open }
  const texts = createTextRunner(ports)
  // A command line answers and ends.
  const stopWarming = ports.host === 'cli' ? () => {} : warmUpWhenIdle()
  return {
    handlers: withStorageErrors({
      ...appHandlers(core),
      ...repoHandlers(core),
      ...demoHandlers(core),
      ...inboxHandlers(core),
      ...trustHandlers(core),
      ...configHandlers(core),
      ...doctorHandlers(core),
      ...sleepHandlers(core),
      ...historyHandlers(core),
      ...reviewHandlers(core),
      ...conflictHandlers(core, texts),
      ...documentReadHandlers(core),
      ...publishingHandlers(core, texts),
    }),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async dispose() {
      stopWarming()
      await registry.dispose()
      await texts.dispose()
      listeners.clear()
      app.close()
    },
  }
}

/** Where it cannot be made, the app's data has its stand-in and says why. */
function makeHome(home: string): void {
  try {
    makeFolder(home, 0o700)
  } catch {
    // Told by the database that cannot be opened in it.
  }
}

/** A database that turns out damaged in the middle of a handler is a failure from the catalogue, not a bug. */
function withStorageErrors(handlers: CoreHandlers): CoreHandlers {
  const wrapped = Object.entries(handlers).map(([method, run]) => [
    method,
    async (...given: unknown[]) => {
      try {
        return await (run as (...given: unknown[]) => unknown)(...given)
      } catch (error) {
        throw asStorageError(error)
      }
    },
  ])
  return Object.fromEntries(wrapped) as unknown as CoreHandlers
}
