import type { Migration } from '../open.ts'

/**
 * `versions`: numbers that were handed out, and the bytes they mean for ever. `oid` is empty for a version that is a
 * deletion. `candidates`: what was offered, with the bytes of ours (nothing else keeps them), and what became of it.
 */
export const documents: Migration = {
  number: 6,
  name: 'documents',
  sql: `
    CREATE TABLE versions (
      path       TEXT NOT NULL,
      version    INTEGER NOT NULL,
      commit_oid TEXT NOT NULL,
      oid        TEXT NOT NULL,
      PRIMARY KEY (path, version)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX versions_commit ON versions (path, commit_oid);
    CREATE TABLE candidates (
      id            TEXT PRIMARY KEY,
      path          TEXT NOT NULL,
      actor         TEXT NOT NULL,
      session       TEXT,
      state         TEXT NOT NULL,
      message       TEXT,
      created_at    TEXT NOT NULL,
      updated_at    TEXT NOT NULL,
      base_version  INTEGER NOT NULL,
      base_oid      TEXT,
      head_version  INTEGER NOT NULL,
      head_commit   TEXT NOT NULL,
      head_oid      TEXT NOT NULL,
      ours          BLOB NOT NULL,
      offered       BLOB NOT NULL,
      hunks         INTEGER NOT NULL,
      conflicts     INTEGER NOT NULL,
      metadata      TEXT,
      escalated_at  TEXT,
      reason        TEXT,
      answer        TEXT
    ) STRICT;
    CREATE INDEX candidates_open ON candidates (path, state);
  `,
}
