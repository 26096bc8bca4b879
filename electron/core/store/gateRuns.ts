import type { StateDb } from './stateDb.ts'

/** What the gate was run on: all that the tree which trunk would get follows from. */
export interface GatedLanding {
  readonly branch: string
  /** The commit that is approved. */
  readonly tip: string
  /** Trunk's commit that it lands on. */
  readonly base: string
  /** Paths that are left out. */
  readonly leftOut: readonly string[]
  readonly command: string
}

/** How many are kept; the oldest go. */
const KEPT = 500

const landingOf = ({ tip, base, leftOut }: GatedLanding): string => JSON.stringify([tip, base, [...leftOut].sort()])

/** Keeps how the gate ended on one landing, in place of what was known of it. */
export function writeGateRun(state: StateDb, landing: GatedLanding, passed: boolean, at: string): void {
  state.write(() => {
    state.db
      .prepare(
        `INSERT INTO gate_runs (branch, landing, command, passed, at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (branch, landing, command) DO UPDATE SET passed = excluded.passed, at = excluded.at`,
      )
      .run(landing.branch, landingOf(landing), landing.command, passed ? 1 : 0, at)
    state.db
      .prepare('DELETE FROM gate_runs WHERE rowid NOT IN (SELECT rowid FROM gate_runs ORDER BY at DESC LIMIT ?)')
      .run(KEPT)
  })
}

/** How the gate ended on exactly this landing; null where it was never run on it. */
export function readGateRun(
  state: StateDb,
  landing: GatedLanding,
): { readonly passed: boolean; readonly at: string } | null {
  const row = state.db
    .prepare('SELECT passed, at FROM gate_runs WHERE branch = ? AND landing = ? AND command = ?')
    .get(landing.branch, landingOf(landing), landing.command) as { passed: number; at: string } | undefined
  return row === undefined ? null : { passed: row.passed === 1, at: row.at }
}
