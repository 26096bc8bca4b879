import { AppError } from '../../../../shared/errors/index.ts'

/**
 * The path of a document as it was asked for: `/notes/a.md` and `notes/a.md` are the same. Only for reading: what may
 * be written is narrower. Errors: ERR_BAD_PATH.
 */
export function readingPath(given: string): string {
  const path = given.replace(/^\/+/, '')
  const bad = (why: string) => new AppError('ERR_BAD_PATH', { path: given, why })
  if (path === '') throw bad('it is empty')
  if (path.includes('\0')) throw bad('it holds a NUL byte')
  for (const name of path.split('/')) {
    if (name === '') throw bad('a name in it is empty')
    if (name === '.' || name === '..') throw bad(`${name} is not the name of a file`)
  }
  return path
}

/** The folder to list, empty for the top; a trailing slash does not count. Errors: ERR_BAD_PATH. */
export const readingFolder = (given: string): string =>
  /^\/*$/.test(given) ? '' : readingPath(given.replace(/\/+$/, ''))

const VERSIONED = /^(.+)\/v([1-9][0-9]{0,14})$/s

/** What `PATH/vN` asks for; null where a path does not end so. */
export function versionedPath(path: string): { readonly path: string; readonly version: number } | null {
  const [, document, version] = VERSIONED.exec(path) ?? []
  return document === undefined ? null : { path: document, version: Number(version) }
}
