/**
 * The tables of a store's own databases that runs and approvals read and write, in the store's format (columns,
 * keys and checks as its tool makes them). Its projection of the memories (chunks, embeddings, full text) is made by
 * that tool when it next indexes.
 */
export const STORE_INDEX_SCHEMA = `
CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL);
CREATE TABLE sleep_runs (
  run_id     TEXT PRIMARY KEY,
  branch     TEXT NOT NULL,
  base_sha   TEXT NOT NULL,
  head_sha   TEXT,
  status     TEXT NOT NULL CHECK (status IN ('running','review','merged','abandoned','failed')),
  started_at TEXT NOT NULL,
  ended_at   TEXT
);
CREATE INDEX sleep_runs_started ON sleep_runs (started_at);
CREATE TABLE sleep_phases (
  run_id     TEXT NOT NULL REFERENCES sleep_runs (run_id) ON DELETE CASCADE,
  phase      TEXT NOT NULL,
  ordinal    INTEGER NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('ok','failed','skipped')),
  commit_sha TEXT,
  counts     TEXT NOT NULL DEFAULT '{}',
  error      TEXT,
  llm_calls  INTEGER NOT NULL DEFAULT 0,
  started_at TEXT NOT NULL,
  ended_at   TEXT,
  PRIMARY KEY (run_id, phase)
);
CREATE TABLE index_state (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  head_sha    TEXT,
  embed_model TEXT NOT NULL,
  embed_dim   INTEGER NOT NULL CHECK (embed_dim > 0),
  rebuilt_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL
);
CREATE TABLE trace_watermarks (
  file_path  TEXT PRIMARY KEY,
  size       INTEGER NOT NULL,
  mtime      TEXT NOT NULL,
  byte_off   INTEGER NOT NULL DEFAULT 0 CHECK (byte_off >= 0),
  scanned_at TEXT NOT NULL
);
CREATE TABLE trace_consolidations (
  session_id      TEXT PRIMARY KEY,
  run_id          TEXT NOT NULL,
  consolidated_at TEXT NOT NULL
);
CREATE INDEX trace_consolidations_run ON trace_consolidations (run_id);
`

/** The state plane: access counts and what corroborates an edge or an entity merge. */
export const STORE_STATE_SCHEMA = `
CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL);
CREATE TABLE access (
  path                TEXT PRIMARY KEY,
  access_count        INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),
  reinforcement_count INTEGER NOT NULL DEFAULT 0 CHECK (reinforcement_count >= 0),
  outcome_score       REAL NOT NULL DEFAULT 0.0 CHECK (outcome_score BETWEEN -1 AND 1),
  last_accessed_at    TEXT,
  last_reinforced_at  TEXT,
  updated_at          TEXT NOT NULL
);
CREATE TABLE edge_corroboration (
  src_path   TEXT NOT NULL,
  rel        TEXT NOT NULL,
  dst_path   TEXT NOT NULL,
  detections INTEGER NOT NULL DEFAULT 1 CHECK (detections >= 1),
  confirmed  INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0,1)),
  promoted   INTEGER NOT NULL DEFAULT 0 CHECK (promoted IN (0,1)),
  updated_at TEXT NOT NULL,
  PRIMARY KEY (src_path, rel, dst_path)
);
CREATE TABLE entity_corroboration (
  entity_type    TEXT NOT NULL,
  alias_name     TEXT NOT NULL,
  canonical_name TEXT NOT NULL,
  detections     INTEGER NOT NULL DEFAULT 1 CHECK (detections >= 1),
  confirmed      INTEGER NOT NULL DEFAULT 0 CHECK (confirmed IN (0,1)),
  promoted       INTEGER NOT NULL DEFAULT 0 CHECK (promoted IN (0,1)),
  updated_at     TEXT NOT NULL,
  PRIMARY KEY (entity_type, alias_name, canonical_name)
);
CREATE INDEX entity_corroboration_pending ON entity_corroboration (entity_type, promoted);
`

/** Names of the migrations that such databases record as done. */
export const STORE_INDEX_MIGRATIONS = [
  '0001_files.sql',
  '0002_chunks.sql',
  '0003_fts.sql',
  '0004_edges.sql',
  '0005_traces.sql',
  '0006_sleep.sql',
  '0007_watermark.sql',
  '0008_tasks.sql',
  '0009_frame_key.sql',
  '0010_trace_consolidations.sql',
  '0011_edge_indexes.sql',
  '0012_origin_path.sql',
] as const
export const STORE_STATE_MIGRATIONS = ['S0001_access.sql', 'S0002_entity_corroboration.sql'] as const
