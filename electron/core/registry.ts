import { AppError } from '../../shared/errors/index.ts'
import type { RepositoryContext } from './context.ts'
import { type OpenerSetup, openRepository } from './usecases/openRepository.ts'

/** The repositories that are open, one a common git folder. */
export interface Registry {
  repo(id: string): RepositoryContext
  open(path: string): Promise<RepositoryContext>
  all(): readonly RepositoryContext[]
  dispose(): Promise<void>
}

/** Keeps what is open and watches it with `watch`, which gives the way to stop. `mend`
 * finishes what was cut off before it is shown. Opening another worktree of an open repository takes the place of the first. */
export function createRegistry(
  setup: OpenerSetup,
  watch: (repo: RepositoryContext) => Promise<() => Promise<void>>,
  mend: (repo: RepositoryContext) => Promise<void>,
): Registry {
  const stops = new Map<RepositoryContext, () => Promise<void>>()
  const byId = new Map<string, RepositoryContext>()
  const replaced = new Set<RepositoryContext>()
  let opening: Promise<unknown> = Promise.resolve()

  const openNow = async (path: string): Promise<RepositoryContext> => {
    const opened = await openRepository(setup, path)
    const known = byId.get(opened.repository.id)
    if (known && known.repository.path === opened.repository.path && known.state.problem === null) {
      await opened.dispose()
      await mend(known)
      await known.refresh()
      return known
    }
    // Whoever still works with the one before may finish; it is closed with the core.
    if (known) {
      replaced.add(known)
      await stops.get(known)?.()
      stops.delete(known)
    }
    await mend(opened)
    byId.set(opened.repository.id, opened)
    stops.set(opened, await watch(opened))
    return opened
  }

  return {
    repo(id) {
      const found = byId.get(id)
      if (!found) throw new AppError('ERR_REPOSITORY_NOT_OPEN', { repoId: id })
      return found
    },
    open(path) {
      // One after another, so that two requests for one folder end with one context.
      const next = opening.then(() => openNow(path))
      opening = next.catch(() => {})
      return next
    },
    all: () => [...byId.values()],
    async dispose() {
      await opening
      const all = [...byId.values(), ...replaced]
      await Promise.all([...stops.values()].map((stop) => stop()))
      stops.clear()
      byId.clear()
      replaced.clear()
      for (const repo of all) {
        await repo.queue.idle()
        await repo.dispose()
      }
    },
  }
}
