import { AppError } from '../../../shared/errors/index.ts'
import type { Mark, MarksOutcome } from '../../../shared/model/index.ts'
import { keepPriorRows, type Plane, type PriorRow, readPriorRows } from '../store/priorRows.ts'
import type { StateDb } from '../store/stateDb.ts'
import {
  hasTable,
  openIndexDb,
  openStoreDbs,
  putRow,
  readRow,
  type StoreDbs,
  sameRow,
  storeFiles,
} from '../store/storeDbs.ts'

interface Target {
  readonly database: Plane
  readonly table: string
  readonly key: readonly string[]
}

/** The row that a mark writes; null for one that is only a record. */
function targetOf(mark: Mark): Target | null {
  switch (mark.kind) {
    case 'session-consolidated':
      return { database: 'index', table: 'trace_consolidations', key: [mark.sessionId] }
    case 'edge-promoted':
      return { database: 'state', table: 'edge_corroboration', key: [mark.srcPath, mark.rel, mark.dstPath] }
    case 'entity-promoted':
      return {
        database: 'state',
        table: 'entity_corroboration',
        key: [mark.entityType, mark.aliasName, mark.canonicalName],
      }
    case 'commitment-below-floor':
    case 'malformed':
      return null
  }
}

/** Writes one mark. Done twice it is as if done once; an update of a row that is not there changes nothing. */
function write(dbs: StoreDbs, mark: Mark): void {
  if (mark.kind === 'session-consolidated')
    dbs.db
      .prepare(
        `INSERT INTO main.trace_consolidations (session_id, run_id, consolidated_at) VALUES (?, ?, ?)
         ON CONFLICT (session_id) DO UPDATE SET run_id = excluded.run_id, consolidated_at = excluded.consolidated_at`,
      )
      .run(mark.sessionId, mark.runId, mark.at)
  else if (mark.kind === 'edge-promoted')
    dbs.db
      .prepare(
        'UPDATE state.edge_corroboration SET promoted = 1, confirmed = 1, updated_at = ? WHERE src_path = ? AND rel = ? AND dst_path = ?',
      )
      .run(mark.at, mark.srcPath, mark.rel, mark.dstPath)
  else if (mark.kind === 'entity-promoted')
    dbs.db
      .prepare(
        'UPDATE state.entity_corroboration SET promoted = 1, confirmed = 1, updated_at = ? WHERE entity_type = ? AND alias_name = ? AND canonical_name = ?',
      )
      .run(mark.at, mark.entityType, mark.aliasName, mark.canonicalName)
}

/** The databases that a store lacks, in words. */
function absent(store: string | null): string {
  const there = store === null ? { index: false, state: false } : storeFiles(store)
  const lacking = (['index', 'state'] as const).filter((plane) => !there[plane])
  return lacking.map((plane) => `.memhtml/${plane}.db`).join(' and ')
}

/**
 * Applies a ledger's marks to a store's databases, all or none, in one immediate transaction. What the rows held
 * before is kept under `operation` first. Never throws for what the databases may be: the reason is in the outcome.
 */
export function applyMarks(
  state: StateDb,
  operation: string,
  store: string | null,
  marks: readonly Mark[],
  held: readonly Mark[],
): MarksOutcome {
  const malformed = marks.filter((mark) => mark.kind === 'malformed').length
  const good = marks.filter((mark) => mark.kind !== 'malformed')
  const outcome = { pending: marks.length, applied: 0, held: [...held], malformed, failure: null }
  const writing = good.filter((mark) => targetOf(mark) !== null)
  if (writing.length === 0) return { ...outcome, applied: good.length }
  try {
    const dbs = store === null ? null : openStoreDbs(store)
    if (!dbs) return { ...outcome, failure: `this clone has no ${absent(store)} yet` }
    try {
      dbs.write(() => {
        const targets = new Map(writing.map((mark) => [JSON.stringify(targetOf(mark)), targetOf(mark) as Target]))
        const before = [...targets.values()].map((one) => ({ ...one, before: rowOf(dbs, one) }))
        for (const mark of writing) write(dbs, mark)
        const rows: PriorRow[] = before.map((one) => ({ ...one, after: rowOf(dbs, one) }))
        // Before the store's own transaction ends: a row that was never changed can be put back, one that was not kept cannot.
        keepPriorRows(state, operation, rows)
      })
    } finally {
      dbs.close()
    }
    return { ...outcome, applied: good.length }
  } catch (error) {
    if (error instanceof AppError) return { ...outcome, failure: error.message }
    throw error
  }
}

