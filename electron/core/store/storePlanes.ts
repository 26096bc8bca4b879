import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { BUSY_TIMEOUT, storageError } from './open.ts'
import { insertRuns, type StoreRun } from './storeRuns.ts'
import {
  STORE_INDEX_MIGRATIONS,
  STORE_INDEX_SCHEMA,
  STORE_STATE_MIGRATIONS,
  STORE_STATE_SCHEMA,
} from './storeSchema.ts'

export interface PlaneRows {
  readonly headSha: string
  readonly runs: readonly StoreRun[]
  readonly edges: readonly { readonly srcPath: string; readonly rel: string; readonly dstPath: string }[]
  readonly entities: readonly {
    readonly entityType: string
    readonly aliasName: string
    readonly canonicalName: string
  }[]
  readonly at: string
}

/**
 * Makes a store's two databases where there are none, `.memhtml/index.db` (WAL) and `.memhtml/state.db` (rollback
 * journal), with the rows of its runs. Errors: ERR_STORAGE, ERR_READ_ONLY, ERR_DISK_FULL.
 */
export function createStorePlanes(root: string, rows: PlaneRows): void {
  const folder = join(root, '.memhtml')
  try {
    mkdirSync(folder, { recursive: true })
    make(join(folder, 'index.db'), true, (db) => indexRows(db, rows))
    make(join(folder, 'state.db'), false, (db) => stateRows(db, rows))
  } catch (cause) {
    throw storageError(cause, folder)
  }
}

function make(file: string, wal: boolean, fill: (db: Database.Database) => void): void {
  const db = new Database(file, { timeout: BUSY_TIMEOUT })
  try {
    if (wal) db.pragma('journal_mode = WAL')
    db.transaction(fill).immediate(db)
  } finally {
    db.close()
  }
}

function indexRows(db: Database.Database, rows: PlaneRows): void {
  db.exec(STORE_INDEX_SCHEMA)
  migrations(db, STORE_INDEX_MIGRATIONS, rows.at)
  db.prepare('INSERT INTO index_state VALUES (1, ?, ?, 1024, ?, ?)').run(rows.headSha, 'none@1024', rows.at, rows.at)
  insertRuns(db, rows.runs)
}

function stateRows(db: Database.Database, rows: PlaneRows): void {
  db.exec(STORE_STATE_SCHEMA)
  migrations(db, STORE_STATE_MIGRATIONS, rows.at)
  const edge = db.prepare('INSERT INTO edge_corroboration VALUES (?, ?, ?, 2, 0, 0, ?)')
  for (const one of rows.edges) edge.run(one.srcPath, one.rel, one.dstPath, rows.at)
  const entity = db.prepare('INSERT INTO entity_corroboration VALUES (?, ?, ?, 2, 0, 0, ?)')
  for (const one of rows.entities) entity.run(one.entityType, one.aliasName, one.canonicalName, rows.at)
}

function migrations(db: Database.Database, names: readonly string[], at: string): void {
  const row = db.prepare('INSERT INTO schema_migrations VALUES (?, ?)')
  for (const name of names) row.run(name, at)
}
