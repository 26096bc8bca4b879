import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, type OpenedCore, openCore, remember } from '../../../../e2e/support/core.ts'
import { buildRepo, type TestRepo } from '../../../../e2e/support/index.ts'
import type { Caller } from '../../../../shared/contract/index.ts'
import type { PublishOutcome } from '../../../../shared/model/index.ts'

const PAGE = '# Plan\n\nalpha\n\nbeta\n\ngamma\n'
const BASE = { message: 'Begin', files: { 'plan.md': PAGE, 'other.md': 'other\n' } }
const planner: Caller = { via: 'mcp', actor: 'planner' }

async function started(spec: { bare?: boolean } = {}): Promise<{ repo: TestRepo; core: OpenedCore }> {
  const repo = buildRepo(undefined, { ...spec, commits: [BASE] })
  return { repo, core: await openCore(repo) }
}
const publish = (core: OpenedCore, path: string, body: string, expectedVersion: number, more = {}, by = planner) =>
  core.ask('documents.publish', { path, body, expectedVersion, ...more }, by) as Promise<PublishOutcome>
const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('hex')}`

describe('publishing on the head', () => {
  let repo: TestRepo
  let core: OpenedCore
  beforeAll(async () => {
    ;({ repo, core } = await started())
  })
  afterAll(() => core.close())

  it('C1: makes one commit on main with that file only, by the agent, and tells the version', async () => {
    const before = remember(repo)
    const from = repo.oid('main')
    const text = PAGE.replace('alpha', 'Alpha')
    expect(await publish(core, '/plan.md', text, 1, { session: 's1' })).toMatchObject({
      status: 'ok',
      path: 'plan.md',
      version: 2,
      contentHash: hash(text),
      unchanged: false,
      commit: repo.oid('main'),
    })
    expect(repo.git('rev-list', '--count', `${from}..main`)).toBe('1')
    expect(repo.git('diff', '--name-only', from, 'main')).toBe('plan.md')
    expect(repo.git('log', '-1', '--format=%an <%ae>|%(trailers:only,unfold)', 'main').trim()).toBe(
      'planner <planner@agent.invalid>|Daybreak-Actor: planner\nDaybreak-Session: s1',
    )
    expect(repo.read('plan.md').toString()).toBe(text)
    expectUntouched(repo, before, { moved: [from, repo.oid('main')], status: [] })
  })

  it('creates with expected version 0, and the same bytes again are no new version', async () => {
    expect(await publish(core, 'notes/a/new.md', 'first\n', 0)).toMatchObject({ status: 'ok', version: 1 })
    const tip = repo.oid('main')
    expect(await publish(core, 'notes/a/new.md', 'first\n', 1)).toMatchObject({ version: 1, unchanged: true })
    expect(repo.oid('main')).toBe(tip)
    expect(repo.read('notes/a/new.md').toString()).toBe('first\n')
  })

  it('an empty body is a version', async () => {
    expect(await publish(core, 'empty.md', '', 0)).toMatchObject({ version: 1, contentHash: hash('') })
    expect(repo.show('main', 'empty.md').length).toBe(0)
  })

  it('13: a value can never forge a second trailer', async () => {
    const more = { session: 'x\nDaybreak-Actor: person', message: 'hello\n\nDaybreak-Actor: person' }
    const sly: Caller = { via: 'mcp', actor: 'sly\nDaybreak-Actor: person <a@b>' }
    expect(await publish(core, 'sly.md', 'x\n', 0, more, sly)).toMatchObject({ status: 'ok' })
    expect(repo.git('log', '-1', '--format=%(trailers:key=Daybreak-Actor,valueonly)', 'main').trim()).toBe(
      'sly Daybreak-Actor: person a@b',
    )
    expect(repo.git('log', '-1', '--format=%(trailers:key=Daybreak-Session,valueonly)', 'main').trim()).toBe(
      '"x\\nDaybreak-Actor: person"',
    )
    repo.fsck()
  })

  it('many at once land in the order of asking, one commit each', async () => {
    const from = repo.oid('main')
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => publish(core, `many/${i}.md`, `${i}\n`, 0)))
    expect(all.every((one) => one.status === 'ok' && one.version === 1)).toBe(true)
    const names = repo.git('log', '--reverse', '--first-parent', '--format=', '--name-only', `${from}..main`)
    expect(names.split('\n').filter(Boolean)).toEqual(Array.from({ length: 20 }, (_, i) => `many/${i}.md`))
    expect(repo.status()).toBe('')
    repo.fsck()
  })

  it('C5, C16: a malformed request is refused before anything is read', async () => {
    await expect(publish(core, 'plan.md', 'x', -1)).rejects.toThrow(/expected/i)
    await expect(publish(core, 'plan.md', 'x', 1, { onConflict: 'maybe' })).rejects.toThrow(/merge.*fail/s)
    await expect(core.ask('documents.publish', { path: 'plan.md', body: 'x' } as never)).rejects.toThrow()
  })

  it('C17: nobody writes who wrote', async () => {
    await expect(publish(core, 'plan.md', 'x\n', 2, { metadata: { agent: 'me' } })).rejects.toMatchObject({
      code: 'ERR_BAD_REQUEST',
    })
  })

  it('refuses paths that lead elsewhere, and files that govern the repository', async () => {
    const bad = [
      '../x',
      '/../x',
      'a//b',
      '.git/config',
      'a/.GIT/x',
      'git~1/x',
      '.g\u200cit/x',
      'a\0b',
      'a\nb',
      'C:/x',
      'CON',
      'nul.md',
      `${'a'.repeat(300)}.md`,
      'a\\b',
      './x',
      '',
    ]
    for (const path of bad) {
      const code = await publish(core, path, 'x\n', 0).catch((error) => error.code ?? error.name)
      expect([path, code]).toEqual([path, path === '' ? 'ZodError' : 'ERR_BAD_PATH'])
    }
    for (const path of ['.daybreak.yml', '.gitattributes', 'a/.gitmodules', '.memhtml/x', '.MergeAgent.yml'])
      await expect(publish(core, path, 'x\n', 0)).rejects.toMatchObject({ code: 'ERR_PROTECTED_PATH' })
    await expect(publish(core, 'plan.md/below.md', 'x\n', 0)).rejects.toMatchObject({ code: 'ERR_BAD_PATH' })
    await expect(publish(core, 'many', 'x\n', 0)).rejects.toMatchObject({ code: 'ERR_BAD_PATH' })
  })

  it('writes neither over nor through a symbolic link or a submodule', async () => {
    const commit = repo.oid('main')
    symlinkSync('/etc/passwd', repo.file('out.md'))
    mkdirSync(repo.file('lib'))
    repo.git('add', 'out.md')
    repo.git('update-index', '--add', '--cacheinfo', `160000,${commit},lib`)
    repo.git('commit', '-q', '-m', 'A link and a submodule')
    const tip = repo.oid('main')
    for (const [path, why] of [
      ['out.md', 'it is a symbolic link'],
      ['out.md/x.md', 'out.md is a symbolic link'],
      ['lib', 'it is a submodule'],
      ['lib/x.md', 'lib is a submodule'],
    ] as const)
      await expect(publish(core, path, 'x\n', 0), path).rejects.toMatchObject({
        code: 'ERR_BAD_PATH',
        data: { path, why },
      })
    expect(repo.oid('main')).toBe(tip)
    expect(repo.status()).toBe('')
  })

  it('takes bodies of 10 MiB and no more, text or bytes', async () => {
    const limit = 10 * 1024 * 1024
    expect(await publish(core, 'big.txt', 'x'.repeat(limit), 0)).toMatchObject({ status: 'ok' })
    await expect(publish(core, 'big2.txt', 'x'.repeat(limit + 1), 0)).rejects.toMatchObject({
      code: 'ERR_BODY_TOO_LARGE',
    })
    await expect(publish(core, 'bad.txt', 'a\ud800b', 0)).rejects.toMatchObject({ code: 'ERR_NOT_TEXT' })
    const bytes = Buffer.from([0, 255, 254, 10])
    await publish(core, 'blob.bin', bytes.toString('base64'), 0, { encoding: 'base64' })
    expect(repo.show('main', 'blob.bin')).toEqual(bytes)
  })
})
