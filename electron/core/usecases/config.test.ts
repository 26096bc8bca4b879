import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { buildRepo, type Files, layouts, RUN, stores, type TestRepo } from '../../../e2e/support/index.ts'
import { testCore } from '../testing/testCore.ts'
import { DEFAULT_GATE_TIMEOUT_MS, parseDuration, parseRepoConfig } from './repoConfig.ts'

const core = testCore()
afterAll(() => core.dispose())

async function opened(repo: TestRepo) {
  const repository = await core.call('repo.open', { path: repo.dir })
  return { repository, repoId: repository.id, config: () => core.call('config.get', { repoId: repository.id }) }
}
const withFile = (files: Files, branch = 'main') =>
  buildRepo(undefined, { commits: [{ on: branch, message: 'Base', files: { a: '1\n', ...files } }], head: branch })
const yml = (text: string) => Buffer.from(text)

describe('trunk', () => {
  it('is origin/HEAD’s branch, else main, else master', async () => {
    expect((await opened(layouts.otherTrunk())).repository.trunk.branch).toBe('trunk')
    const master = withFile({}, 'master')
    expect((await opened(master)).repository.trunk).toEqual({ branch: 'master', oid: master.oid('master') })
    master.git('branch', 'main', 'master')
    expect((await opened(master)).repository.trunk.branch).toBe('main')
  })

  it('is what `.daybreak.yml` names, unless there is no such branch', async () => {
    const repo = withFile({ '.daybreak.yml': 'trunk: work\n' })
    expect((await opened(repo)).repository.trunk.branch).toBe('main')
    repo.git('branch', 'work', 'main')
    expect((await opened(repo)).repository.trunk.branch).toBe('work')
  })

  it('is what the person set, before anything else; clearing it goes back', async () => {
    const repo = withFile({ '.daybreak.yml': 'trunk: work\n' })
    repo.git('branch', 'work', 'main')
    repo.git('branch', 'mine', 'main')
    const { repoId, config } = await opened(repo)
    expect((await config()).trunk).toEqual({ value: 'work', from: 'trunk' })
    await core.call('config.set', { repoId, key: 'trunk', value: 'mine' })
    expect((await config()).trunk).toEqual({ value: 'mine', from: 'personal' })
    expect((await core.call('inbox.get', { repoId })).repository.trunk.branch).toBe('mine')
    await core.call('config.set', { repoId, key: 'trunk', value: null })
    expect((await config()).trunk).toEqual({ value: 'work', from: 'trunk' })
  })

  it('is none in a repository without any of them, which opens all the same', async () => {
    const { repository, repoId } = await opened(withFile({}, 'elsewhere'))
    expect(repository.trunk).toEqual({ branch: 'main', oid: null })
    expect((await core.call('inbox.get', { repoId })).sleepBranches).toEqual([])
  })
})

