import type { Migration } from '../open.ts'

/** `lost`: how many lines an agent's answer lost that were neither put back nor let go since. */
export const losses: Migration = {
  number: 7,
  name: 'losses',
  sql: `
    ALTER TABLE candidates ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX candidates_lost ON candidates (lost) WHERE lost > 0;
  `,
}
