import type { Migration } from '../open.ts'

/**
 * What was decided about conflicts before it is written, one row for each state of an item's sides. `about` says in JSON
 * which lines the decisions are about, so that they can be carried over to other sides. `decided`: of a branch, the
 * decision stands and waits for the others.
 */
export const drafts: Migration = {
  number: 4,
  name: 'drafts',
  sql: `
    CREATE TABLE drafts (
      source      TEXT NOT NULL,
      item        TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      draft       TEXT NOT NULL,
      about       TEXT NOT NULL,
      decided     INTEGER NOT NULL DEFAULT 0,
      saved_at    TEXT NOT NULL,
      PRIMARY KEY (source, item, fingerprint)
    ) STRICT;
    CREATE INDEX drafts_saved ON drafts (saved_at);
  `,
}
