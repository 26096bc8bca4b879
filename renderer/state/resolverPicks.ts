import type { ConflictSet } from '../../shared/model/index.ts'
import type { App } from './app.ts'
import { type ResolverState, sourceKey } from './resolver.ts'

const NONE: ReadonlySet<string> = new Set()

const keyOf = (repoId: string, set: ConflictSet) => `${repoId} ${sourceKey(set.source)}`

/** What a selection was made in: after it, files with the same ids are conflicts of something else. */
const stepOf = ({ operation, step, ours, theirs }: ConflictSet) =>
  [operation, step?.at ?? '', ours.oid ?? '', theirs.oid ?? ''].join(' ')

/** The ids of the files that are selected; none once the operation or its step is another. */
export function pickedOf({ picks }: ResolverState, repoId: string, set: ConflictSet): ReadonlySet<string> {
  const known = picks[keyOf(repoId, set)]
  return known?.of === stepOf(set) ? known.items : NONE
}

/** Selects files of the overview, or lets go of them. */
export function pick(app: App, repoId: string, set: ConflictSet, ids: readonly string[], on: boolean): void {
  app.resolver.setState((state) => {
    const items = new Set(pickedOf(state, repoId, set))
    for (const id of ids) {
      if (on) items.add(id)
      else items.delete(id)
    }
    return { picks: { ...state.picks, [keyOf(repoId, set)]: { of: stepOf(set), items } } }
  })
}
