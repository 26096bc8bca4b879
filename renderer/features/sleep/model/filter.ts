import type { FileChange } from '../../../../shared/model/review.ts'
import type { Filter } from '../../../state/session.ts'

/** Whether a filter lets everything through. */
export const isEmpty = (f: Filter): boolean => f.path === '' && f.kind === '' && f.phase === '' && f.viewed === 'all'

/** The phase that stands for changes of commits that no phase made. */
export const NO_PHASE = '-'

/** The files that a filter lets through. The path matches anywhere, also the old path; upper and lower case are one. */
export function filterFiles(files: readonly FileChange[], filter: Filter): readonly FileChange[] {
  if (isEmpty(filter)) return files
  const path = filter.path.toLowerCase()
  return files.filter((f) => {
    if (path !== '' && !f.path.toLowerCase().includes(path) && !f.fromPath?.toLowerCase().includes(path)) return false
    if (filter.kind !== '' && f.kind !== filter.kind) return false
    if (filter.phase === NO_PHASE && !f.foreign) return false
    if (filter.phase !== '' && filter.phase !== NO_PHASE && !f.phases.includes(filter.phase)) return false
    if (filter.viewed === 'yes') return f.viewed === 'yes'
    return filter.viewed === 'all' || f.viewed !== 'yes'
  })
}

/** The phases that the files name, in order of first appearance. */
export const phasesOf = (files: readonly FileChange[]): string[] => [...new Set(files.flatMap((f) => f.phases))]
