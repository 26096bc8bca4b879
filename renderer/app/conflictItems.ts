import { count } from '../../shared/errors/refusals.ts'
import type { ConflictItem, ConflictSet } from '../../shared/model/index.ts'
import { openItems, routeOfSet } from '../state/conflicts.ts'
import type { Route } from '../state/route.ts'
import { showPath } from '../ui/path.ts'

/** A row of the group `Conflicts`: a set, or one of its files. */
export interface ConflictRow {
  readonly id: string
  readonly route: Route
  readonly kind: 'set' | 'file'
  readonly label: string
  /** What is left, in short. */
  readonly number: string
  readonly name: string
  readonly resolved: boolean
}

/** Files of one set that are listed beside the set itself; more are on its page. */
const MOST_FILES = 8

/** "2 of 5 conflicts left", or the state where they were not counted. */
export function itemLeft(item: ConflictItem): string {
  if (item.state === 'resolved') return 'resolved'
  if (item.state === 'decided') return 'decided, not marked resolved'
  return item.total === null || item.left === null ? 'open' : `${item.left} of ${count(item.total, 'conflict')} left`
}

/** The sets that wait, each with the files that are not resolved. */
export function conflictRows(repoId: string, sets: readonly ConflictSet[]): ConflictRow[] {
  return sets.flatMap((set) => {
    const open = openItems(set)
    const left = open.length === 0 ? 'every file resolved' : `${open.length} of ${count(set.items.length, 'file')} left`
    const whole: ConflictRow = {
      id: set.title,
      route: routeOfSet(repoId, set),
      kind: 'set',
      label: set.title,
      number: String(open.length),
      name: `${set.title}, ${left}`,
      resolved: open.length === 0,
    }
    const files = open.slice(0, MOST_FILES).map(
      (item): ConflictRow => ({
        id: item.id,
        route: { page: 'conflict', repoId, source: set.source, item: item.id },
        kind: 'file',
        label: showPath(item.path),
        number: item.state === 'decided' ? '' : item.left === null ? '' : String(item.left),
        name: `${showPath(item.path)}, ${itemLeft(item)}`,
        resolved: false,
      }),
    )
    return [whole, ...files]
  })
}

/** Files in conflict that wait. */
export const conflictsWaiting = (sets: readonly ConflictSet[]): number =>
  sets.reduce((sum, set) => sum + openItems(set).length, 0)
