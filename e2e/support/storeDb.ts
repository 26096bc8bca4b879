import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  STORE_INDEX_MIGRATIONS,
  STORE_INDEX_SCHEMA,
  STORE_STATE_MIGRATIONS,
  STORE_STATE_SCHEMA,
} from '../../electron/core/store/storeSchema.ts'

export type Row = Record<string, string | number | null>

export interface RunRow {
  readonly runId: string
  readonly baseSha: string
  readonly headSha: string
  readonly status: 'running' | 'review' | 'merged' | 'abandoned' | 'failed'
  readonly phases?: readonly { readonly phase: string; readonly commitSha: string | null }[]
}

export interface StoreDbSpec {
  readonly headSha: string
  readonly runs: readonly RunRow[]
  /** Pairs that a ledger's edge marks promote. */
  readonly edges?: readonly (readonly [src: string, rel: string, dst: string])[]
  readonly entities?: readonly (readonly [type: string, alias: string, canonical: string])[]
}

const AT = '2026-11-30T03:00:00Z'

/** Which of a store's databases, as a file. */
export const storeDbFile = (dir: string, plane: 'index' | 'state') => join(dir, '.memhtml', `${plane}.db`)

function create(file: string, schema: string, migrations: readonly string[], wal: boolean): DatabaseSync {
  const db = new DatabaseSync(file)
  if (wal) db.exec('PRAGMA journal_mode = WAL')
  db.exec('BEGIN IMMEDIATE')
  db.exec(schema)
  const row = db.prepare('INSERT INTO schema_migrations VALUES (?, ?)')
  for (const name of migrations) row.run(name, '2026-11-23T09:00:00.000Z')
  return db
}

/**
 * Makes `.memhtml/index.db` (WAL) and `.memhtml/state.db` (rollback journal) as a store's own tool leaves them after
 * a night: run rows, phases, and corroboration rows seen twice and not yet promoted.
 */
export function createStoreDbs(dir: string, spec: StoreDbSpec): void {
  mkdirSync(join(dir, '.memhtml'), { recursive: true })
  const index = create(storeDbFile(dir, 'index'), STORE_INDEX_SCHEMA, STORE_INDEX_MIGRATIONS, true)
  index
    .prepare('INSERT INTO index_state VALUES (1, ?, ?, 1024, ?, ?)')
    .run(spec.headSha, 'lexical@1024', '2026-11-23T09:00:00.000Z', AT)
  const run = index.prepare('INSERT INTO sleep_runs VALUES (?, ?, ?, ?, ?, ?, ?)')
  const phase = index.prepare(
    "INSERT INTO sleep_phases (run_id, phase, ordinal, status, commit_sha, started_at, ended_at) VALUES (?, ?, ?, 'ok', ?, ?, ?)",
  )
  for (const one of spec.runs) {
    run.run(one.runId, one.runId, one.baseSha, one.headSha, one.status, AT, AT)
    one.phases?.forEach((p, at) => {
      phase.run(one.runId, p.phase, at + 1, p.commitSha, AT, AT)
    })
  }
  index.exec('COMMIT')
  index.close()
  const state = create(storeDbFile(dir, 'state'), STORE_STATE_SCHEMA, STORE_STATE_MIGRATIONS, false)
  const edge = state.prepare(
    'INSERT INTO edge_corroboration (src_path, rel, dst_path, detections, updated_at) VALUES (?, ?, ?, 2, ?)',
  )
  for (const [src, rel, dst] of spec.edges ?? []) edge.run(src, rel, dst, AT)
  const entity = state.prepare(
    'INSERT INTO entity_corroboration (entity_type, alias_name, canonical_name, detections, updated_at) VALUES (?, ?, ?, 2, ?)',
  )
  for (const [type, alias, canonical] of spec.entities ?? []) entity.run(type, alias, canonical, AT)
  state.exec('COMMIT')
  state.close()
}

/** Runs SQL on one of the databases: for tests that break or look at them. */
export function storeSql(dir: string, plane: 'index' | 'state', sql: string, timeout = 5000): Row[] {
  const db = new DatabaseSync(storeDbFile(dir, plane), { timeout })
  try {
    return db.prepare(sql).all() as Row[]
  } finally {
    db.close()
  }
}

/** Every row of every table of both databases, ordered: for whole-database comparisons. */
export function dumpStoreDbs(dir: string): Record<string, Row[]> {
  const out: Record<string, Row[]> = {}
  for (const plane of ['index', 'state'] as const) {
    const tables = storeSql(dir, plane, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    for (const { name } of tables) {
      const rows = storeSql(dir, plane, `SELECT * FROM "${name}"`)
      out[`${plane}.${name}`] = rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    }
  }
  return out
}

/** Holds a write lock on one of the databases until the returned function is called. */
export function lockStoreDb(dir: string, plane: 'index' | 'state'): () => void {
  const db = new DatabaseSync(storeDbFile(dir, plane))
  db.exec('BEGIN IMMEDIATE')
  return () => {
    db.exec('ROLLBACK')
    db.close()
  }
}
