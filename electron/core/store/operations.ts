import type { HistoryEntry, Verb } from '../../../shared/model/index.ts'
import type { StateDb } from './stateDb.ts'

export const STAGES = ['intent', 'moved', 'done', 'refused', 'failed', 'rolled-back'] as const
export type Stage = (typeof STAGES)[number]

/** A process as the system knows it: the id alone is used again, with the start it is not. */
export interface ProcessMark {
  readonly pid: number
  /** When it started, in whatever unit the system counts; only compared. */
  readonly started: string
}

/** One act of a verb: written before anything moves, it says all that is needed to finish it or to roll it back. */
export interface OperationRow {
  readonly id: string
  readonly verb: Verb
  readonly branch: string
  readonly actor: string
  readonly via: HistoryEntry['via']
  readonly startedAt: string
  readonly endedAt: string | null
  readonly stage: Stage
  readonly from: string | null
  readonly to: string | null
  /** JSON; its shape is `operations/plan.ts`. */
  readonly plan: unknown
  readonly outcome: unknown
  readonly undoneBy: string | null
  readonly owner: ProcessMark
  readonly children: readonly ProcessMark[]
}

interface Raw {
  id: string
  verb: Verb
  branch: string
  actor: string
  via: HistoryEntry['via']
  started_at: string
  ended_at: string | null
  stage: Stage
  from_oid: string | null
  to_oid: string | null
  plan: string
  outcome: string | null
  undone_by: string | null
  pid: number
  process_started: string
  children: string
}

const read = (raw: Raw): OperationRow => ({
  id: raw.id,
  verb: raw.verb,
  branch: raw.branch,
  actor: raw.actor,
  via: raw.via,
  startedAt: raw.started_at,
  endedAt: raw.ended_at,
  stage: raw.stage,
  from: raw.from_oid,
  to: raw.to_oid,
  plan: JSON.parse(raw.plan),
  outcome: raw.outcome === null ? null : JSON.parse(raw.outcome),
  undoneBy: raw.undone_by,
  owner: { pid: raw.pid, started: raw.process_started },
  children: JSON.parse(raw.children),
})

const rows = (state: StateDb, sql: string, ...values: (string | number)[]): OperationRow[] =>
  (state.db.prepare(`SELECT * FROM operations ${sql}`).all(...values) as Raw[]).map(read)

/**
 * Writes the intent of an operation, unless another one of this repository is unfinished: then that is returned and
 * nothing is written. So at most one verb moves a repository at a time, whatever the number of processes.
 */
export function beginOperation(
  state: StateDb,
  row: Omit<OperationRow, 'endedAt' | 'outcome' | 'undoneBy' | 'children'>,
): OperationRow | null {
  return state.write(() => {
    const open = unfinishedOperations(state)[0]
    if (open) return open
    insert(state, row, null, null)
    return null
  })
}

/** Writes an operation that is over already: a refusal, or one that had nothing to move. */
export function recordOperation(state: StateDb, row: Omit<OperationRow, 'undoneBy' | 'children'>): void {
  state.write(() => insert(state, row, row.endedAt, row.outcome))
}

function insert(
  state: StateDb,
  row: Omit<OperationRow, 'endedAt' | 'outcome' | 'undoneBy' | 'children'>,
  endedAt: string | null,
  outcome: unknown,
): void {
  state.db
    .prepare(
      `INSERT INTO operations (id, verb, branch, actor, via, started_at, ended_at, stage, from_oid, to_oid, plan, outcome, pid, process_started)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, stage = excluded.stage, from_oid = excluded.from_oid,
         to_oid = excluded.to_oid, plan = excluded.plan, outcome = excluded.outcome, children = '[]'`,
    )
    .run(
      row.id,
      row.verb,
      row.branch,
      row.actor,
      row.via,
      row.startedAt,
      endedAt,
      row.stage,
      row.from,
      row.to,
      JSON.stringify(row.plan),
      outcome === null ? null : JSON.stringify(outcome),
      row.owner.pid,
      row.owner.started,
    )
}

