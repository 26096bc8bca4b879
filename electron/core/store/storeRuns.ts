import { constants, existsSync, statSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** A row of the store's `sleep_runs`, by upstream's names. */
export interface StoreRun {
  readonly runId: string
  readonly branch: string
  readonly baseSha: string | null
  readonly headSha: string | null
  readonly status: string
  readonly startedAt: string
  readonly endedAt: string | null
}

export interface StoreRuns {
  /** Newest first. */
  readonly runs: readonly StoreRun[]
  /** Why they could not be read, null where they were or where there is no database. */
  readonly problem: string | null
}

const NONE: StoreRuns = { runs: [], problem: null }
const TRIES = 3

/** Size and time of the database and its log: what is read is kept as long as they stay. Empty: no database. */
export function storeSignature(root: string): string {
  const file = join(root, '.memhtml', 'index.db')
  return [file, `${file}-wal`].map(signatureOf).join(' ').trim()
}

function signatureOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true })
    return `${stat.ino}:${stat.size}:${stat.mtimeNs}`
  } catch {
    return ''
  }
}

/**
 * The run rows of the store below `root`, read from a copy: opening the database itself would leave `-shm` and
 * `-wal` beside it. Never throws: a damaged or foreign database is told in `problem`.
 */
export async function readStoreRuns(root: string): Promise<StoreRuns> {
  if (!existsSync(join(root, '.memhtml', 'index.db'))) return NONE
  try {
    return { runs: await withCopy(root, readRows), problem: null }
  } catch (error) {
    return { runs: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

async function withCopy<T>(root: string, read: (file: string) => T): Promise<T> {
  const source = join(root, '.memhtml', 'index.db')
  const folder = await mkdtemp(join(tmpdir(), 'daybreak-store-'))
  try {
    for (let attempt = 1; ; attempt++) {
      const before = storeSignature(root)
      const copy = join(folder, `${attempt}.db`)
      await copyFile(source, copy, constants.COPYFILE_FICLONE)
      if (existsSync(`${source}-wal`)) await copyFile(`${source}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE)
      // Written to meanwhile: the pair may not fit together.
      if (storeSignature(root) === before || attempt === TRIES) return read(copy)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function readRows(file: string): StoreRun[] {
  const db = new Database(file)
  try {
    return db
      .prepare(
        `SELECT run_id AS runId, branch, base_sha AS baseSha, head_sha AS headSha, status,
                started_at AS startedAt, ended_at AS endedAt
         FROM sleep_runs ORDER BY started_at DESC, run_id DESC LIMIT 1000`,
      )
      .all() as StoreRun[]
  } finally {
    db.close()
  }
}

/** Writes run rows into a store's index database that has none of these ids. */
export function insertRuns(db: Database.Database, runs: readonly StoreRun[]): void {
  const row = db.prepare(
    `INSERT INTO sleep_runs (run_id, branch, base_sha, head_sha, status, started_at, ended_at)
     VALUES (:runId, :branch, :baseSha, :headSha, :status, :startedAt, :endedAt)`,
  )
  for (const run of runs) row.run(run)
}