const rowOf = (dbs: StoreDbs, target: Target) => readRow(dbs.db, target.database, target.table, target.key)

/**
 * Sets what a run's row says it became, and keeps what it said. A run without a row, and a store without a
 * database, have nothing to set. Returns why it could not be set, else null.
 */
export function setRunStatus(
  state: StateDb,
  operation: string,
  store: string | null,
  run: { readonly runId: string; readonly status: 'merged' | 'abandoned'; readonly headSha: string | null },
  now: string,
): string | null {
  try {
    const dbs = store === null ? null : openIndexDb(store)
    if (!dbs) return null
    try {
      dbs.write(() => {
        if (!hasTable(dbs.db, 'sleep_runs')) return
        const target: Target = { database: 'index', table: 'sleep_runs', key: [run.runId] }
        const before = rowOf(dbs, target)
        if (!before) return
        dbs.db
          .prepare(
            'UPDATE main.sleep_runs SET status = ?, head_sha = coalesce(?, head_sha), ended_at = coalesce(ended_at, ?) WHERE run_id = ?',
          )
          .run(run.status, run.headSha, now, run.runId)
        keepPriorRows(state, operation, [{ ...target, before, after: rowOf(dbs, target) }])
      })
    } finally {
      dbs.close()
    }
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const inWords = (row: PriorRow) => `${row.table} (${row.key.join(', ')})`

/** Rows of an operation that someone has changed since, in words. Reads the databases in place, in a write transaction that writes nothing. */
export function rowsChangedSince(state: StateDb, operation: string, store: string | null): string[] {
  const rows = readPriorRows(state, operation)
  if (rows.length === 0) return []
  const dbs = openFor(store, rows)
  if (!dbs) return rows.map(inWords)
  try {
    return dbs.write(() => changed(dbs, rows).map(inWords))
  } finally {
    dbs.close()
  }
}

/** Puts back what an operation changed, all or none, in one immediate transaction. Done twice it is as if done once. */
export function restoreRows(
  state: StateDb,
  operation: string,
  store: string | null,
): { readonly changed: readonly string[] } {
  const rows = readPriorRows(state, operation)
  if (rows.length === 0) return { changed: [] }
  const dbs = openFor(store, rows)
  if (!dbs) return { changed: rows.map(inWords) }
  try {
    return dbs.write(() => {
      const others = changed(dbs, rows)
      if (others.length > 0) return { changed: others.map(inWords) }
      for (const row of rows) putRow(dbs.db, row, row.before)
      return { changed: [] }
    })
  } finally {
    dbs.close()
  }
}

/** Gives a branch that came back under another name the row that its run had. Nothing where there was none, or one is there. */
export function copyRun(
  state: StateDb,
  copy: { readonly of: string; readonly runId: string },
  store: string | null,
): void {
  const before = readPriorRows(state, copy.of).find((row) => row.table === 'sleep_runs')?.before
  const dbs = store === null || !before ? null : openIndexDb(store)
  if (!dbs || !before) return
  const target: Target = { database: 'index', table: 'sleep_runs', key: [copy.runId] }
  try {
    dbs.write(() => {
      if (hasTable(dbs.db, 'sleep_runs') && rowOf(dbs, target) === null)
        putRow(dbs.db, target, { ...before, run_id: copy.runId, branch: copy.runId })
    })
  } finally {
    dbs.close()
  }
}

function openFor(store: string | null, rows: readonly PriorRow[]): StoreDbs | null {
  if (store === null) return null
  return rows.some((row) => row.database === 'state') ? openStoreDbs(store) : openIndexDb(store)
}

/** Rows that hold neither what the operation left nor what was there before it. */
function changed(dbs: StoreDbs, rows: readonly PriorRow[]): PriorRow[] {
  return rows.filter((row) => {
    if (!hasTable(dbs.db, row.table, row.database === 'index' ? 'main' : 'state')) return true
    const now = readRow(dbs.db, row.database, row.table, row.key)
    return !sameRow(now, row.after) && !sameRow(now, row.before)
  })
}
