import type { StateDb } from './stateDb.ts'

/** The viewed marks of one repository: content keys, by the path they were given on. */
export interface ViewedMarks {
  has(key: string): boolean
  /** Whether any mark was given on a path. */
  onPath(path: string): boolean
}

/** A path as SQLite can hold it: one that is no Unicode is kept in its JSON form. */
export const storedPath = (path: string): string => (path.isWellFormed() ? path : JSON.stringify(path))

/** All viewed marks. */
export function readViewed(state: StateDb): ViewedMarks {
  const keys = new Set<string>()
  const paths = new Set<string>()
  const rows = state.db.prepare('SELECT content_key, path FROM viewed').raw().iterate() as Iterable<[string, string]>
  for (const [key, path] of rows) {
    keys.add(key)
    paths.add(path)
  }
  return { has: (key) => keys.has(key), onPath: (path) => paths.has(storedPath(path)) }
}

export interface ViewedChange {
  readonly path: string
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Sets and clears marks in one transaction. */
export function writeViewed(state: StateDb, changes: readonly ViewedChange[], at: string): void {
  state.write(() => {
    const add = state.db.prepare('INSERT INTO viewed (content_key, path, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
    const remove = state.db.prepare('DELETE FROM viewed WHERE content_key = ?')
    for (const change of changes) {
      for (const key of change.remove) remove.run(key)
      for (const key of change.add) add.run(key, storedPath(change.path), at)
    }
  })
}
