import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../shared/errors/index.ts'
import { BUSY_TIMEOUT, type Db, storageError } from './open.ts'
import type { Plane, PriorRow } from './priorRows.ts'

/** The databases of a store below its working tree. */
export const storeFile = (worktree: string, plane: Plane): string => join(worktree, '.memhtml', `${plane}.db`)

/** Which of a store's databases are there. */
export function storeFiles(worktree: string): { readonly index: boolean; readonly state: boolean } {
  return { index: existsSync(storeFile(worktree, 'index')), state: existsSync(storeFile(worktree, 'state')) }
}

/** A store's databases opened for writing: the index plane as `main`, the state plane attached as `state`. */
export interface StoreDbs {
  readonly db: Db
  /** Runs `work` in one immediate transaction over both. */
  write<T>(work: () => T): T
  close(): void
}

/**
 * Opens both databases of a store; their journal modes stay as they are. Null where either is absent: none is ever
 * created here. Errors: ERR_STORAGE, ERR_STORAGE_BUSY, ERR_READ_ONLY.
 */
export function openStoreDbs(worktree: string): StoreDbs | null {
  const there = storeFiles(worktree)
  if (!there.index || !there.state) return null
  const file = storeFile(worktree, 'index')
  try {
    mustBeInside(worktree, 'index')
    mustBeInside(worktree, 'state')
    const db = new Database(file, { timeout: BUSY_TIMEOUT, fileMustExist: true })
    try {
      attachState(db, storeFile(worktree, 'state'))
    } catch (cause) {
      db.close()
      throw cause
    }
    return { db, write: (work) => inOne(db, file, work), close: () => db.close() }
  } catch (cause) {
    throw storageError(cause, file)
  }
}

/** Opens the index plane alone for writing, for the run rows. Null where it is absent. */
export function openIndexDb(worktree: string): StoreDbs | null {
  const file = storeFile(worktree, 'index')
  if (!existsSync(file)) return null
  try {
    mustBeInside(worktree, 'index')
    const db = new Database(file, { timeout: BUSY_TIMEOUT, fileMustExist: true })
    return { db, write: (work) => inOne(db, file, work), close: () => db.close() }
  } catch (cause) {
    throw storageError(cause, file)
  }
}

/** Reads the state plane once, so that what is wrong with it is not told of the index plane. */
function attachState(db: Db, file: string): void {
  db.prepare('SELECT count(*) FROM main.sqlite_schema').get()
  try {
    db.prepare('ATTACH DATABASE ? AS state').run(file)
    db.prepare('SELECT count(*) FROM state.sqlite_schema').get()
  } catch (cause) {
    throw storageError(cause, file)
  }
}

/** A repository can bring a link in the place of a database; what it leads to is not the store's to write. */
function mustBeInside(worktree: string, plane: Plane): void {
  const path = storeFile(worktree, plane)
  if (realpathSync(path) !== storeFile(realpathSync(worktree), plane))
    throw new AppError('ERR_STORAGE', { path, detail: 'it is a link to another place' })
}

function inOne<T>(db: Db, file: string, work: () => T): T {
  try {
    return db.transaction(work).immediate()
  } catch (cause) {
    throw storageError(cause, file)
  }
}

/** Whether a database has a table of this name. */
export const hasTable = (db: Db, table: string, schema = 'main'): boolean =>
  db.prepare(`SELECT 1 FROM ${schema}.sqlite_schema WHERE type = 'table' AND name = ?`).get(table) !== undefined

/** Tables that marks and run rows touch, with their key columns. Nothing else of a store is ever written. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  sleep_runs: ['run_id'],
  trace_consolidations: ['session_id'],
  edge_corroboration: ['src_path', 'rel', 'dst_path'],
  entity_corroboration: ['entity_type', 'alias_name', 'canonical_name'],
}

const schemaOf = (plane: Plane) => (plane === 'index' ? 'main' : 'state')
const where = (table: string) => (KEYS[table] ?? []).map((column) => `"${column}" = ?`).join(' AND ')

/** One row by its key, null where there is none. */
export function readRow(db: Db, plane: Plane, table: string, key: readonly string[]): Record<string, unknown> | null {
  const row = db.prepare(`SELECT * FROM ${schemaOf(plane)}."${table}" WHERE ${where(table)}`).get(...key)
  return (row as Record<string, unknown> | undefined) ?? null
}

/** Makes one row hold exactly these values; null removes it. */
export function putRow(
  db: Db,
  row: Pick<PriorRow, 'database' | 'table' | 'key'>,
  values: Readonly<Record<string, unknown>> | null,
): void {
  const name = `${schemaOf(row.database)}."${row.table}"`
  if (values === null) {
    db.prepare(`DELETE FROM ${name} WHERE ${where(row.table)}`).run(...row.key)
    return
  }
  const columns = Object.keys(values)
  const there = readRow(db, row.database, row.table, row.key) !== null
  // A replacing insert would delete first, and take with it what hangs on the row.
  const sql = there
    ? `UPDATE ${name} SET ${columns.map((column) => `"${column}" = ?`).join(', ')} WHERE ${where(row.table)}`
    : `INSERT INTO ${name} (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  db.prepare(sql).run(...columns.map((column) => values[column]), ...(there ? row.key : []))
}

/** Whether two rows hold the same values. */
export function sameRow(
  a: Readonly<Record<string, unknown>> | null,
  b: Readonly<Record<string, unknown>> | null,
): boolean {
  if (a === null || b === null) return a === b
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
}
