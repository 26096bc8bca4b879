import type { StateDb } from './stateDb.ts'

/** A draft as it was kept. `draft` and `about` are JSON, to be checked by whoever reads them. */
export interface DraftRow {
  readonly item: string
  readonly fingerprint: string
  readonly draft: string
  readonly about: string
  readonly decided: boolean
  readonly savedAt: string
}

/** Rows of an item beyond these, the oldest ones, are forgotten; and rows that nobody touched for so many days. */
const KEPT_ROWS = 8
const KEPT_DAYS = 90

interface Raw extends Omit<DraftRow, 'decided' | 'savedAt'> {
  readonly decided: number
  readonly saved_at: string
}

const rowOf = ({ decided, saved_at, ...row }: Raw): DraftRow => ({ ...row, decided: decided === 1, savedAt: saved_at })

/** The drafts of an item, the one kept last first. */
export function readDrafts(state: StateDb, source: string, item: string): DraftRow[] {
  const sql = 'SELECT * FROM drafts WHERE source = ? AND item = ? ORDER BY saved_at DESC, rowid DESC'
  return (state.db.prepare(sql).all(source, item) as (Raw & { source: string })[]).map(({ source: _, ...row }) =>
    rowOf(row),
  )
}

/** The items of a source whose decision stands, with the sides it is about. */
export function decidedItems(
  state: StateDb,
  source: string,
): { readonly item: string; readonly fingerprint: string }[] {
  const sql = 'SELECT item, fingerprint FROM drafts WHERE source = ? AND decided = 1'
  return state.db.prepare(sql).all(source) as { item: string; fingerprint: string }[]
}

export interface KeptDraft extends DraftRow {
  readonly source: string
}

/** Keeps a draft, in place of the one about the same sides. */
export function keepDraft(state: StateDb, row: KeptDraft): void {
  state.write(() => {
    state.db
      .prepare(
        `INSERT INTO drafts (source, item, fingerprint, draft, about, decided, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (source, item, fingerprint) DO UPDATE SET
           draft = excluded.draft, about = excluded.about, decided = excluded.decided, saved_at = excluded.saved_at`,
      )
      .run(row.source, row.item, row.fingerprint, row.draft, row.about, row.decided ? 1 : 0, row.savedAt)
    state.db
      .prepare(
        `DELETE FROM drafts WHERE source = @source AND item = @item AND rowid NOT IN
           (SELECT rowid FROM drafts WHERE source = @source AND item = @item ORDER BY saved_at DESC, rowid DESC LIMIT @most)`,
      )
      .run({ source: row.source, item: row.item, most: KEPT_ROWS })
    const oldest = new Date(Date.parse(row.savedAt) - KEPT_DAYS * 86_400_000).toISOString()
    state.db.prepare('DELETE FROM drafts WHERE saved_at < ?').run(oldest)
  })
}

/** Takes back that the decisions of a source stand; of one item where one is named. The drafts stay. */
export function reopenDrafts(state: StateDb, source: string, item?: string): void {
  state.write(() => {
    if (item === undefined) state.db.prepare('UPDATE drafts SET decided = 0 WHERE source = ?').run(source)
    else state.db.prepare('UPDATE drafts SET decided = 0 WHERE source = ? AND item = ?').run(source, item)
  })
}

/** Forgets all drafts of a source. */
export function forgetDrafts(state: StateDb, source: string): void {
  state.write(() => state.db.prepare('DELETE FROM drafts WHERE source = ?').run(source))
}
