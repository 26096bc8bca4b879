import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  buildContents,
  buildLargeStore,
  buildRepo,
  contents,
  copyRepo,
  dumpStoreDbs,
  git,
  LEDGER_PATH,
  layouts,
  lockStoreDb,
  MARK_LINES,
  memoryHtml,
  ODD_PATHS,
  PATHS,
  pathBytes,
  RUN,
  sidecars,
  snapshot,
  snapshotDiff,
  storeSql,
  stores,
  type TestRepo,
} from './index.ts'

const raw = (repo: TestRepo, ...flags: string[]) => repo.git('diff', '--raw', '-M', ...flags, `main...${RUN}`)

describe('the repository builders', () => {
  it('give the same ids for the same spec', () => {
    const [one, two] = [stores.clean(), stores.clean()]
    expect(one.refs()).toEqual(two.refs())
    expect(Object.keys(one.refs())).toEqual(['refs/heads/main', `refs/heads/${RUN}`])
  })

  it('make memories whose content hash is the store format’s', () => {
    const claim = 'Roll back the checkout API before rolling back the payment worker.'
    const rest = 'The worker tolerates an older API; the reverse order drops events.'
    expect(memoryHtml({ title: 'x', claim, rest })).toContain(
      'sha256:61327697674838b9120cc3180075aea0ef84850c4ecc010caa2a921473332a33',
    )
  })

  it.each(Object.keys(stores) as (keyof typeof stores)[])('builds the store %s so that fsck is content', (name) => {
    const repo = stores[name]()
    repo.fsck()
    if (repo.dir !== repo.gitDir) expect(repo.status()).not.toContain('.memhtml')
  })

  it('builds every kind of content so that fsck is content and a night changes it', () => {
    const names = Object.keys(contents) as (keyof typeof contents)[]
    const repo = buildContents(names)
    repo.fsck()
    expect(repo.status()).toBe('')
    const changed = repo.git('diff', '--name-only', '-z', `main...${RUN}`).split('\0')
    for (const name of names) expect(changed.filter((path) => path.startsWith(`${name}/`))).not.toEqual([])
  })

  it('says truly what each state is', () => {
    expect(stores.clean().status()).toBe('')
    expect(stores.headOnSleep().git('symbolic-ref', '--short', 'HEAD')).toBe(RUN)
    const advanced = stores.mainAdvancedConflicting()
    expect(advanced.code('merge-tree', '--write-tree', 'main', RUN)).toBe(1)
    expect(stores.mainAdvancedOverlapping().code('merge-tree', '--write-tree', 'main', RUN)).toBe(0)
    expect(stores.mainAdvancedDisjoint().code('merge-base', '--is-ancestor', 'main', RUN)).toBe(1)
    expect(stores.dirtyTree().status()).toContain(PATHS.claim)
    expect(stores.alreadyMerged().oid('main')).toBe(stores.clean().oid(RUN))
    expect(stores.emptyRun().oid(RUN)).toBe(stores.emptyRun().oid('main'))
    expect(Object.keys(stores.remoteOnly().refs())).toEqual(['refs/heads/main', `refs/remotes/origin/${RUN}`])
    expect(stores.inWorktree().git('worktree', 'list')).toContain(RUN)
    expect(stores.clean().show(RUN, LEDGER_PATH).toString().trim().split('\n')).toEqual(MARK_LINES)
  })

  it('pairs no renames where a scenario says that nothing is alike', () => {
    expect(raw(contents.dissimilarArchive())).not.toMatch(/\tR|R\d/)
    expect(raw(contents.moved())).toMatch(/R100/)
  })

  it('carries every odd path to the working tree and back', () => {
    const repo = contents.oddPathsCreated()
    repo.git('checkout', '-q', RUN)
    for (const path of ODD_PATHS) {
      expect(existsSync(repo.file(path)), JSON.stringify(path)).toBe(true)
      expect(repo.show(RUN, path).toString()).toBe(`new ${JSON.stringify(path)}\n`)
    }
    expect([...pathBytes('not-utf8-\udcff')].at(-1)).toBe(0xff)
  })

  it.each(Object.keys(layouts).filter((name) => name !== 'plainFolder'))('builds the layout %s', (name) => {
    const repo = layouts[name as Exclude<keyof typeof layouts, 'plainFolder'>]()
    expect(existsSync(repo.gitDir)).toBe(true)
    if (name !== 'lostObjects') repo.fsck()
    else expect(() => repo.fsck()).toThrow()
  })

  it('builds a large store of the size asked for, the night loose or packed', () => {
    const loose = buildLargeStore(undefined, { files: 1000, changed: 100 })
    expect(loose.git('rev-list', '--count', `main..${RUN}`)).toBe('17')
    expect(raw(loose).split('\n')).toHaveLength(100)
    expect(loose.status()).toBe('')
    expect(loose.git('count-objects')).not.toMatch(/^0 /)
    expect(buildLargeStore(undefined, { files: 100, changed: 100, packed: true }).git('count-objects')).toMatch(/^0 /)
  })

  it('makes databases as the store’s tool leaves them', () => {
    const repo = stores.clean()
    expect(sidecars(repo.dir)).toEqual([])
    expect(repo.status()).toBe('')
    const dump = dumpStoreDbs(repo.dir)
    expect(dump['index.sleep_runs']).toMatchObject([{ run_id: RUN, status: 'review', base_sha: repo.oid('main') }])
    expect(dump['state.edge_corroboration']).toMatchObject([{ detections: 2, promoted: 0 }])
    expect(storeSql(repo.dir, 'index', 'PRAGMA journal_mode')).toMatchObject([{ journal_mode: 'wal' }])
    expect(storeSql(repo.dir, 'state', 'PRAGMA journal_mode')).toMatchObject([{ journal_mode: 'delete' }])
    const release = lockStoreDb(repo.dir, 'state')
    expect(() => storeSql(repo.dir, 'state', 'UPDATE access SET access_count = 1', 10)).toThrow(/locked/)
    release()
  })

  it('see a changed byte, a touched file and a new file in a snapshot', () => {
    const repo = copyRepo(buildRepo(undefined, { commits: [{ message: 'x', files: { a: '1\n', b: '2\n' } }] }))
    expect(repo.status()).toBe('')
    const before = snapshot(repo.dir)
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
    repo.write('a', '3\n')
    repo.write('c', 'new\n')
    git(repo.dir, ['branch', 'other'])
    const changed = snapshotDiff(before, snapshot(repo.dir)).map((line) => line.replace(/ \(.*/, ''))
    expect(changed).toEqual(['changed: a', 'new: .git/logs/refs/heads/other', 'new: .git/refs/heads/other', 'new: c'])
  })
})
