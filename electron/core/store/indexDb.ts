import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../../shared/errors/index.ts'
import { trunkHistory } from './migrations/index-0001.ts'
import { fullText } from './migrations/index-0002.ts'
import { type Db, immediate, openDatabase, storageError } from './open.ts'

/**
 * The index plane of one repository, `index.db`: all that is in it can be read anew from git. A damaged file is thrown
 * away and made anew; where no file can be had, an index in memory takes its place.
 */
export interface IndexDb {
  readonly file: string
  /** Errors: ERR_CANCELLED once it is closed. `work` is done again where the file had to be made anew. */
  read<T>(work: (db: Db) => T): T
  /** The same in one immediate transaction. Errors: ERR_STORAGE_BUSY, ERR_DISK_FULL, ERR_CANCELLED. */
  write<T>(work: (db: Db) => T): T
  /** Throws away what is there, for whoever found that it does not say what git says. */
  discard(): void
  /** Runs `work` when it is closed, at once where it is already. */
  onClose(work: () => void): void
  close(): void
}

export const INDEX_MIGRATIONS = [trunkHistory, fullText] as const

/** An index over `<dataDir>/index.db`. The file is opened, or made, when it is first asked. `step`: as the ports' own. */
export function createIndexDb(dataDir: string, step: (step: string) => void = () => {}): IndexDb {
  const file = join(dataDir, 'index.db')
  let opened: Opened | null = null
  let closed = false
  const atClose: (() => void)[] = []

  const db = (): Db => {
    if (closed) throw new AppError('ERR_CANCELLED', { what: 'Reading the index' })
    opened ??= openOrReplace(file)
    return opened.db
  }
  const discard = () => {
    const { inode } = opened ?? { inode: null }
    opened?.db.close()
    opened = null
    // Another process that met the same damage may have made a new one already.
    if (inode !== null && inode === inodeOf(file)) remove(file)
  }
  const orAnew = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      if (!isDamage(error)) throw error
      discard()
      return work()
    }
  }
  return {
    file,
    read: (work) => orAnew(() => work(db())),
    write: (work) =>
      orAnew(() => {
        const open = db()
        step('before a transaction of the index')
        const answer = immediate(open, file, () => work(open))
        step('after a transaction of the index')
        return answer
      }),
    discard,
    onClose: (work) => {
      if (closed) work()
      else atClose.push(work)
    },
    close: () => {
      closed = true
      for (const work of atClose.splice(0)) work()
      opened?.db.close()
      opened = null
    },
  }
}

interface Opened {
  readonly db: Db
  /** Of the file that was opened; null in memory. */
  readonly inode: bigint | null
}

function openOrReplace(file: string): Opened {
  const before = inodeOf(file)
  try {
    return open(file)
  } catch (error) {
    if (!isDamage(error)) return inMemory(error)
  }
  try {
    // Another process that met the same damage may have made a new one already.
    if (inodeOf(file) === before) remove(file)
    return open(file)
  } catch (error) {
    return inMemory(error)
  }
}

/** How long a connection waits for another's lock, in milliseconds; a few times over. */
const PATIENCE = 250

function open(file: string): Opened {
  const db = openDatabase(file, INDEX_MIGRATIONS)
  // Whoever waits for the index can do without it.
  db.pragma(`busy_timeout = ${PATIENCE}`)
  return { db, inode: inodeOf(file) }
}

/** A file of a newer Daybreak, or one that cannot be written, is left as it is. */
function inMemory(cause: unknown): Opened {
  if (!(cause instanceof AppError)) throw cause
  const db = new Database(':memory:')
  for (const step of INDEX_MIGRATIONS) db.exec(step.sql)
  return { db, inode: null }
}

function inodeOf(file: string): bigint | null {
  try {
    return statSync(file, { bigint: true }).ino
  } catch {
    return null
  }
}

function remove(file: string): void {
  for (const end of ['', '-wal', '-shm']) removeOne(file + end)
}

function removeOne(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (cause) {
    throw storageError(cause, file)
  }
}

const UNUSABLE: ReadonlySet<string> = new Set(['ERR_STORAGE', 'ERR_STORAGE_BUSY', 'ERR_READ_ONLY', 'ERR_DISK_FULL'])

/** Whether the index could not be used, which is no reason not to answer. */
export const isUnusable = (error: unknown): boolean => error instanceof AppError && UNUSABLE.has(error.code)

const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB|SCHEMA|ERROR|CONSTRAINT|MISMATCH|IOERR_SHORT_READ)/

/** What a sound file of ours never says: a table that is not there is damage as well. */
function isDamage(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error
  return cause instanceof Database.SqliteError && DAMAGE.test(cause.code)
}
