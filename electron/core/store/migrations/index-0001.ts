import type { Migration } from '../open.ts'

/**
 * What trunk's first-parent line changed, path by path. All of it can be read anew from git.
 *
 * `line`: the one line that counts, from `base` (whose own history is in `older`, for the paths in `known`) to `tip`.
 * `trunk`: its commits after `base`, in the order of their ids; a row whose `line` is null is being filled, -1 is over.
 * `unkept`: tips that left trunk and that no ref keeps yet; an empty one: what left before this file was made is not known.
 */
export const trunkHistory: Migration = {
  number: 1,
  name: 'trunk-history',
  sql: `
    CREATE TABLE line (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      id   INTEGER NOT NULL,
      base TEXT NOT NULL,
      tip  TEXT NOT NULL
    ) STRICT;
    CREATE TABLE unkept (tip TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    INSERT INTO unkept (tip) VALUES ('');
    CREATE TABLE trunk (
      id         INTEGER PRIMARY KEY AUTOINCREMENT,
      line       INTEGER,
      commit_oid TEXT NOT NULL,
      at         INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX trunk_commit ON trunk (commit_oid);
    CREATE INDEX trunk_line ON trunk (line);
    CREATE TABLE changes (
      id   INTEGER NOT NULL,
      path TEXT NOT NULL,
      oid  TEXT NOT NULL,
      mode TEXT NOT NULL,
      PRIMARY KEY (id, path)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX changes_path ON changes (path, id);
    CREATE TABLE older (
      line       INTEGER NOT NULL,
      path       TEXT NOT NULL,
      n          INTEGER NOT NULL,
      commit_oid TEXT NOT NULL,
      oid        TEXT NOT NULL,
      mode       TEXT NOT NULL,
      at         INTEGER NOT NULL,
      PRIMARY KEY (line, path, n)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE known (
      line INTEGER NOT NULL,
      path TEXT NOT NULL,
      PRIMARY KEY (line, path)
    ) STRICT, WITHOUT ROWID;
  `,
}
