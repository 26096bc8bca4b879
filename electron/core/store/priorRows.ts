import type { StateDb } from './stateDb.ts'

export type Plane = 'index' | 'state'

/** A row of a store's database before and after an operation changed it; null: there was or is none. */
export interface PriorRow {
  readonly database: Plane
  readonly table: string
  /** Values of the key columns, in the table's order. */
  readonly key: readonly string[]
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

/**
 * Keeps what rows held before. A row that is known already keeps its first "before": marks that are applied twice
 * must not take their own result for the state to go back to.
 */
export function keepPriorRows(state: StateDb, operation: string, rows: readonly PriorRow[]): void {
  const put = state.db.prepare(
    `INSERT INTO prior_rows (operation_id, database, table_name, key, before, after) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (operation_id, database, table_name, key) DO UPDATE SET after = excluded.after`,
  )
  const json = (row: object | null) => (row === null ? null : JSON.stringify(row))
  state.write(() => {
    for (const row of rows)
      put.run(operation, row.database, row.table, JSON.stringify(row.key), json(row.before), json(row.after))
  })
}

/** What an operation changed in a store's databases. */
export function readPriorRows(state: StateDb, operation: string): PriorRow[] {
  const raw = state.db
    .prepare('SELECT database, table_name, key, before, after FROM prior_rows WHERE operation_id = ? ORDER BY rowid')
    .all(operation) as {
    database: Plane
    table_name: string
    key: string
    before: string | null
    after: string | null
  }[]
  const parse = (text: string | null) => (text === null ? null : JSON.parse(text))
  return raw.map((row) => ({
    database: row.database,
    table: row.table_name,
    key: JSON.parse(row.key),
    before: parse(row.before),
    after: parse(row.after),
  }))
}
