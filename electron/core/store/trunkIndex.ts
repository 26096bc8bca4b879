import { randomInt } from 'node:crypto'
import type { IndexDb } from './indexDb.ts'
import type { Db } from './open.ts'
import { pathKey } from './pathKey.ts'

/** The line that the index knows: trunk's first-parent commits from `base`, which is not in it, to `tip`. */
export interface IndexedLine {
  readonly id: number
  readonly base: string
  readonly tip: string
}

/** One commit to index, with all that it changed. */
export interface IndexedCommit {
  readonly oid: string
  /** Seconds since 1970. */
  readonly at: number
  readonly changes: readonly IndexedChange[]
}

export interface IndexedChange {
  readonly path: string
  readonly oid: string | null
  readonly mode: string | null
}

/** One change of one path, as it was indexed. */
export interface PathChange {
  readonly commit: string
  readonly at: number
  readonly oid: string | null
  readonly mode: string | null
}

/** So many rows are written at once: a few milliseconds. */
const STEP = 500
/** `line` of a row whose commit left trunk, or never came to be on it. */
const OVER = -1

const lineOf = (db: Db): IndexedLine | null =>
  (db.prepare('SELECT id, base, tip FROM line').get() as IndexedLine | undefined) ?? null

export const readLine = (index: IndexDb): IndexedLine | null => index.read(lineOf)

/** The id of a commit on the line, 0 for its base; null where it is not on it. */
export const positionOf = (index: IndexDb, line: IndexedLine, commit: string): number | null =>
  index.read((db) => positionIn(db, line, commit))

function positionIn(db: Db, line: IndexedLine, commit: string): number | null {
  if (commit === line.base) return 0
  const id = db.prepare('SELECT id FROM trunk WHERE commit_oid = ? AND line = ?').pluck().get(commit, line.id)
  return id === undefined ? null : Number(id)
}

/**
 * Begins a line at a commit, of which nothing is known yet, in place of `old`; the tip of that is to be kept. False
 * where another process was faster.
 */
export function beginLine(index: IndexDb, old: IndexedLine | null, commit: string): boolean {
  return index.write((db) => {
    const now = lineOf(db)
    if (now?.id !== old?.id || now?.tip !== old?.tip) return false
    db.prepare('INSERT OR REPLACE INTO line (only, id, base, tip) VALUES (1, ?, ?, ?)').run(
      randomInt(1, 2 ** 47),
      commit,
      commit,
    )
    if (old) leave(db, old.tip)
    return true
  })
}

const leave = (db: Db, tip: string) => db.prepare('INSERT OR IGNORE INTO unkept (tip) VALUES (?)').run(tip)

/**
 * Puts commits on the line, the oldest first, after the one at position `after`; what was above that is over, and its
 * tip is to be kept. Nobody sees any of it before all of it is there. False where another process was faster.
 */
export async function extendLine(
  index: IndexDb,
  line: IndexedLine,
  after: number | null,
  commits: readonly IndexedCommit[],
  pause: () => Promise<void>,
): Promise<boolean> {
  const total = commits.reduce((sum, commit) => sum + commit.changes.length + 1, 0)
  if (total <= STEP)
    return index.write((db) => {
      if (!isNow(db, line)) return false
      const ids = addCommits(db, commits)
      addChanges(db, rowsOf(commits, ids))
      return link(db, line, after, ids, commits)
    })
  const ids: number[] = []
  for (let at = 0; at < commits.length; at += STEP) {
    ids.push(...index.write((db) => addCommits(db, commits.slice(at, at + STEP))))
    await pause()
  }
  const rows = rowsOf(commits, ids)
  for (let at = 0; at < rows.length; at += STEP) {
    index.write((db) => addChanges(db, rows.slice(at, at + STEP)))
    await pause()
  }
  return index.write((db) => isNow(db, line) && link(db, line, after, ids, commits))
}

function isNow(db: Db, line: IndexedLine): boolean {
  const now = lineOf(db)
  return now?.id === line.id && now.tip === line.tip
}

function addCommits(db: Db, commits: readonly IndexedCommit[]): number[] {
  const insert = db.prepare('INSERT INTO trunk (line, commit_oid, at) VALUES (NULL, ?, ?)')
  return commits.map((commit) => Number(insert.run(commit.oid, commit.at).lastInsertRowid))
}

type ChangeRow = readonly [id: number, path: string, oid: string, mode: string]

const rowsOf = (commits: readonly IndexedCommit[], ids: readonly number[]): ChangeRow[] =>
  commits.flatMap((commit, at) =>
    commit.changes.map((one): ChangeRow => [ids[at] as number, pathKey(one.path), one.oid ?? '', one.mode ?? '']),
  )

function addChanges(db: Db, rows: readonly ChangeRow[]): void {
  const insert = db.prepare('INSERT OR IGNORE INTO changes (id, path, oid, mode) VALUES (?, ?, ?, ?)')
  for (const row of rows) insert.run(...row)
}

