import { randomInt } from 'node:crypto'
import type { IndexDb } from './indexDb.ts'
import type { Db } from './open.ts'
import { pathKey, pathOfKey } from './pathKey.ts'

/** A document as it is searched: no pieces where it is no text. */
export interface IndexedText {
  readonly path: string
  readonly oid: string
  readonly title: string
  readonly pieces: readonly string[]
}

/** How far the index is: complete as of `tip`, null where it is not; `writer` changes with whoever writes. */
export interface TextState {
  readonly tip: string | null
  readonly writer: number
}

export const readTextState = (index: IndexDb): TextState =>
  index.read((db) => db.prepare('SELECT tip, writer FROM texts').get() as TextState)

/** Says that documents are about to be written, on top of `seen`. Null where another process did so meanwhile. */
export function beginTexts(index: IndexDb, seen: TextState): TextState | null {
  return index.write((db) => {
    if (!isStill(db, seen)) return null
    const writer = randomInt(1, 2 ** 47)
    db.prepare('UPDATE texts SET tip = NULL, writer = ?').run(writer)
    return { tip: null, writer }
  })
}

/** Says that the index is complete as of a commit. False where another process has written since `seen`. */
export function finishTexts(index: IndexDb, seen: TextState, tip: string): boolean {
  return index.write((db) => {
    if (!isStill(db, seen)) return false
    db.prepare('UPDATE texts SET tip = ?').run(tip)
    return true
  })
}

const isStill = (db: Db, seen: TextState): boolean => {
  const now = db.prepare('SELECT tip, writer FROM texts').get() as TextState
  return now.tip === seen.tip && now.writer === seen.writer
}

const PAGE = 2000

/** Every document that is indexed, with its blob, by its path as SQLite holds it. */
export async function indexedOids(index: IndexDb, pause: () => Promise<void>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; ; ) {
    const rows = index.read(
      (db) =>
        db.prepare('SELECT id, path, oid FROM documents WHERE id > ? ORDER BY id LIMIT ?').raw().all(from, PAGE) as [
          number,
          string,
          string,
        ][],
    )
    for (const [, path, oid] of rows) found.set(path, oid)
    if (rows.length < PAGE) return found
    from = rows.at(-1)?.[0] ?? 0
    await pause()
  }
}

/** Writes and removes documents in one transaction. */
export function writeTexts(index: IndexDb, texts: readonly IndexedText[], gone: readonly string[]): void {
  index.write((db) => {
    for (const path of gone) remove(db, path)
    const addDocument = db.prepare('INSERT INTO documents (path, oid, title) VALUES (?, ?, ?)')
    const addPiece = db.prepare('INSERT INTO pieces (document) VALUES (?)')
    const addWords = db.prepare('INSERT INTO words (rowid, title, path, body) VALUES (?, ?, ?, ?)')
    for (const { path, oid, title, pieces } of texts) {
      remove(db, path)
      const document = addDocument.run(pathKey(path), oid, title).lastInsertRowid
      for (const piece of pieces)
        addWords.run(addPiece.run(document).lastInsertRowid, title, path.toWellFormed(), piece)
    }
  })
}

function remove(db: Db, path: string): void {
  const document = db.prepare('SELECT id FROM documents WHERE path = ?').pluck().get(pathKey(path))
  if (document === undefined) return
  for (const piece of db.prepare('SELECT id FROM pieces WHERE document = ?').pluck().all(document))
    db.prepare('DELETE FROM words WHERE rowid = ?').run(piece)
  db.prepare('DELETE FROM pieces WHERE document = ?').run(document)
  db.prepare('DELETE FROM documents WHERE id = ?').run(document)
}

/** A document that was found; `score` is higher where it fits better. */
export interface FoundText {
  readonly path: string
  readonly title: string
  readonly snippet: string
  readonly score: number
}

/** A word in the title says more than one in the name, and that more than one in the text. */
const RANK = 'bm25(6.0, 3.0, 1.0)'
/** A long document may fill several places of the first list. */
const SPARE = 4
const SNIPPET_WORDS = 24

/** The documents that match an FTS5 expression, the best first; `mark` goes around what matched. */
export function searchTexts(index: IndexDb, expression: string, limit: number, mark: string): FoundText[] {
  return index.read((db) => {
    const rows = db
      .prepare(
        `SELECT w.rowid AS piece, -w.rank AS score, p.document FROM words w JOIN pieces p ON p.id = w.rowid
         WHERE words MATCH ? AND rank MATCH ? ORDER BY w.rank LIMIT ?`,
      )
      .all(expression, RANK, limit * SPARE) as { piece: number; score: number; document: number }[]
    const best = new Map<number, { piece: number; score: number }>()
    for (const row of rows) if (best.size < limit && !best.has(row.document)) best.set(row.document, row)
    const facts = db.prepare('SELECT path, title FROM documents WHERE id = ?')
    const words = db
      .prepare(`SELECT snippet(words, 2, ?, ?, '…', ${SNIPPET_WORDS}) FROM words WHERE words MATCH ? AND rowid = ?`)
      .pluck()
    return [...best].map(([document, { piece, score }]) => {
      const { path, title } = facts.get(document) as { path: string; title: string }
      return { path: pathOfKey(path), title, snippet: String(words.get(mark, mark, expression, piece) ?? ''), score }
    })
  })
}
