import { join } from 'node:path'
import { settings } from './migrations/0001-settings.ts'
import { review } from './migrations/0002-review.ts'
import { operations } from './migrations/0003-operations.ts'
import { drafts } from './migrations/0004-drafts.ts'
import { gates } from './migrations/0005-gates.ts'
import { documents } from './migrations/0006-documents.ts'
import { losses } from './migrations/0007-losses.ts'
import { openSafely, type SafeDatabase } from './safeDatabase.ts'

/** The state plane of one repository, `state.db`: cannot be rebuilt. Table families are functions over this handle. */
export type StateDb = SafeDatabase

export const STATE_MIGRATIONS = [settings, review, operations, drafts, gates, documents, losses] as const

/** Opens `<dataDir>/state.db`, created and migrated as needed. A damaged file is kept; see `SafeDatabase.problem`. */
export function openStateDb(dataDir: string): StateDb {
  return openSafely(join(dataDir, 'state.db'), STATE_MIGRATIONS)
}
