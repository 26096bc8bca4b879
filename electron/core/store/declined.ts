import type { StateDb } from './stateDb.ts'
import { storedPath } from './viewed.ts'

/** Keys of the changes that were left out of an approved night: they arrive unticked when they come again. */
export function readDeclined(state: StateDb): ReadonlySet<string> {
  return new Set(state.db.prepare('SELECT content_key FROM declined').pluck().all() as string[])
}

/**
 * Remembers what an approval left out. `changes` come from `declinable` of `core/sleep/declined.ts`: their keys leave
 * out what each night stamps anew, so that the next night's same change is known again.
 */
export function rememberDeclined(
  state: StateDb,
  branch: string,
  changes: readonly { readonly path: string; readonly changeKey: string }[],
  at: string,
): void {
  state.write(() => {
    const add = state.db.prepare(
      'INSERT INTO declined (content_key, path, branch, at) VALUES (?, ?, ?, ?) ON CONFLICT (content_key) DO UPDATE SET branch = excluded.branch, at = excluded.at',
    )
    for (const { path, changeKey } of changes) add.run(changeKey, storedPath(path), branch, at)
  })
}

/** Forgets what one branch's approval declined: its undo. */
export function forgetDeclined(state: StateDb, branch: string): void {
  state.write(() => {
    state.db.prepare('DELETE FROM declined WHERE branch = ?').run(branch)
  })
}
