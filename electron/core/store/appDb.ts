import { join } from 'node:path'
import { appData } from './migrations/app-0001.ts'
import { openSafely, type SafeDatabase } from './safeDatabase.ts'

/** The app's own data, `<home>/app.db`; shared by every process of the person. */
export type AppDb = SafeDatabase

/** Opens the app's data. A damaged file is kept; see `SafeDatabase.problem`. */
export function openAppDb(home: string): AppDb {
  return openSafely(join(home, 'app.db'), [appData])
}
