import type { StateDb } from './stateDb.ts'

/** How a candidate stands in the database; whether it is the person's follows from `escalatedAt` and its age. */
export type StoredState = 'open' | 'published' | 'discarded' | 'superseded'

/** A candidate as it was offered. `metadata` and `answer` are JSON, to be checked by whoever reads them. */
export interface StoredCandidate {
  readonly id: string
  readonly path: string
  readonly actor: string
  readonly session: string | null
  readonly state: StoredState
  readonly message: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly baseVersion: number
  /** Null where the base is empty. */
  readonly baseOid: string | null
  readonly headVersion: number
  readonly headCommit: string
  readonly headOid: string
  readonly ours: Buffer
  readonly offered: Buffer
  readonly hunks: number
  readonly conflicts: number
  readonly metadata: string | null
  readonly escalatedAt: string | null
  readonly reason: string | null
  readonly answer: string | null
}

/** All of it but the texts. */
export type CandidateFacts = Omit<StoredCandidate, 'ours' | 'offered'>

const FACTS = `id, path, actor, session, state, message, created_at AS createdAt, updated_at AS updatedAt,
  base_version AS baseVersion, base_oid AS baseOid, head_version AS headVersion, head_commit AS headCommit,
  head_oid AS headOid, hunks, conflicts, metadata, escalated_at AS escalatedAt, reason, answer`

const rows = (state: StateDb, sql: string, ...values: (string | number | null)[]): StoredCandidate[] =>
  state.db.prepare(`SELECT ${FACTS}, ours, offered FROM candidates ${sql}`).all(...values) as StoredCandidate[]

/** Keeps a new candidate; the open ones of the same actor, session and path are superseded by it. */
export function keepCandidate(state: StateDb, row: StoredCandidate): void {
  state.write(() => {
    state.db
      .prepare(
        `UPDATE candidates SET state = 'superseded', updated_at = ?
         WHERE state = 'open' AND path = ? AND actor = ? AND session IS ?`,
      )
      .run(row.createdAt, row.path, row.actor, row.session)
    state.db
      .prepare(
        `INSERT INTO candidates (id, path, actor, session, state, message, created_at, updated_at, base_version, base_oid,
           head_version, head_commit, head_oid, ours, offered, hunks, conflicts, metadata, escalated_at, reason, answer)
         VALUES (@id, @path, @actor, @session, @state, @message, @createdAt, @updatedAt, @baseVersion, @baseOid,
           @headVersion, @headCommit, @headOid, @ours, @offered, @hunks, @conflicts, @metadata, @escalatedAt, @reason, @answer)`,
      )
      .run(row)
  })
}

export const findCandidate = (state: StateDb, id: string): StoredCandidate | null =>
  rows(state, 'WHERE id = ?', id)[0] ?? null

/** Those that wait, the newest first; with `all`, also those that are over, up to a thousand. */
export function listCandidates(state: StateDb, all: boolean): CandidateFacts[] {
  const which = all
    ? 'ORDER BY created_at DESC, rowid DESC LIMIT 1000'
    : "WHERE state = 'open' ORDER BY created_at DESC, rowid DESC"
  return state.db.prepare(`SELECT ${FACTS} FROM candidates ${which}`).all() as CandidateFacts[]
}

/** The newest open candidate that a publish of this actor, session and path at this version answers; null where there is none. */
export const candidateToAnswer = (
  state: StateDb,
  asked: { readonly path: string; readonly actor: string; readonly session: string | null; readonly version: number },
): StoredCandidate | null =>
  rows(
    state,
    `WHERE state = 'open' AND path = ? AND actor = ? AND session IS ? AND head_version = ?
     ORDER BY created_at DESC, rowid DESC LIMIT 1`,
    asked.path,
    asked.actor,
    asked.session,
    asked.version,
  )[0] ?? null

/**
 * Ends an open candidate; one that is over stays as it ended. `lost`: how many lines of the answer's loss are to be looked
 * at. False where it was over.
 */
export const endCandidate = (
  state: StateDb,
  id: string,
  how: Exclude<StoredState, 'open'>,
  answer: string | null,
  at: string,
  lost = 0,
): boolean =>
  state.write(
    () =>
      state.db
        .prepare(
          "UPDATE candidates SET state = ?, answer = ?, updated_at = ?, lost = ? WHERE id = ? AND state = 'open'",
        )
        .run(how, answer, at, lost, id).changes === 1,
  )

/** Those whose answer lost lines that nobody has looked at, the newest first. */
export const listLosses = (state: StateDb): CandidateFacts[] =>
  state.db
    .prepare(`SELECT ${FACTS} FROM candidates WHERE lost > 0 ORDER BY updated_at DESC, rowid DESC`)
    .all() as CandidateFacts[]

/** Changes what is noted of a candidate's answer, in one transaction; `change` gets the answer as it is then. */
export const noteAnswer = (
  state: StateDb,
  id: string,
  change: (answer: string) => { readonly answer: string; readonly lost: number },
): void =>
  state.write(() => {
    const row = state.db.prepare('SELECT answer FROM candidates WHERE id = ?').get(id) as { answer: string | null }
    if (row?.answer == null) return
    const { answer, lost } = change(row.answer)
    state.db.prepare('UPDATE candidates SET answer = ?, lost = ? WHERE id = ?').run(answer, lost, id)
  })

/** Hands an open candidate to the person. False where it was over. */
export const escalateCandidate = (state: StateDb, id: string, reason: string, at: string): boolean =>
  state.write(
    () =>
      state.db
        .prepare(
          "UPDATE candidates SET escalated_at = coalesce(escalated_at, ?), reason = ?, updated_at = ? WHERE id = ? AND state = 'open'",
        )
        .run(at, reason, at, id).changes === 1,
  )

/** Notes the head that an open candidate is merged with now, and the text that is offered for it. */
export const rebaseCandidate = (
  state: StateDb,
  id: string,
  head: Pick<
    StoredCandidate,
    'headVersion' | 'headCommit' | 'headOid' | 'offered' | 'hunks' | 'conflicts' | 'updatedAt'
  >,
): void =>
  state.write(() => {
    state.db
      .prepare(
        `UPDATE candidates SET head_version = @headVersion, head_commit = @headCommit, head_oid = @headOid,
           offered = @offered, hunks = @hunks, conflicts = @conflicts, updated_at = @updatedAt WHERE id = @id AND state = 'open'`,
      )
      .run({ ...head, id })
  })
