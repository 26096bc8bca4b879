import { pathKey } from './pathKey.ts'
import type { StateDb } from './stateDb.ts'

/** A number that was handed out for a path, and the bytes that it means for ever. */
export interface HandedVersion {
  readonly version: number
  readonly commit: string
  /** Null: that version deleted the file. */
  readonly oid: string | null
}

/** So many rows are read or written at once. */
const STEP = 1000

type Raw = [version: number, commit: string, oid: string]
const rowOf = ([version, commit, oid]: Raw): HandedVersion => ({ version, commit, oid: oid || null })

/** What was handed out of a path above a number, in order; `pause` runs between two steps. */
export async function readHanded(
  state: StateDb,
  path: string,
  above: number,
  pause: () => Promise<void>,
): Promise<HandedVersion[]> {
  const statement = state.db
    .prepare('SELECT version, commit_oid, oid FROM versions WHERE path = ? AND version > ? ORDER BY version LIMIT ?')
    .raw()
  const found: HandedVersion[] = []
  for (let from = above; ; ) {
    const rows = statement.all(pathKey(path), from, STEP) as Raw[]
    for (const row of rows) found.push(rowOf(row))
    if (rows.length < STEP) return found
    from = (rows.at(-1) as Raw)[0]
    await pause()
  }
}

/** The number that was handed out for a commit's version of a path; null where none was. */
export function handedFor(state: StateDb, path: string, commit: string): HandedVersion | null {
  const row = state.db
    .prepare('SELECT version, commit_oid, oid FROM versions WHERE path = ? AND commit_oid = ?')
    .raw()
    .get(pathKey(path), commit) as Raw | undefined
  return row ? rowOf(row) : null
}

/** What a handed-out number means; null where it was not handed out. */
export function handedVersion(state: StateDb, path: string, version: number): HandedVersion | null {
  const row = state.db
    .prepare('SELECT version, commit_oid, oid FROM versions WHERE path = ? AND version = ?')
    .raw()
    .get(pathKey(path), version) as Raw | undefined
  return row ? rowOf(row) : null
}

/**
 * Notes numbers as handed out: those directly above the highest of the path, in order. False where another process has
 * handed out some of them meanwhile, for whatever bytes; those before may have been noted.
 * Errors: ERR_STORAGE_BUSY and the others of a write.
 */
export async function handOut(
  state: StateDb,
  path: string,
  versions: readonly HandedVersion[],
  pause: () => Promise<void>,
): Promise<boolean> {
  const stored = pathKey(path)
  for (let at = 0; at < versions.length; at += STEP) {
    if (at > 0) await pause()
    const noted = state.write(() => {
      const highest = state.db.prepare('SELECT max(version) FROM versions WHERE path = ?').pluck().get(stored)
      if (Number(highest ?? 0) + 1 !== versions[at]?.version) return false
      const insert = state.db.prepare('INSERT INTO versions (path, version, commit_oid, oid) VALUES (?, ?, ?, ?)')
      for (const one of versions.slice(at, at + STEP)) insert.run(stored, one.version, one.commit, one.oid ?? '')
      return true
    })
    if (!noted) return false
  }
  return true
}

/** Every commit that a handed-out number names. */
export const handedCommits = (state: StateDb): string[] =>
  state.db.prepare('SELECT DISTINCT commit_oid FROM versions').pluck().all() as string[]
