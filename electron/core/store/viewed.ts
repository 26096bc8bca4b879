import type { StateDb } from './stateDb.ts'

/** The viewed marks of one repository: content keys, by the path they were given on. */
export interface ViewedMarks {
  has(key: string): boolean
  /** Whether any mark was given on a path. */
  onPath(path: string): boolean
}

/** A path as SQLite can hold it: one that is no Unicode is kept in its JSON form. */
export const storedPath = (path: string): string => (path.isWellFormed() ? path : JSON.stringify(path))

/** The viewed marks that were given on these paths, on whatever night. */
export function readViewed(state: StateDb, paths: readonly string[]): ViewedMarks {
  const keys = new Set<string>()
  const marked = new Set<string>()
  const rows = state.db
    .prepare('SELECT content_key, path FROM viewed WHERE path IN (SELECT value FROM json_each(?))')
    .raw()
    .all(JSON.stringify(paths.map(storedPath))) as [string, string][]
  for (const [key, path] of rows) {
    keys.add(key)
    marked.add(path)
  }
  return { has: (key) => keys.has(key), onPath: (path) => marked.has(storedPath(path)) }
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