/** Notes that an operation is past a point. With `endedAt` it is over. */
export function setStage(
  state: StateDb,
  id: string,
  stage: Stage,
  more: { readonly endedAt?: string; readonly outcome?: unknown; readonly plan?: unknown } = {},
): void {
  state.write(() => {
    state.db
      .prepare('UPDATE operations SET stage = ?, ended_at = coalesce(?, ended_at) WHERE id = ?')
      .run(stage, more.endedAt ?? null, id)
    if (more.outcome !== undefined)
      state.db.prepare('UPDATE operations SET outcome = ? WHERE id = ?').run(JSON.stringify(more.outcome), id)
    if (more.plan !== undefined)
      state.db.prepare('UPDATE operations SET plan = ? WHERE id = ?').run(JSON.stringify(more.plan), id)
  })
}

/** Replaces the plan of an intent of which nothing has moved. */
export function setPlan(
  state: StateDb,
  id: string,
  plan: unknown,
  ends: { readonly from: string | null; readonly to: string | null },
): void {
  state.write(() =>
    state.db
      .prepare("UPDATE operations SET plan = ?, from_oid = ?, to_oid = ? WHERE id = ? AND stage = 'intent'")
      .run(JSON.stringify(plan), ends.from, ends.to, id),
  )
}

/** Replaces what an operation came to, its stage as it is. */
export function setOutcome(state: StateDb, id: string, outcome: unknown): void {
  state.write(() => state.db.prepare('UPDATE operations SET outcome = ? WHERE id = ?').run(JSON.stringify(outcome), id))
}

/** Notes a child process of an unfinished operation. */
export function addChild(state: StateDb, id: string, child: ProcessMark): void {
  state.write(() =>
    state.db
      .prepare("UPDATE operations SET children = json_insert(children, '$[#]', json(?)) WHERE id = ?")
      .run(JSON.stringify(child), id),
  )
}

/** Removes the row of an act that the history does not list: git's own tells of it. Unfinished ones stay. */
export function dropOperation(state: StateDb, id: string): void {
  state.write(() => state.db.prepare("DELETE FROM operations WHERE id = ? AND stage NOT IN ('intent','moved')").run(id))
}

/** Marks an operation as undone by another. */
export function setUndone(state: StateDb, id: string, by: string): void {
  state.write(() => state.db.prepare('UPDATE operations SET undone_by = ? WHERE id = ?').run(by, id))
}

/** Intents that are neither finished nor rolled back, oldest first. */
export const unfinishedOperations = (state: StateDb): OperationRow[] =>
  rows(state, "WHERE stage IN ('intent','moved') ORDER BY started_at, rowid")

export const findOperation = (state: StateDb, id: string): OperationRow | null =>
  rows(state, 'WHERE id = ?', id)[0] ?? null

/** The newest first. */
export const listOperations = (state: StateDb, limit: number): OperationRow[] =>
  rows(state, 'ORDER BY started_at DESC, rowid DESC LIMIT ?', limit)

/** All acts on one branch, newest first. */
export const operationsOfBranch = (state: StateDb, branch: string): OperationRow[] =>
  rows(state, 'WHERE branch = ? ORDER BY started_at DESC, rowid DESC', branch)

/** The undoing that brought a branch back under this name, the latest one; null where there was none. */
export const restorationOf = (state: StateDb, name: string): OperationRow | null =>
  rows(
    state,
    "WHERE verb = 'undo' AND stage = 'done' AND json_extract(outcome, '$.restoredAs') = ? ORDER BY started_at DESC, rowid DESC LIMIT 1",
    name,
  )[0] ?? null

/** Takes an unfinished operation over from a process that is gone. False where another process was faster. */
export const claimOperation = (state: StateDb, row: Pick<OperationRow, 'id' | 'owner'>, by: ProcessMark): boolean =>
  state.write(
    () =>
      state.db
        .prepare('UPDATE operations SET pid = ?, process_started = ? WHERE id = ? AND pid = ? AND process_started = ?')
        .run(by.pid, by.started, row.id, row.owner.pid, row.owner.started).changes === 1,
  )
