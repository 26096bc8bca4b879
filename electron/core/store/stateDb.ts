import { join } from 'node:path'
import { settings } from './migrations/0001-settings.ts'
import { review } from './migrations/0002-review.ts'
import { operations } from './migrations/0003-operations.ts'
import { type Db, immediate, openDatabase } from './open.ts'

/** The state plane of one repository, `state.db`: cannot be rebuilt. Table families are functions over this handle. */
export interface StateDb {
  readonly file: string
  readonly db: Db
  /** Runs `work` in one immediate transaction. */
  write<T>(work: () => T): T
  close(): void
}

export const STATE_MIGRATIONS = [settings, review, operations] as const

/** Opens `<dataDir>/state.db`, created and migrated as needed. Errors: as `openDatabase`. */
export function openStateDb(dataDir: string): StateDb {
  const file = join(dataDir, 'state.db')
  const db = openDatabase(file, STATE_MIGRATIONS)
  return { file, db, write: (work) => immediate(db, file, work), close: () => db.close() }
}
