import type { Migration } from '../open.ts'

/**
 * Intents and history of the verbs. A row is written before anything moves and says all that is needed to finish it
 * or to roll it back; `plan` and `outcome` are JSON.
 */
export const operations: Migration = {
  number: 3,
  name: 'operations',
  sql: `
    CREATE TABLE operations (
      id         TEXT PRIMARY KEY,
      verb       TEXT NOT NULL,
      branch     TEXT NOT NULL,
      actor      TEXT NOT NULL,
      via        TEXT NOT NULL,
      started_at TEXT NOT NULL,
      ended_at   TEXT,
      stage      TEXT NOT NULL CHECK (stage IN ('intent','moved','done','refused','failed','rolled-back')),
      from_oid   TEXT,
      to_oid     TEXT,
      plan       TEXT NOT NULL,
      outcome    TEXT,
      undone_by  TEXT REFERENCES operations (id),
      pid        INTEGER NOT NULL,
      process_started TEXT NOT NULL,
      children   TEXT NOT NULL DEFAULT '[]'
    ) STRICT;
    CREATE INDEX operations_started ON operations (started_at);
    CREATE INDEX operations_open ON operations (stage) WHERE stage IN ('intent','moved');
    CREATE TABLE prior_rows (
      operation_id TEXT NOT NULL REFERENCES operations (id),
      database     TEXT NOT NULL CHECK (database IN ('index','state')),
      table_name   TEXT NOT NULL,
      key          TEXT NOT NULL,
      before       TEXT,
      after        TEXT,
      PRIMARY KEY (operation_id, database, table_name, key)
    ) STRICT;
  `,
}
