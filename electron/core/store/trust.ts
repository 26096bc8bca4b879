import type { AppDb } from './appDb.ts'

/** The hash of the text that was accepted for a repository; null where nothing was. */
export function acceptedHash(app: AppDb, repoId: string): string | null {
  const row = app.db.prepare('SELECT hash FROM trust WHERE repo_id = ?').get(repoId) as { hash: string } | undefined
  return row?.hash ?? null
}

export function acceptHash(app: AppDb, repoId: string, hash: string, at: string): void {
  app.write(() =>
    app.db
      .prepare(
        `INSERT INTO trust (repo_id, hash, at) VALUES (?, ?, ?)
         ON CONFLICT (repo_id) DO UPDATE SET hash = excluded.hash, at = excluded.at`,
      )
      .run(repoId, hash, at),
  )
}

export function revokeTrust(app: AppDb, repoId: string): void {
  app.write(() => app.db.prepare('DELETE FROM trust WHERE repo_id = ?').run(repoId))
}
