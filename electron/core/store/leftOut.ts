import type { StateDb } from './stateDb.ts'
import { storedPath } from './viewed.ts'

/** Keys of the changes that are left out on a branch; a change with another key is another decision. */
export function readLeftOut(state: StateDb, branch: string): ReadonlySet<string> {
  const rows = state.db.prepare('SELECT content_key FROM left_out WHERE branch = ?').pluck().all(branch) as string[]
  return new Set(rows)
}

/** Leaves changes out of a branch or takes them in again; taking in forgets that they were declined on another night. */
export function writeLeftOut(
  state: StateDb,
  branch: string,
  changes: readonly { readonly path: string; readonly changeKey: string }[],
  included: boolean,
): void {
  state.write(() => {
    const leave = state.db.prepare(
      'INSERT INTO left_out (branch, path, content_key) VALUES (?, ?, ?) ON CONFLICT (branch, path) DO UPDATE SET content_key = excluded.content_key',
    )
    const take = state.db.prepare('DELETE FROM left_out WHERE branch = ? AND path = ?')
    const forget = state.db.prepare('DELETE FROM declined WHERE content_key = ?')
    for (const { path, changeKey } of changes) {
      if (!included) leave.run(branch, storedPath(path), changeKey)
      else {
        take.run(branch, storedPath(path))
        forget.run(changeKey)
      }
    }
  })
}
