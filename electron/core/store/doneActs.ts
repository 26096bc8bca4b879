import * as z from 'zod'
import { MarksOutcome } from '../../../shared/model/index.ts'
import type { StateDb } from './stateDb.ts'

/** A finished act of a verb, as far as the inbox looks at it. */
export interface Act {
  readonly operationId: string
  readonly verb: string
  readonly branch: string
  /** ISO 8601 UTC. */
  readonly endedAt: string
  readonly from: string | null
  readonly to: string | null
  readonly leftOut: number
  /** The branch's tip and the number of files of the night, as far as the outcome tells them. */
  readonly tip: string | null
  readonly files: number | null
  readonly marks: z.infer<typeof MarksOutcome> | null
}

const Outcome = z.object({
  leftOut: z.array(z.string()).optional(),
  marks: MarksOutcome.nullish(),
  tip: z.string().nullish(),
  files: z.int().nullish(),
})

interface Row {
  id: string
  verb: string
  branch: string
  ended_at: string
  from_oid: string | null
  to_oid: string | null
  outcome: string | null
}

/** Acts that are done and were not undone, newest first. */
export function doneActs(state: StateDb): Act[] {
  const rows = state.db
    .prepare(
      `SELECT id, verb, branch, ended_at, from_oid, to_oid, outcome FROM operations
       WHERE stage = 'done' AND undone_by IS NULL AND ended_at IS NOT NULL
       ORDER BY started_at DESC, rowid DESC LIMIT 1000`,
    )
    .all() as Row[]
  return rows.map((row) => {
    const outcome = Outcome.safeParse(parse(row.outcome)).data
    return {
      operationId: row.id,
      verb: row.verb,
      branch: row.branch,
      endedAt: row.ended_at,
      from: row.from_oid,
      to: row.to_oid,
      leftOut: outcome?.leftOut?.length ?? 0,
      tip: outcome?.tip ?? null,
      files: outcome?.files ?? null,
      marks: outcome?.marks ?? null,
    }
  })
}

function parse(text: string | null): unknown {
  try {
    return text === null ? {} : JSON.parse(text)
  } catch {
    return {}
  }
}

/** Approved runs whose marks are not in the store's databases yet. */
export function marksWaiting(acts: readonly Act[]) {
  return acts.flatMap((act) =>
    act.verb === 'approve' && act.marks?.failure
      ? [{ branch: act.branch, operationId: act.operationId, pending: act.marks.pending, failure: act.marks.failure }]
      : [],
  )
}
