import type { Migration } from '../open.ts'

/**
 * What the reviewer did: viewed marks and declined changes are keyed by content, so that a re-run of sleep which
 * makes the same change keeps them; what is left out is kept per branch until it is approved.
 */
export const review: Migration = {
  number: 2,
  name: 'review',
  sql: `
    CREATE TABLE viewed (
      content_key TEXT PRIMARY KEY,
      path        TEXT NOT NULL,
      at          TEXT NOT NULL
    ) STRICT;
    CREATE INDEX viewed_path ON viewed (path);
    CREATE TABLE left_out (
      branch TEXT NOT NULL,
      path   TEXT NOT NULL,
      content_key TEXT NOT NULL,
      PRIMARY KEY (branch, path)
    ) STRICT;
    CREATE TABLE declined (
      content_key TEXT PRIMARY KEY,
      path        TEXT NOT NULL,
      branch      TEXT NOT NULL,
      at          TEXT NOT NULL
    ) STRICT;
  `,
}
