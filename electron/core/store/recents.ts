import { existsSync } from 'node:fs'
import type { RecentRepository } from '../../../shared/model/index.ts'
import type { AppDb } from './appDb.ts'

/** How many unpinned repositories are remembered. */
export const RECENT_LIMIT = 20

interface Row {
  path: string
  id: string
  name: string
  opened_at: string
  pinned: number
}

/** Pinned ones first, then the last opened first. */
export function listRecent(app: AppDb): RecentRepository[] {
  const rows = app.db.prepare('SELECT * FROM recent ORDER BY pinned DESC, opened_at DESC, path').all() as Row[]
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    path: row.path,
    openedAt: row.opened_at,
    pinned: row.pinned === 1,
    missing: !existsSync(row.path),
  }))
}

/** Puts a repository at the head of the list and forgets the oldest unpinned ones. */
export function rememberRecent(app: AppDb, repository: { id: string; name: string; path: string }, at: string): void {
  app.write(() => {
    app.db
      .prepare(
        `INSERT INTO recent (path, id, name, opened_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET id = excluded.id, name = excluded.name, opened_at = excluded.opened_at`,
      )
      .run(repository.path, repository.id, repository.name, at)
    app.db
      .prepare(
        `DELETE FROM recent WHERE pinned = 0 AND path NOT IN
           (SELECT path FROM recent WHERE pinned = 0 ORDER BY opened_at DESC, path LIMIT ?)`,
      )
      .run(RECENT_LIMIT)
  })
}

export function forgetRecent(app: AppDb, path: string): void {
  app.write(() => app.db.prepare('DELETE FROM recent WHERE path = ?').run(path))
}

export function pinRecent(app: AppDb, path: string, pinned: boolean): void {
  app.write(() => app.db.prepare('UPDATE recent SET pinned = ? WHERE path = ?').run(pinned ? 1 : 0, path))
}
