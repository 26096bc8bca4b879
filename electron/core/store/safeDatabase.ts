import { statSync } from 'node:fs'
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
    const fault = findFault(db, file)
    if (fault !== null) {
      db.close()
      return standIn(file, migrations, new AppError('ERR_STORAGE', { path: file, detail: fault }))
    }
    return { file, db, problem: null, write: (work) => immediate(db, file, work), close: () => db.close() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return standIn(file, migrations, error)
  }
}

/** A database that tells of every transaction before and after it. */
export function withSqlSteps(database: SafeDatabase, step?: (step: string) => void): SafeDatabase {
  if (!step) return database
  return {
    ...database,
    write: (work) => {
      step('before a transaction')
      const answer = database.write(work)
      step('after a transaction')
      return answer
    },
  }
}

/** Beyond this size a look at every page would hold up the opening; `doctor` looks at any size. */
const LOOKED_AT_BYTES = 16 * 1024 * 1024

/** What is wrong inside a file whose head is sound; null where nothing was found. */
function findFault(db: Db, file: string): string | null {
  if (statSync(file).size > LOOKED_AT_BYTES) return null
  try {
    const answer = String(db.pragma('quick_check(1)', { simple: true }))
    return answer === 'ok' ? null : answer
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
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
