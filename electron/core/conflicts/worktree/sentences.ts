import { count } from '../../../../shared/errors/refusals.ts'

/** A name at the start of a sentence: only words of ours get a capital. */
export const atStart = (name: string): string => (name.startsWith('the ') ? `T${name.slice(1)}` : name)

const base = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const folder = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** A path as it is told beside another one: its name where both lie in one folder. */
export const beside = (path: string, other: string): string => (folder(path) === folder(other) ? base(path) : path)

/** What a file, link or submodule is called. */
export function nounOf(mode: string): string {
  if (mode === '120000') return 'symbolic link'
  return mode === '160000' ? 'submodule' : 'file'
}

export const bytes = (size: number): string => count(size, 'byte')
export const linesOf = (n: number): string => count(n, 'line')
export const conflictsOf = (n: number | null): string =>
  n === null ? '' : `: ${n === 0 ? 'no line is in conflict' : count(n, 'conflict')}`