describe('settings of a repository', () => {
  it('have defaults, are shared by the file, and are overruled by the person', async () => {
    const repo = withFile({ '.daybreak.yml': 'sleep: "night/*"\nmemories: "notes/**"\n' })
    const { repoId, config } = await opened(repo)
    expect(await config()).toEqual({
      trunk: { value: 'main', from: 'default' },
      sleep: { value: 'night/*', from: 'trunk' },
      keep: { value: 'false', from: 'default' },
      memories: { value: 'notes/**', from: 'trunk' },
      wait: { value: '15m', from: 'default' },
      loss: { value: 'report', from: 'default' },
    })
    await core.call('config.set', { repoId, key: 'sleep', value: 'dream/*' })
    await core.call('config.set', { repoId, key: 'keep', value: 'true' })
    expect(await config()).toMatchObject({
      sleep: { value: 'dream/*', from: 'personal' },
      keep: { value: 'true', from: 'personal' },
    })
  })

  it('follow the file when trunk moves', async () => {
    const repo = withFile({})
    const { config } = await opened(repo)
    expect((await config()).sleep?.value).toBe('sleep/*')
    repo.commit('Config', { '.daybreak.yml': 'sleep: "night/*"\ngate: { run: "npm test", timeout: 90s }\n' })
    expect(await config()).toMatchObject({
      sleep: { value: 'night/*' },
      gate: { value: 'npm test', from: 'trunk' },
      'gate.timeout': { value: '90s', from: 'trunk' },
    })
  })

  it.each([
    ['colour', 'red'],
    ['keep', 'perhaps'],
    ['sleep', 'no-star'],
    ['sleep', '***['],
    ['sleep', '***'],
    ['sleep', 'sleep/[ab]*'],
    ['sleep', 'sleep/*.lock'],
    ['sleep', 'sleep/ *'],
    ['sleep', '/*'],
    ['sleep', '*a'.repeat(9)],
    ['trunk', 'no-such-branch'],
  ])('refuse %s = %s', async (key, value) => {
    const { repoId } = await opened(withFile({}))
    expect(await core.code('config.set', { repoId, key, value })).toBe('ERR_CONFIG')
  })

  it.each(['*', '**', 'sleep/*', 'team/**/sleep-?*', '*/night/*'])('take sleep = %s', async (value) => {
    const { repoId, config } = await opened(withFile({}))
    await core.call('config.set', { repoId, key: 'sleep', value })
    expect((await config()).sleep).toEqual({ value, from: 'personal' })
  })

  it('tell of a pattern in the file that no branch can match', async () => {
    const { problems, sleep } = await parseRepoConfig(yml('sleep: "***["\n'))
    expect([problems, sleep]).toEqual([['sleep: three * in a row mean nothing'], null])
  })

  it('open a repository whose `.daybreak.yml` is not valid', async () => {
    const { config } = await opened(withFile({ '.daybreak.yml': 'a: [\n' }))
    expect((await config()).sleep).toEqual({ value: 'sleep/*', from: 'default' })
  })
})

describe('a `.daybreak.yml` that cannot be read in full', () => {
  it.each([
    ['gate: { command: npm test }\n', 'gate'],
    ['sleep: "sleep/[ab]*"\n', 'no branch can have such a name'],
  ])(
    'lets nothing be approved, since a gate might be in what is wrong, and all be reviewed: %j',
    async (file, issue) => {
      const repo = stores.clean(undefined, { files: { '.daybreak.yml': file } })
      const { repoId } = await opened(repo)
      const refs = repo.refs()
      const ask = { repoId, branch: RUN, except: [] }
      await expect(core.call('sleep.approve', { ...ask, bringMainIn: false })).rejects.toMatchObject({
        wire: { code: 'ERR_CONFIG', message: expect.stringContaining(issue) },
      })
      expect(repo.refs()).toEqual(refs)
      expect((await core.call('inbox.get', { repoId })).sleepBranches).toHaveLength(1)
      expect((await core.call('review.get', { repoId, branch: RUN })).run.tip).toBe(repo.oid(RUN))
      expect((await core.call('sleep.preview', ask)).to).toBe(repo.oid(RUN))
    },
  )
})

describe('parseRepoConfig', () => {
  it('takes what is valid and tells the rest', async () => {
    const parsed = await parseRepoConfig(
      yml('trunk: 7\nsleep: "x/*"\ngate: { run: "npm test", timeout: soon }\nmore: 1\nloss: report\n'),
    )
    expect(parsed).toMatchObject({
      trunk: null,
      sleep: 'x/*',
      gate: { run: 'npm test', timeoutMs: DEFAULT_GATE_TIMEOUT_MS },
      unknown: ['more'],
    })
    expect(parsed.problems).toHaveLength(2)
  })

  it('knows times', () => {
    expect(['90s', '10m', '1h', '250ms', 30, '1.5m'].map(parseDuration)).toEqual([
      90_000, 600_000, 3_600_000, 250, 30_000, 90_000,
    ])
    expect(['0s', 'soon', '', '-1s', '48h'].map(parseDuration)).toEqual([null, null, null, null, null])
  })

  it('is not blown up by aliases', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`
    expect((await parseRepoConfig(yml(bomb))).problems).toHaveLength(1)
  })

  it('never throws, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(yml), fc.string().map(yml)),
        async (bytes) => {
          expect(Array.isArray((await parseRepoConfig(bytes)).problems)).toBe(true)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})
