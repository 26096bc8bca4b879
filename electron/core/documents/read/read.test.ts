import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../../e2e/support/core.ts'
import { buildRepo, copyRepo, type TestRepo } from '../../../../e2e/support/index.ts'

const opened: OpenedCore[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
})

async function open(repo: TestRepo): Promise<OpenedCore> {
  const core = await openCore(repo)
  opened.push(core)
  return core
}

const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work
  } catch (error) {
    return (error as { code?: string }).code
  }
}

const hash = (text: string | Buffer) => `sha256-${createHash('sha256').update(text).digest('hex')}`

const NOTE = '---\ntitle: "A day"\ntags: [x]\n---\n\n# Heading\n\nThe pool waits for the quota.\n'
const BYTES = Buffer.from([0x66, 0xff, 0x00, 0x0a])

const base = buildRepo(undefined, {
  commits: [
    {
      message: 'Begin',
      files: { 'notes/day.md': 'first\n', 'notes/v3': 'a file\n', 'gone.md': 'x\n', 'empty.md': 'x\n' },
    },
    {
      message: 'Write the day\n\nWhat it was.\n\nDaybreak-Actor: planner\nDaybreak-Session: s-1\n',
      author: { name: 'planner', email: 'planner@agent.invalid' },
      files: {
        'notes/day.md': NOTE,
        'gone.md': null,
        'empty.md': '',
        'raw.bin': BYTES,
        link: { symlink: 'notes/day.md' },
      },
    },
    { message: 'Deep', files: { 'notes/deep/er/x.md': 'x\n', 'notes.md': 'n\n', sub: { submodule: '1'.repeat(40) } } },
  ],
})

describe('fetching', () => {
  it('gives the newest bytes with front matter, hash and who wrote them', async () => {
    const { ask } = await open(copyRepo(base))
    const found = await ask('documents.fetch', { path: '/notes/day.md' })
    expect(found).toMatchObject({
      path: 'notes/day.md',
      status: 'ok',
      version: 2,
      current: 2,
      encoding: 'utf-8',
      body: NOTE,
      contentHash: hash(NOTE),
      author: 'planner',
      actor: 'planner',
      subject: 'Write the day',
      modified: '2026-11-23T09:02:00.000Z',
    })
  })

  it('reads a version by the path or by the number, and takes a file named v3 for itself', async () => {
    const repo = copyRepo(base)
    const { ask } = await open(repo)
    const first = { status: 'ok', version: 1, current: 2, body: 'first\n', actor: null }
    expect(await ask('documents.fetch', { path: 'notes/day.md/v1' })).toMatchObject(first)
    expect(await ask('documents.fetch', { path: 'notes/day.md', version: 1 })).toMatchObject(first)
    expect(await ask('documents.fetch', { path: 'notes/v3' })).toMatchObject({ path: 'notes/v3', body: 'a file\n' })
    expect(await ask('documents.fetch', { path: 'notes/v3/v1' })).toMatchObject({ path: 'notes/v3', version: 1 })
    // What a folder was as a file before can still be read.
    repo.commit('Make it a folder', { 'notes/day.md': null })
    repo.commit('With a file in it', { 'notes/day.md/v2': 'inside\n' })
    expect(await ask('documents.fetch', { path: 'notes/day.md/v2' })).toMatchObject({
      path: 'notes/day.md/v2',
      body: 'inside\n',
    })
    expect(await ask('documents.fetch', { path: 'notes/day.md', version: 2 })).toMatchObject({ body: NOTE, current: 3 })
    repo.commit('Take it away', { 'notes/day.md/v2': null })
    expect(await ask('documents.fetch', { path: 'notes/day.md/v2' })).toMatchObject({
      path: 'notes/day.md',
      version: 2,
      body: NOTE,
    })
  })

  it('says archived of a deletion, and an empty body is a version', async () => {
    const { ask } = await open(copyRepo(base))
    expect(await ask('documents.fetch', { path: 'gone.md' })).toMatchObject({
      status: 'archived',
      version: 2,
      body: '',
      contentHash: null,
    })
    expect(await ask('documents.fetch', { path: 'gone.md/v1' })).toMatchObject({
      status: 'ok',
      body: 'x\n',
      current: 2,
    })
    expect(await ask('documents.fetch', { path: 'empty.md' })).toMatchObject({
      status: 'ok',
      version: 2,
      body: '',
      contentHash: hash(''),
    })
  })

  it('gives bytes that are no text in base64', async () => {
    const { ask } = await open(copyRepo(base))
    expect(await ask('documents.fetch', { path: 'raw.bin' })).toMatchObject({
      encoding: 'base64',
      body: BYTES.toString('base64'),
      contentHash: hash(BYTES),
    })
  })

  it('says what is not there', async () => {
    const { ask } = await open(copyRepo(base))
    const code = (path: string, version: number | null = null) => codeOf(ask('documents.fetch', { path, version }))
    for (const path of ['nothing.md', 'notes', 'link', 'sub', 'nothing.md/v1', 'notes/v4', '.git/config'])
      expect(await code(path)).toBe('ERR_NO_SUCH_DOCUMENT')
    expect(await code('notes/day.md/v9')).toBe('ERR_NO_SUCH_VERSION')
    expect(await code('notes/day.md', 3)).toBe('ERR_NO_SUCH_VERSION')
    for (const path of ['../x', 'a/../b', './a', 'a//b', '/', 'a/', 'a\0b'])
      expect(await code(path)).toBe('ERR_BAD_PATH')
  })

  it('fetches what left trunk, for ever the same bytes', async () => {
    const repo = copyRepo(base)
    const { ask } = await open(repo)
    await ask('documents.fetch', { path: 'notes/day.md' })
    repo.git('reset', '-q', '--hard', 'main~2')
    repo.commit('Otherwise', { 'notes/day.md': 'otherwise\n' })
    expect(await ask('documents.fetch', { path: 'notes/day.md' })).toMatchObject({ version: 3, body: 'otherwise\n' })
    expect(await ask('documents.fetch', { path: 'notes/day.md/v2' })).toMatchObject({
      version: 2,
      current: 3,
      body: NOTE,
    })
    const listed = await ask('documents.versions', { path: 'notes/day.md' })
    expect(listed.versions.map((one) => [one.version, one.rewritten, one.subject])).toEqual([
      [3, false, 'Otherwise'],
      [2, true, 'Write the day'],
      [1, false, 'Begin'],
    ])
    expect(listed).toMatchObject({ current: 3, archived: false })
  })
})

