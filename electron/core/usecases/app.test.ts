import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyRepo, layouts, stores, type TestRepo, tempDir, withHome } from '../../../e2e/support/index.ts'
import { DEFAULT_APP_SETTINGS } from '../../../shared/model/index.ts'
import { openAppDb } from '../store/appDb.ts'
import { listRecent, pinRecent, RECENT_LIMIT, rememberRecent } from '../store/recents.ts'
import { type TestCore, testCore } from '../testing/testCore.ts'

let unopened: TestRepo
const cores: TestCore[] = []
beforeAll(() => {
  unopened = stores.noNight()
})
afterAll(async () => {
  for (const core of cores) await core.dispose()
})

/** A core whose clock goes on by a second with every look. */
function fresh(more: Parameters<typeof testCore>[0] = {}): TestCore {
  let at = Date.UTC(2026, 10, 30, 12)
  const core = testCore({
    clock: () => {
      at += 1000
      return new Date(at)
    },
    ...more,
  })
  cores.push(core)
  return core
}

describe('the app’s settings', () => {
  it('change one at a time and survive a restart', async () => {
    const core = fresh()
    expect((await core.call('app.info', {})).settings).toEqual(DEFAULT_APP_SETTINGS)
    await core.call('app.setSettings', { settings: { theme: 'dark' } })
    await core.call('app.setSettings', { settings: { editorFontSize: 15 } })
    await core.call('app.saveSession', { session: '{"page":"inbox"}' })
    const again = fresh({ home: core.home, env: core.env })
    const info = await again.call('app.info', {})
    expect(info.settings).toEqual({ ...DEFAULT_APP_SETTINGS, theme: 'dark', editorFontSize: 15 })
    expect(info.session).toBe('{"page":"inbox"}')
  })

  it('keep the branch by default where the person says so', async () => {
    const core = fresh()
    const { id: repoId } = await core.call('repo.open', { path: copyRepo(unopened).dir })
    await core.call('app.setSettings', { settings: { keepBranch: true } })
    expect((await core.call('config.get', { repoId })).keep).toEqual({ value: 'true', from: 'default' })
  })

  it('tell git’s version, or that there is none', async () => {
    expect((await fresh().call('app.info', {})).git).toMatch(/^\d+\.\d+/)
    const { env } = withHome()
    expect((await fresh({ env: { ...env, PATH: tempDir('empty') } }).call('app.info', {})).git).toBeNull()
  })

  it('are defaults where the app’s data is damaged; the file stays and repositories open', async () => {
    const { home, env } = withHome()
    writeFileSync(join(home, 'app.db'), 'damaged '.repeat(1000))
    const core = fresh({ home, env })
    expect((await core.call('app.info', {})).settings).toEqual(DEFAULT_APP_SETTINGS)
    expect(await core.code('app.setSettings', { settings: { theme: 'dark' } })).toBe('ERR_STORAGE')
    expect(await core.code('repo.open', { path: copyRepo(unopened).dir })).toBeNull()
    const [, data] = await core.call('doctor.run', { path: null })
    expect(data).toMatchObject({ id: 'app-data', level: 'problem' })
    expect(data?.mend).toMatch(/^mv /)
  })
})

describe('the app’s folder', () => {
  it('may be impossible to make: repositories open all the same', async () => {
    const { env } = withHome()
    const file = join(tempDir('home'), 'file')
    writeFileSync(file, '')
    const core = fresh({ home: join(file, 'below'), env })
    expect((await core.call('app.info', {})).settings).toEqual(DEFAULT_APP_SETTINGS)
    expect(await core.code('repo.open', { path: copyRepo(unopened).dir })).toBeNull()
    expect(await core.code('app.setSettings', { settings: { theme: 'dark' } })).toBe('ERR_STORAGE')
  })
})

describe('recent repositories', () => {
  it('are the last opened first, pinned ones before them, and can be forgotten', async () => {
    const core = fresh()
    const [a, b, c] = [copyRepo(unopened), copyRepo(unopened), copyRepo(unopened)]
    for (const repo of [a, b, c, a]) await core.call('repo.open', { path: repo.dir })
    const paths = async () => (await core.call('repo.recent', {})).map((one) => one.path)
    expect(await paths()).toEqual([a.dir, c.dir, b.dir])
    await core.call('repo.pin', { path: b.dir, pinned: true })
    expect(await paths()).toEqual([b.dir, a.dir, c.dir])
    await core.call('repo.forget', { path: a.dir })
    expect(await paths()).toEqual([b.dir, c.dir])
    expect((await core.call('app.info', {})).initial).toBe(c.dir)
    rmSync(c.dir, { recursive: true })
    expect((await core.call('repo.recent', {})).map((one) => one.missing)).toEqual([false, true])
    expect((await core.call('app.info', {})).initial).toBe(b.dir)
    await core.call('app.setSettings', { settings: { reopenLast: false } })
    expect((await core.call('app.info', {})).initial).toBeNull()
  })

  it('are not more than there is room for, pinned ones not counted', () => {
    const app = openAppDb(tempDir('app'))
    const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n).toISOString()
    const remember = (n: number) => rememberRecent(app, { id: 'x', name: `${n}`, path: `/repo/${n}` }, at(n))
    remember(0)
    pinRecent(app, '/repo/0', true)
    for (let n = 1; n <= RECENT_LIMIT + 5; n++) remember(n)
    const names = listRecent(app).map((one) => one.name)
    expect(names).toHaveLength(RECENT_LIMIT + 1)
    expect(names.slice(0, 2)).toEqual(['0', `${RECENT_LIMIT + 5}`])
    app.close()
  })
})

describe('the folder list', () => {
  it('lists folders, tells repositories, and leaves files and hidden folders out', async () => {
    const core = fresh()
    const top = mkdtempSync(join(tempDir('folders'), 'top-'))
    for (const name of ['b', 'a', '.hidden', 'repo/.git']) mkdirSync(join(top, name), { recursive: true })
    writeFileSync(join(top, 'file'), '')
    symlinkSync(join(top, 'a'), join(top, 'link'))
    symlinkSync('/nowhere', join(top, 'dead'))
    const bare = layouts.bare(join(top, 'bare.git'))
    const listing = await core.call('repo.folders', { path: top })
    expect(listing.entries.map((one) => [one.name, one.repository])).toEqual([
      ['a', false],
      ['b', false],
      ['bare.git', true],
      ['link', false],
      ['repo', true],
    ])
    expect(listing.parent).toBe(join(top, '..'))
    expect((await core.call('repo.folders', { path: bare.dir })).repository).toBe(true)
    expect((await core.call('repo.folders', { path: '/' })).parent).toBeNull()
    expect((await core.call('repo.folders', { path: null })).path).not.toBe('')
    expect(realpathSync(top)).toBe(listing.path)
  })

  it('tells a folder that is not there', async () => {
    const core = fresh()
    expect(await core.code('repo.folders', { path: join(tempDir(), 'nothing') })).toBe('ERR_PATH_NOT_FOUND')
  })
})