function link(
  db: Db,
  line: IndexedLine,
  after: number | null,
  ids: readonly number[],
  commits: readonly IndexedCommit[],
): boolean {
  if (after !== null) {
    db.prepare('UPDATE trunk SET line = ? WHERE line = ? AND id > ?').run(OVER, line.id, after)
    leave(db, line.tip)
  }
  const join = db.prepare('UPDATE trunk SET line = ? WHERE id = ? AND line IS NULL')
  for (const id of ids) join.run(line.id, id)
  db.prepare('UPDATE line SET tip = ?').run(commits.at(-1)?.oid ?? tipAt(db, line, after))
  return true
}

/** The commit at a position of the line. */
const tipAt = (db: Db, line: IndexedLine, at: number | null): string =>
  (db.prepare('SELECT commit_oid FROM trunk WHERE line = ? AND id = ?').pluck().get(line.id, at) as
    | string
    | undefined) ?? line.base

/** The highest position of the line. */
export const lastPosition = (index: IndexDb, line: IndexedLine): number =>
  index.read((db) => Number(db.prepare('SELECT max(id) FROM trunk WHERE line = ?').pluck().get(line.id) ?? 0))

type Raw = [commit: string, at: number, oid: string, mode: string]
const changeOf = ([commit, at, oid, mode]: Raw): PathChange => ({ commit, at, oid: oid || null, mode: mode || null })

/** Changes of a path on the line, at position `upTo` and below `from`, the newest first. */
export function changesOf(
  index: IndexDb,
  line: IndexedLine,
  path: string,
  below: number,
  limit: number,
): { readonly id: number; readonly change: PathChange }[] {
  return index.read((db) => {
    const rows = db
      .prepare(
        `SELECT c.id, t.commit_oid, t.at, c.oid, c.mode FROM changes c JOIN trunk t ON t.id = c.id
         WHERE c.path = ? AND c.id < ? AND t.line = ? ORDER BY c.id DESC LIMIT ?`,
      )
      .raw()
      .all(pathKey(path), below, line.id, limit) as [number, ...Raw][]
    return rows.map(([id, ...rest]) => ({ id, change: changeOf(rest) }))
  })
}

/** Whether what a path was up to the line's base is known. */
export const isKnown = (index: IndexDb, line: IndexedLine, path: string): boolean =>
  index.read(
    (db) => db.prepare('SELECT 1 FROM known WHERE line = ? AND path = ?').get(line.id, pathKey(path)) !== undefined,
  )

/** Changes of a path up to the line's base with a number below `below`, the newest first. They are numbered from 0. */
export function olderChanges(
  index: IndexDb,
  line: IndexedLine,
  path: string,
  below: number,
  limit: number,
): { readonly n: number; readonly change: PathChange }[] {
  return index.read((db) => {
    const rows = db
      .prepare(
        `SELECT n, commit_oid, at, oid, mode FROM older WHERE line = ? AND path = ? AND n < ? ORDER BY n DESC LIMIT ?`,
      )
      .raw()
      .all(line.id, pathKey(path), below, limit) as [number, ...Raw][]
    return rows.map(([n, ...rest]) => ({ n, change: changeOf(rest) }))
  })
}

/** Notes all that a path was up to the line's base, the oldest first. Any process would note the same. */
export async function learnOlder(
  index: IndexDb,
  line: IndexedLine,
  path: string,
  changes: readonly PathChange[],
  pause: () => Promise<void>,
): Promise<void> {
  const stored = pathKey(path)
  const add = (db: Db, from: number) => {
    const insert = db.prepare(
      'INSERT OR IGNORE INTO older (line, path, n, commit_oid, oid, mode, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    changes.slice(from, from + STEP).forEach((one, at) => {
      insert.run(line.id, stored, from + at, one.commit, one.oid ?? '', one.mode ?? '', one.at)
    })
  }
  let at = 0
  for (; at + STEP < changes.length; at += STEP) {
    index.write((db) => add(db, at))
    await pause()
  }
  index.write((db) => {
    add(db, at)
    const held = db.prepare('SELECT count(*) FROM older WHERE line = ? AND path = ?').pluck().get(line.id, stored)
    // A file that was made anew meanwhile has not all of it.
    if (held === changes.length && lineOf(db)?.id === line.id)
      db.prepare('INSERT OR IGNORE INTO known (line, path) VALUES (?, ?)').run(line.id, stored)
  })
}

/** Tips that left trunk and are not kept yet. An empty one: what left before the index was made is not known. */
export const readUnkept = (index: IndexDb): string[] =>
  index.read((db) => db.prepare('SELECT tip FROM unkept').pluck().all() as string[])

export const forgetUnkept = (index: IndexDb, tips: readonly string[]): void =>
  index.write((db) => {
    for (const tip of tips) db.prepare('DELETE FROM unkept WHERE tip = ?').run(tip)
  })