describe('versions', () => {
  it('lists who wrote which, the newest first', async () => {
    const { ask } = await open(copyRepo(base))
    expect(await ask('documents.versions', { path: 'notes/day.md' })).toMatchObject({
      path: 'notes/day.md',
      current: 2,
      archived: false,
      versions: [
        { version: 2, author: 'planner', actor: 'planner', session: 's-1', subject: 'Write the day', rewritten: false },
        { version: 1, author: 'Test Person', actor: null, session: null, subject: 'Begin', rewritten: false },
      ],
    })
    expect(await ask('documents.versions', { path: 'gone.md', limit: 1 })).toMatchObject({
      current: 2,
      archived: true,
      versions: [{ version: 2, oid: null }],
    })
    expect(await codeOf(ask('documents.versions', { path: 'nothing.md' }))).toBe('ERR_NO_SUCH_DOCUMENT')
  })
})

describe('listing', () => {
  it('lists documents and folders, links and submodules left out', async () => {
    const { ask } = await open(copyRepo(base))
    const top = await ask('documents.list', {})
    expect(top.entries.map((one) => `${one.kind} ${one.path}`)).toEqual([
      'document empty.md',
      'document notes.md',
      'folder notes',
      'document raw.bin',
    ])
    expect(top.nextCursor).toBeNull()
    expect((await ask('documents.list', { folder: '/notes/' })).entries.map((one) => one.path)).toEqual([
      'notes/day.md',
      'notes/deep',
      'notes/v3',
    ])
    expect(await ask('documents.list', { folder: 'nothing' })).toEqual({ entries: [], nextCursor: null })
    expect(await codeOf(ask('documents.list', { folder: '../x' }))).toBe('ERR_BAD_PATH')
  })

  it.each([1, 2, 3])('goes on from a cursor, %i at a time, as if it were asked at once', async (limit) => {
    const { ask } = await open(copyRepo(base))
    for (const recursive of [false, true]) {
      const whole = (await ask('documents.list', { recursive })).entries
      const found = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof askPage>> = await askPage(cursor)
        expect(page.entries.length).toBeLessThanOrEqual(limit)
        found.push(...page.entries)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(found).toEqual(whole)
      function askPage(from: string | null) {
        return ask('documents.list', { recursive, limit, cursor: from })
      }
    }
    expect((await ask('documents.list', { recursive: true })).entries.map((one) => one.path)).toEqual([
      'empty.md',
      'notes.md',
      'notes/day.md',
      'notes/deep/er/x.md',
      'notes/v3',
      'raw.bin',
    ])
  })
})
