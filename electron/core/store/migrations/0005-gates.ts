import type { Migration } from '../open.ts'

/**
 * How the gate ended, for each tree that a branch would land. `landing` says which: the commits it comes from and what is
 * left out. Another command, tip, base or choice is another question, of which nothing is known.
 */
export const gates: Migration = {
  number: 5,
  name: 'gates',
  sql: `
    CREATE TABLE gate_runs (
      branch  TEXT NOT NULL,
      landing TEXT NOT NULL,
      command TEXT NOT NULL,
      passed  INTEGER NOT NULL,
      at      TEXT NOT NULL,
      PRIMARY KEY (branch, landing, command)
    ) STRICT;
    CREATE INDEX gate_runs_at ON gate_runs (at);
  `,
}
