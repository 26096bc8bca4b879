import type { Migration } from '../open.ts'

/**
 * The full text of trunk's documents, as of the commit `tip`. `documents` has every file that was looked at, those that
 * are no text without a piece. A long document is searched in pieces; a piece's id is its row in `words`.
 * `writer`: who wrote last, so that nobody calls complete what another process is changing.
 */
export const fullText: Migration = {
  number: 2,
  name: 'full-text',
  sql: `
    CREATE TABLE texts (
      only   INTEGER PRIMARY KEY CHECK (only = 1),
      tip    TEXT,
      writer INTEGER NOT NULL
    ) STRICT;
    INSERT INTO texts (only, tip, writer) VALUES (1, NULL, 0);
    CREATE TABLE documents (
      id    INTEGER PRIMARY KEY,
      path  TEXT NOT NULL UNIQUE,
      oid   TEXT NOT NULL,
      title TEXT NOT NULL
    ) STRICT;
    CREATE TABLE pieces (
      id       INTEGER PRIMARY KEY,
      document INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX pieces_document ON pieces (document);
    CREATE VIRTUAL TABLE words USING fts5 (title, path, body, tokenize = 'unicode61 remove_diacritics 2');
    INSERT INTO words (words, rank) VALUES ('crisismerge', 256);
  `,
}
