import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { addCommits, buildRepo, copyRepo, type TestRepo, tempDir } from '../../../../e2e/support/index.ts'
import { type OpenedVersions, openVersions } from '../../testing/openVersions.ts'

const opened: OpenedVersions[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(repo: Pick<TestRepo, 'dir'>): Promise<OpenedVersions> {
  const one = await openVersions(repo)
  opened.push(one)
  return one
}

const base = buildRepo(undefined, {
  commits: [
    { message: 'one', files: { 'a.md': 'one\n', 'b.md': 'b\n' } },
    { message: 'two', files: { 'a.md': 'two\n' } },
  ],
})

/** A copy whose index knows `a.md`, closed, with a commit that it does not know. */
async function indexed(): Promise<{ repo: TestRepo; file: string }> {
  const repo = copyRepo(base)
  const one = await openVersions(repo)
  expect(await one.head('a.md')).toBe('2')
  repo.commit('three', { 'a.md': 'three\n' })
  expect(await one.head('a.md')).toBe('3')
  await one.close()
  return { repo, file: one.context.index.file }
}

describe('the index', () => {
  const damage: readonly (readonly [what: string, harm: (file: string) => void])[] = [
    ['is gone', (file) => rmSync(file)],
    ['is empty', (file) => truncateSync(file, 0)],
    ['is no database', (file) => writeFileSync(file, 'no database at all, whatever its name says\n'.repeat(200))],
    ['is cut off', (file) => truncateSync(file, 8192)],
    [
      'has pages of noise',
      (file) => {
        const bytes = readFileSync(file)
        writeFileSync(file, bytes.fill(0xa5, 4096))
      },
    ],
    ['lacks a table', (file) => change(file, 'DROP TABLE changes')],
    ['names a commit that is not there', (file) => change(file, `UPDATE line SET tip = '${'1'.repeat(40)}'`)],
    ['names other bytes', (file) => change(file, `UPDATE changes SET oid = '${'1'.repeat(40)}'`)],
    ['has lost rows', (file) => change(file, 'DELETE FROM changes')],
    ['has lost the old rows', (file) => change(file, 'DELETE FROM older')],
  ]
  it.each(damage)('is made anew where the file %s', async (_, harm) => {
    const { repo, file } = await indexed()
    harm(file)
    const { head, versions } = await open(repo)
    expect(await head('a.md')).toBe('3')
    expect(await head('b.md')).toBe('1')
    expect((await versions.head('a.md'))?.oid).toBe(repo.git('rev-parse', 'main:a.md'))
    repo.commit('four', { 'a.md': 'four\n' })
    expect(await head('a.md')).toBe('4')
    expect(existsSync(file)).toBe(true)
  })

  it('is made anew where it turns out damaged, or goes, while it is in use', async () => {
    const { repo, file } = await indexed()
    const { head, context } = await open(repo)
    expect(await head('a.md')).toBe('3')
    context.index.write((db) => db.exec('DROP TABLE trunk'))
    expect(await head('a.md')).toBe('3')
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
    repo.commit('four', { 'a.md': 'four\n' })
    expect(await head('a.md')).toBe('4')
    expect(await (await open(repo)).head('a.md')).toBe('4')
  })

  it('of a newer Daybreak is left alone, and answers are right without it', async () => {
    const { repo, file } = await indexed()
    change(file, 'PRAGMA user_version = 99')
    const before = readFileSync(file)
    const { head } = await open(repo)
    expect(await head('a.md')).toBe('3')
    repo.commit('four', { 'a.md': 'four\n' })
    expect(await head('a.md')).toBe('4')
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('catches up with a trunk that moved on by far, was rewritten, or both', async () => {
    const repo = copyRepo(base)
    const { head, numbers, calls } = await open(repo)
    expect(await head('a.md')).toBe('2')
    const files = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`many/${at}.md`, `${at}\n`]))
    addCommits(repo, [
      { message: 'many', files },
      { message: 'three', files: { 'a.md': 'three\n' } },
    ])
    expect(await head('a.md')).toBe('3')
    expect(await head('many/699.md')).toBe('1')
    addCommits(
      repo,
      Array.from({ length: 2100 }, (_, at) => ({ message: `c${at}`, files: { 'b.md': `${at}\n` } })),
    )
    expect(await head('b.md')).toBe('2101')
    calls.splice(0)
    expect(await head('b.md')).toBe('2101')
    expect(calls.filter((args) => args[0] === 'log')).toEqual([])
    expect(await numbers('a.md')).toEqual(['1', '2', '3'])
    repo.git('update-ref', 'refs/heads/main', repo.oid('main~2050'))
    expect(await head('b.md')).toBe('51')
    calls.splice(0)
    expect(await head('b.md')).toBe('51')
    expect(calls.filter((args) => args[0] === 'log')).toEqual([])
  })

  it('that someone else holds stops nobody', async () => {
    const { repo, file } = await indexed()
    const holder = new Database(file)
    holder.exec('BEGIN IMMEDIATE')
    repo.commit('four', { 'a.md': 'four\n' })
    const { head, numbers, versions, context } = await open(repo)
    expect(await head('a.md')).toBe('4')
    expect(await numbers('b.md')).toEqual(['1'])
    await versions.keepRewritten(context.git, new Date())
    holder.exec('ROLLBACK')
    holder.close()
    expect(await head('a.md')).toBe('4')
  })

  it('answers where state.db is damaged', async () => {
    const { repo } = await indexed()
    writeFileSync(join(repo.gitDir, 'daybreak', 'state.db'), 'noise')
    const { head, numbers, context } = await open(repo)
    expect(context.state.problem?.code).toBe('ERR_STORAGE')
    expect(await head('a.md')).toBe('3')
    expect(await numbers('a.md')).toEqual(['1', '2', '3'])
  })
})

