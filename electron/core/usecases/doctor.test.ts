import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { layouts, stores, type TestRepo, tempDir } from '../../../e2e/support/index.ts'
import { testCore } from '../testing/testCore.ts'

const core = testCore({ clock: () => new Date() })
afterAll(() => core.dispose())

async function findings(repo: TestRepo | string) {
  return core.call('doctor.run', { path: typeof repo === 'string' ? repo : repo.dir })
}
async function finding(repo: TestRepo | string, id: string) {
  return (await findings(repo)).filter((one) => one.id === id)
}

describe('doctor', () => {
  it('finds nothing wrong with a sound store', async () => {
    const found = await findings(stores.clean())
    expect(found.filter((one) => one.level !== 'ok')).toEqual([])
    expect(found.map((one) => one.id)).toEqual(expect.arrayContaining(['git', 'objects', 'locks', 'state', 'store']))
  })

  it('looks at the machine alone where no repository is meant', async () => {
    expect((await core.call('doctor.run', { path: null })).map((one) => one.id)).toEqual(['git', 'app-data'])
  })

  it('tells of a folder of its own that cannot be made', async () => {
    const parent = tempDir('link')
    symlinkSync(join(parent, 'gone'), join(parent, 'home'))
    const there = join(parent, 'home')
    const other = testCore({ home: there })
    const found = await other.call('doctor.run', { path: null })
    await other.dispose()
    const mend = `Make a folder that can be written of ${there}`
    expect(found).toMatchObject([
      { id: 'git', level: 'ok' },
      { id: 'app-data', level: 'problem', mend },
    ])
  })

  it('tells why a folder does not open, with the mend', async () => {
    const [found] = await finding(layouts.plainFolder(), 'repository')
    expect(found).toMatchObject({ level: 'problem' })
    expect(found?.mend).toMatch(/^git init /)
  })

  it('names an old lock with its age and how to remove it, and a young one as someone at work', async () => {
    const repo = stores.clean()
    const lock = join(repo.gitDir, 'index.lock')
    writeFileSync(lock, '')
    expect(await finding(repo, 'locks')).toMatchObject([{ level: 'warning' }])
    const old = Date.now() / 1000 - 3600
    utimesSync(lock, old, old)
    const [found] = await finding(repo, 'locks')
    expect(found).toMatchObject({ level: 'problem', mend: `If no git runs there: rm ${lock}` })
    expect(found?.detail).toMatch(/36\d\d s/)
  })

  it('names a lock of a nested ref and of a linked worktree', async () => {
    const repo = stores.inWorktree()
    writeFileSync(join(repo.gitDir, 'refs', 'heads', 'sleep', 'x.lock'), '')
    const worktree = repo.git('-C', repo.worktree, 'rev-parse', '--absolute-git-dir')
    writeFileSync(join(worktree, 'HEAD.lock'), '')
    expect(await finding(repo, 'locks')).toHaveLength(2)
  })

  it('names missing objects', async () => {
    expect(await finding(layouts.lostObjects(), 'objects')).toMatchObject([
      { level: 'problem', mend: 'git fsck --full' },
    ])
  })

  it('names a merge under way and a worktree whose folder is gone', async () => {
    const repo = stores.inWorktree()
    repo.write('.git/MERGE_HEAD', `${repo.oid('main')}\n`)
    rmSync(repo.worktree, { recursive: true })
    const found = await finding(repo, 'worktrees')
    expect(found.map((one) => one.mend).sort()).toEqual([`git -C ${repo.dir} merge --abort`, 'git worktree prune'])
  })

  it('names what is wrong with the shared configuration', async () => {
    const repo = stores.clean(undefined, { files: { '.daybreak.yml': 'gate: { run: "" }\ncolour: red\n' } })
    expect((await finding(repo, 'config'))[0]?.detail).toContain('gate.run')
    expect((await finding(repo, 'config-unknown'))[0]).toMatchObject({ level: 'warning' })
  })

  it('names a store without databases, and one whose database is damaged', async () => {
    expect((await finding(stores.noDatabases(), 'store'))[0]).toMatchObject({ level: 'warning' })
    const damaged = stores.clean()
    writeFileSync(join(damaged.dir, '.memhtml', 'index.db'), 'this is no database, by any means\n'.repeat(40))
    expect((await finding(damaged, 'store'))[0]).toMatchObject({ level: 'problem' })
  })

  it('names an act that was not finished', async () => {
    const repo = stores.clean()
    const opened = await core.call('repo.open', { path: repo.dir })
    expect(opened.readOnly).toBe(false)
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(join(repo.gitDir, 'daybreak', 'state.db'))
    db.exec(`INSERT INTO operations (id, verb, branch, actor, via, started_at, stage, plan, pid, process_started)
      VALUES ('20261130-abcd', 'approve', 'sleep/x', 'me', 'cli', '2026-11-30T01:00:00Z', 'moved', '{}', 1, '1')`)
    db.close()
    expect((await finding(repo, 'operations'))[0]).toMatchObject({ level: 'warning' })
  })

  it('names what was not accepted', async () => {
    const repo = stores.clean(undefined, { files: { '.daybreak.yml': 'gate: { run: "true" }\n' } })
    expect(await finding(repo, 'trust')).toMatchObject([{ level: 'warning', mend: 'daybreak trust' }])
  })

  it('tells that there is no trunk', async () => {
    const repo = stores.clean()
    repo.git('branch', '-m', 'main', 'elsewhere')
    const [found] = await finding(repo, 'trunk')
    expect(found?.mend).toMatch(/^daybreak config set trunk \S+$/)
  })

  it('tells a damaged state.db and how to put it aside', async () => {
    const repo = stores.clean()
    repo.write('.git/daybreak/state.db', 'damaged '.repeat(1000))
    const [found] = await finding(repo, 'state')
    expect(found).toMatchObject({ level: 'problem' })
    expect(found?.mend).toMatch(/^mv \S+state\.db \S+state\.db\.damaged$/)
    expect(repo.read('.git/daybreak/state.db').toString()).toBe('damaged '.repeat(1000))
  })

  it('says so where git is missing, and asks nothing more', async () => {
    const other = testCore({ env: { ...core.env, PATH: tempDir('empty') } })
    const found = await other.call('doctor.run', { path: stores.clean().dir })
    expect(found.map((one) => [one.id, one.level])).toEqual([
      ['git', 'problem'],
      ['app-data', 'ok'],
    ])
    await other.dispose()
  })
})
