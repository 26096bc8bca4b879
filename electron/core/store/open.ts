import { copyFileSync, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../shared/errors/index.ts'
import { makeFolder } from './makeFolder.ts'

export type Db = Database.Database

export interface Migration {
  /** 1, 2, 3 … without a gap. */
  readonly number: number
  readonly name: string
  readonly sql: string
}

/** How long a connection waits for another's lock, in milliseconds. */
export const BUSY_TIMEOUT = 5000

/**
 * Opens one of Daybreak's own databases: WAL, busy timeout, foreign keys, and every migration applied. Before the
 * first migration of an existing file a copy is kept beside it as `<file>.before-<number>`.
 * Errors: ERR_STORAGE (not a database, cannot be written), ERR_STORAGE_NEWER, ERR_STORAGE_BUSY.
 */
export function openDatabase(file: string, migrations: readonly Migration[]): Db {
  try {
    makeFolder(dirname(file))
    const existed = existsSync(file)
    const db = new Database(file, { timeout: BUSY_TIMEOUT })
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    migrate(db, file, existed, migrations)
    return db
  } catch (cause) {
    throw storageError(cause, file)
  }
}

function version(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }))
}

function migrate(db: Db, file: string, existed: boolean, migrations: readonly Migration[]): void {
  const last = migrations.at(-1)?.number ?? 0
  const found = version(db)
  if (found > last) throw new AppError('ERR_STORAGE_NEWER', { path: file, found, known: last })
  if (found === last) return
  if (existed && found > 0) {
    db.pragma('wal_checkpoint(TRUNCATE)')
    copyFileSync(file, `${file}.before-${found + 1}`)
  }
  for (const step of migrations) {
    immediate(db, file, () => {
      // Another process may have been faster.
      if (version(db) >= step.number) return
      db.exec(step.sql)
      db.pragma(`user_version = ${step.number}`)
    })
  }
}

const isBusy = (error: unknown) => error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')

/**
 * Runs `work` in one immediate transaction; a busy database is tried again with jitter, four times at most, and no longer
 * than one wait for a lock: nothing else happens in this process meanwhile.
 */
export function immediate<T>(db: Db, file: string, work: () => T): T {
  const run = db.transaction(work)
  const until = performance.now() + BUSY_TIMEOUT
  for (let attempt = 0; ; attempt++) {
    try {
      return run.immediate()
    } catch (error) {
      if (!isBusy(error) || attempt === 3 || performance.now() >= until) throw storageError(error, file)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + Math.random() * 40)
    }
  }
}

/** SQLite's errors in the catalogue's words; AppErrors pass through. */
export function storageError(cause: unknown, path: string): unknown {
  if (cause instanceof AppError) return cause
  if (isBusy(cause)) return new AppError('ERR_STORAGE_BUSY', { path, waitedSeconds: BUSY_TIMEOUT / 1000 }, { cause })
  if (cause instanceof Database.SqliteError)
    return new AppError('ERR_STORAGE', { path, detail: cause.message }, { cause })
  const code = (cause as NodeJS.ErrnoException)?.code
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new AppError('ERR_READ_ONLY', { path }, { cause })
  if (code === 'ENOSPC') return new AppError('ERR_DISK_FULL', { path }, { cause })
  if (code !== undefined && /^E[A-Z0-9]+$/.test(code) && cause instanceof Error)
    return new AppError('ERR_STORAGE', { path, detail: cause.message }, { cause })
  return cause
}