describe('several processes', () => {
  it('tell the same bytes for the same number while trunk is rewritten', async () => {
    const repo = copyRepo(base)
    const stop = join(tempDir('stop'), 'now')
    const script = join(import.meta.dirname, '../../testing/askVersions.main.ts')
    const asking = [1, 2].map(() => ask([script, repo.dir, stop, 'a.md']))
    const own = await open(repo)
    /** Until each of them has told of the bytes that are there now. */
    const seen = (): Promise<unknown> => {
      const oid = repo.git('rev-parse', 'main:a.md')
      return Promise.all(asking.map((one) => one.until((said) => said.includes(oid))))
    }
    await seen()
    for (let round = 0; round < 12; round++) {
      repo.write('a.md', `round ${round}\n`)
      if (round % 3 === 0) repo.git('commit', '-q', '-a', '-m', `round ${round}`)
      else if (round % 3 === 1) repo.git('commit', '-q', '-a', '--amend', '-m', `round ${round}`)
      else repo.git('reset', '-q', '--hard', round % 2 ? 'HEAD@{1}' : 'HEAD~1')
      await own.head('a.md')
      if (round % 4 === 3) await seen()
    }
    await seen()
    writeFileSync(stop, '')
    const told = (await Promise.all(asking.map((one) => one.end))).flatMap((said) => said.trim().split('\n'))
    const bytes = new Map<string, Set<string>>()
    for (const one of told) {
      const [version = '', oid = ''] = one.split(' ')
      bytes.set(version, (bytes.get(version) ?? new Set()).add(oid))
    }
    expect([...bytes].filter(([, oids]) => oids.size > 1)).toEqual([])
    for (const [version, oids] of bytes)
      expect([...oids]).toEqual([(await own.versions.at('a.md', Number(version)))?.oid])
    const all = await own.versions.all('a.md')
    expect(all.map((one) => one.version)).toEqual(all.map((_, at) => at + 1))
  })
})

function change(file: string, sql: string): void {
  const db = new Database(file)
  db.exec(sql)
  db.close()
}

/** Another process, and what it has said. */
function ask(args: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const news = new EventEmitter()
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
    news.emit('said')
  })
  return {
    until: async (there: (said: string) => boolean) => {
      while (!there(said)) await once(news, 'said')
    },
    end: new Promise<string>((resolve, reject) => {
      child.on('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`ended with ${code}`))))
    }),
  }
}
