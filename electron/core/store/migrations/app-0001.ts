import type { Migration } from '../open.ts'

/** The app's own data, per user: settings, recent repositories, what was trusted, the renderer's session. */
export const appData: Migration = {
  number: 1,
  name: 'app-data',
  sql: `
    CREATE TABLE app_settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
    CREATE TABLE recent (
      path      TEXT PRIMARY KEY,
      id        TEXT NOT NULL,
      name      TEXT NOT NULL,
      opened_at TEXT NOT NULL,
      pinned    INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE trust (
      repo_id  TEXT PRIMARY KEY,
      hash     TEXT NOT NULL,
      at       TEXT NOT NULL
    ) STRICT;
  `,
}
