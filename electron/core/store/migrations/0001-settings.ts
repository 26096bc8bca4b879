import type { Migration } from '../open.ts'

/** Personal settings of one repository: trunk, sleep pattern, keep. */
export const settings: Migration = {
  number: 1,
  name: 'settings',
  sql: `
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
}
