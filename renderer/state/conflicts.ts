import type { ConflictItem, ConflictSet, ConflictSource } from '../../shared/model/index.ts'
import { type App, wireOf } from './app.ts'
import { coalesced } from './coalesce.ts'
import { sourceKey } from './resolver.ts'
import type { Route } from './route.ts'

const readers = new WeakMap<App, (repoId: string) => Promise<void>>()

/** Reads again what is in conflict in a repository. Failures keep the last list and are told beside it. */
export function refreshConflicts(app: App, repoId: string): Promise<void> {
  const known = readers.get(app)
  if (known !== undefined) return known(repoId)
  const made = coalesced(async (id) => {
    const put = (change: Partial<{ list: { sets: ConflictSet[] }; problem: ReturnType<typeof wireOf> | null }>) =>
      app.mirror.setState((m) => ({
        conflicts: { ...m.conflicts, [id]: { list: null, problem: null, ...m.conflicts[id], ...change } },
      }))
    try {
      put({ list: await app.client.call('conflicts.list', { repoId: id }), problem: null })
    } catch (error) {
      put({ problem: wireOf(error) })
    }
  })
  readers.set(app, made)
  return made(repoId)
}

const NO_SETS: readonly ConflictSet[] = []

export const setsOf = (app: App, repoId: string): readonly ConflictSet[] =>
  app.mirror.getState().conflicts[repoId]?.list?.sets ?? NO_SETS

export const findSet = (sets: readonly ConflictSet[], source: ConflictSource): ConflictSet | null =>
  sets.find((set) => sourceKey(set.source) === sourceKey(source)) ?? null

/** Files of a set that are not resolved. */
export const openItems = (set: ConflictSet): ConflictItem[] => set.items.filter((item) => item.state !== 'resolved')

/** The file to go to after `from`: the next that is not resolved, from the top again where none follows; null where all are. */
export function nextItem(set: ConflictSet, from: string | null): ConflictItem | null {
  const at = set.items.findIndex((item) => item.id === from)
  const rest = [...set.items.slice(at + 1), ...set.items.slice(0, Math.max(0, at))]
  return rest.find((item) => item.state !== 'resolved') ?? null
}

/** The page of a set: the merge tool has one file, which is shown at once. */
export function routeOfSet(repoId: string, set: ConflictSet): Route {
  const [first] = set.items
  const item = set.source.from === 'tool' && first !== undefined ? { item: first.id } : {}
  return { page: 'conflict', repoId, source: set.source, ...item }
}
