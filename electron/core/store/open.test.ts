import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../e2e/support/index.ts'
import { isAppError } from '../../../shared/errors/index.ts'
import { openAppDb } from './appDb.ts'
import { createIndexDb } from './indexDb.ts'
import { openDatabase } from './open.ts'
import { openSafely } from './safeDatabase.ts'
import { openStateDb, STATE_MIGRATIONS } from './stateDb.ts'

const failure = (work: () => unknown) => {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}
/** Every table of a database with its columns: name, type, whether it may be null, default, place in the key. */
function tables(file: string): Record<string, string[]> {
  const db = new DatabaseSync(file, { readOnly: true })
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const found = names.map(({ name }) => [
    String(name),
    db
      .prepare('SELECT name, type, "notnull" AS need, dflt_value AS def, pk FROM pragma_table_info(?)')
      .all(String(name))
      .map(
        (c) =>
          `${c.name} ${c.type}${c.need ? ' not null' : ''}${c.def === null ? '' : ` = ${c.def}`}${c.pk ? ` key ${c.pk}` : ''}`,
      ),
  ])
  db.close()
  return Object.fromEntries(found)
}

describe('migrations', () => {
  it('make exactly these tables in state.db', () => {
    const dir = tempDir('state')
    openStateDb(dir).close()
    expect(tables(join(dir, 'state.db'))).toMatchObject({
      settings: ['key TEXT not null key 1', 'value TEXT not null'],
      viewed: ['content_key TEXT not null key 1', 'path TEXT not null', 'at TEXT not null'],
      left_out: ['branch TEXT not null key 1', 'path TEXT not null key 2', 'content_key TEXT not null'],
      declined: ['content_key TEXT not null key 1', 'path TEXT not null', 'branch TEXT not null', 'at TEXT not null'],
      prior_rows: [
        'operation_id TEXT not null key 1',
        'database TEXT not null key 2',
        'table_name TEXT not null key 3',
        'key TEXT not null key 4',
        'before TEXT',
        'after TEXT',
      ],
      operations: expect.arrayContaining([
        'id TEXT not null key 1',
        'stage TEXT not null',
        "children TEXT not null = '[]'",
      ]),
      versions: [
        'path TEXT not null key 1',
        'version INTEGER not null key 2',
        'commit_oid TEXT not null',
        'oid TEXT not null',
      ],
    })
  })

  it('make exactly these tables in index.db, which no one needs to keep', () => {
    const dir = tempDir('index')
    const index = createIndexDb(dir)
    index.write((db) => db.exec('DELETE FROM unkept'))
    expect(existsSync(join(dir, 'index.db'))).toBe(true)
    index.close()
    const found = tables(join(dir, 'index.db'))
    // The others are the full text's own.
    expect(Object.fromEntries(Object.entries(found).filter(([name]) => !/^(?:words|sqlite)_/.test(name)))).toEqual({
      line: ['only INTEGER key 1', 'id INTEGER not null', 'base TEXT not null', 'tip TEXT not null'],
      unkept: ['tip TEXT not null key 1'],
      trunk: ['id INTEGER key 1', 'line INTEGER', 'commit_oid TEXT not null', 'at INTEGER not null'],
      changes: ['id INTEGER not null key 1', 'path TEXT not null key 2', 'oid TEXT not null', 'mode TEXT not null'],
      older: [
        'line INTEGER not null key 1',
        'path TEXT not null key 2',
        'n INTEGER not null key 3',
        'commit_oid TEXT not null',
        'oid TEXT not null',
        'mode TEXT not null',
        'at INTEGER not null',
      ],
      known: ['line INTEGER not null key 1', 'path TEXT not null key 2'],
      texts: ['only INTEGER key 1', 'tip TEXT', 'writer INTEGER not null'],
      documents: ['id INTEGER key 1', 'path TEXT not null', 'oid TEXT not null', 'title TEXT not null'],
      pieces: ['id INTEGER key 1', 'document INTEGER not null'],
      words: ['title ', 'path ', 'body '],
    })
  })

  it('make exactly these tables in the app’s own data', () => {
    const dir = tempDir('app')
    openAppDb(dir).close()
    expect(tables(join(dir, 'app.db'))).toEqual({
      app_settings: ['key TEXT not null key 1', 'value TEXT not null'],
      recent: [
        'path TEXT not null key 1',
        'id TEXT not null',
        'name TEXT not null',
        'opened_at TEXT not null',
        'pinned INTEGER not null = 0',
      ],
      trust: ['repo_id TEXT not null key 1', 'hash TEXT not null', 'at TEXT not null'],
    })
  })

  it('are numbered without a gap', () => {
    expect(STATE_MIGRATIONS.map((step) => step.number)).toEqual(STATE_MIGRATIONS.map((_, at) => at + 1))
  })

  it('keep what is there, and a copy of the file from before', () => {
    const file = join(tempDir('old'), 'state.db')
    const old = openDatabase(file, STATE_MIGRATIONS.slice(0, 1))
    old.prepare("INSERT INTO settings VALUES ('trunk', 'work')").run()
    old.close()
    const db = openDatabase(file, STATE_MIGRATIONS)
    expect(db.prepare('SELECT * FROM settings').all()).toEqual([{ key: 'trunk', value: 'work' }])
    expect(db.pragma('user_version', { simple: true })).toBe(STATE_MIGRATIONS.length)
    db.close()
    const before = new DatabaseSync(`${file}.before-2`, { readOnly: true })
    expect(before.prepare('SELECT value FROM settings').all()).toMatchObject([{ value: 'work' }])
    expect(tables(`${file}.before-2`)).not.toHaveProperty('viewed')
    before.close()
  })

  it('do nothing the second time', () => {
    const dir = tempDir('twice')
    openStateDb(dir).close()
    openStateDb(dir).close()
    expect(existsSync(join(dir, 'state.db.before-2'))).toBe(false)
  })

  it('are done once when several processes open a new database at once', async () => {
    const dir = tempDir('many')
    const script = join(tempDir('script'), 'open.ts')
    writeFileSync(
      script,
      `import { openStateDb } from ${JSON.stringify(join(import.meta.dirname, 'stateDb.ts'))}
      const state = openStateDb(${JSON.stringify(dir)})
      if (state.problem) throw state.problem
      state.write(() => state.db.prepare("INSERT INTO settings VALUES (?, 'x')").run(String(process.pid)))
      state.close()`,
    )
    const started = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--no-warnings', script], { stdio: 'ignore' }),
    )
    const codes = await Promise.all(started.map(async (child) => (await once(child, 'close'))[0] as number))
    expect(codes).toEqual([0, 0, 0, 0])
    const state = openStateDb(dir)
    expect(state.db.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 4 })
    state.close()
  })
})

