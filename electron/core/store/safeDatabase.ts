import Database from 'better-sqlite3'
import { AppError } from '../../../shared/errors/index.ts'
import { type Db, immediate, type Migration, openDatabase, storageError } from './open.ts'

/** One of Daybreak's databases, or an empty stand-in where the file cannot be used. */
export interface SafeDatabase {
  readonly file: string
  readonly db: Db
  /** Why the file is not used, null where it is. Reads then find nothing, and every write throws this. */
  readonly problem: AppError | null
  /** Runs `work` in one immediate transaction. */
  write<T>(work: () => T): T
  close(): void
}

/**
 * Opens a database; where that fails, an empty read-only one in memory takes its place, so that what needs no state
 * still works. The file is left as it is.
 */
export function openSafely(file: string, migrations: readonly Migration[]): SafeDatabase {
  try {
    const db = openDatabase(file, migrations)
    return { file, db, problem: null, write: (work) => immediate(db, file, work), close: () => db.close() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return standIn(file, migrations, error)
  }
}

function standIn(file: string, migrations: readonly Migration[], problem: AppError): SafeDatabase {
  const db = new Database(':memory:')
  for (const step of migrations) db.exec(step.sql)
  db.pragma('query_only = ON')
  return {
    file,
    db,
    problem,
    write: () => {
      throw problem
    },
    close: () => db.close(),
  }
}

/** SQLite's own errors, wherever they surface, as AppErrors; anything else as it is. */
export const asStorageError = (error: unknown): unknown =>
  error instanceof Database.SqliteError ? storageError(error, 'of Daybreak') : error