describe('a database of ours', () => {
  it('is in WAL, waits for locks, and checks references', () => {
    const state = openStateDb(tempDir('pragmas'))
    const pragma = (name: string) => state.db.pragma(name, { simple: true })
    expect([pragma('journal_mode'), pragma('busy_timeout'), pragma('foreign_keys')]).toEqual(['wal', 5000, 1])
    state.close()
  })

  it('waits for another process that is writing', async () => {
    const dir = tempDir('busy')
    const state = openStateDb(dir)
    const script = `const { DatabaseSync } = require('node:sqlite')
      const db = new DatabaseSync(${JSON.stringify(state.file)})
      db.exec('BEGIN IMMEDIATE')
      process.stdout.write('locked')
      setTimeout(() => { db.exec('COMMIT'); db.close() }, 300)`
    const other = spawn(process.execPath, ['--no-warnings', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(other, 'close')
    await once(other.stdout, 'data')
    state.write(() => state.db.prepare("INSERT INTO settings VALUES ('keep', 'true')").run())
    expect(state.db.prepare('SELECT value FROM settings').all()).toEqual([{ value: 'true' }])
    await ended
    state.close()
  })

  it('that a newer Daybreak wrote is not touched', () => {
    const dir = tempDir('newer')
    const state = openStateDb(dir)
    state.db.pragma('user_version = 99')
    state.close()
    const before = readFileSync(join(dir, 'state.db'))
    const error = failure(() => openDatabase(join(dir, 'state.db'), STATE_MIGRATIONS))
    expect(isAppError(error, 'ERR_STORAGE_NEWER') && error.data).toMatchObject({
      found: 99,
      known: STATE_MIGRATIONS.length,
    })
    expect(readFileSync(join(dir, 'state.db')).equals(before)).toBe(true)
  })

  it('that is damaged has an empty stand-in that takes no writes, and stays as it is', () => {
    const file = join(tempDir('damaged'), 'state.db')
    writeFileSync(file, 'damaged '.repeat(1000))
    const state = openSafely(file, STATE_MIGRATIONS)
    expect(state.problem?.code).toBe('ERR_STORAGE')
    expect(state.db.prepare('SELECT * FROM operations').all()).toEqual([])
    expect(
      isAppError(
        failure(() => state.write(() => 1)),
        'ERR_STORAGE',
      ),
    ).toBe(true)
    expect(failure(() => state.db.exec("INSERT INTO settings VALUES ('a', 'b')"))).toBeInstanceOf(Error)
    expect(readFileSync(file, 'utf8')).toBe('damaged '.repeat(1000))
    state.close()
  })

  it('has the stand-in also where only a page in its middle is damaged', () => {
    const dir = tempDir('page')
    const state = openStateDb(dir)
    const insert = state.db.prepare("INSERT INTO viewed VALUES (?, ?, 'at')")
    state.write(() => {
      for (let n = 0; n < 2000; n++) insert.run(`key ${n}`, `path/${n}`)
    })
    state.close()
    const bytes = readFileSync(state.file)
    bytes.fill(0xff, bytes.length - 3 * 4096, bytes.length - 4096)
    writeFileSync(state.file, bytes)
    const again = openStateDb(dir)
    expect(again.problem?.code).toBe('ERR_STORAGE')
    expect(again.db.prepare('SELECT count(*) AS n FROM viewed').get()).toEqual({ n: 0 })
    expect(readFileSync(state.file).equals(bytes)).toBe(true)
    again.close()
  })

  it('rolls back what fails in the middle', () => {
    const state = openStateDb(tempDir('rollback'))
    const insert = () => state.db.prepare("INSERT INTO settings VALUES ('keep', 'true')").run()
    expect(
      failure(() =>
        state.write(() => {
          insert()
          throw new Error('half way')
        }),
      ),
    ).toMatchObject({ message: 'half way' })
    expect(state.db.prepare('SELECT * FROM settings').all()).toEqual([])
    state.close()
  })
})
