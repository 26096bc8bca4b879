import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  layouts,
  PATHS,
  RUN,
  sidecars,
  snapshot,
  snapshotDiff,
  stores,
  type TestRepo,
  tempDir,
} from '../../../e2e/support/index.ts'
import type { Method } from '../../../shared/contract/index.ts'
import { type TestCore, testCore } from '../testing/testCore.ts'

const core = testCore()
afterAll(() => core.dispose())

/** Everything a person does before they decide. What has no handler yet does not count. */
async function lookAtAll(on: TestCore, dir: string): Promise<Method[]> {
  const { id: repoId } = await on.call('repo.open', { path: dir })
  const branch = RUN
  const asked: [Method, unknown][] = [
    ['inbox.get', { repoId }],
    ['review.get', { repoId, branch }],
    ['review.file', { repoId, branch, path: PATHS.claim }],
    ['review.file', { repoId, branch, path: PATHS.folded }],
    ['sleep.preview', { repoId, branch, except: [] }],
    ['history.list', { repoId, limit: 10 }],
    ['trust.get', { repoId }],
    ['config.get', { repoId }],
    ['doctor.run', { path: dir }],
    ['inbox.get', { repoId }],
  ]
  const answered: Method[] = []
  for (const [method, params] of asked) if ((await on.code(method, params as never)) === null) answered.push(method)
  return answered
}

interface Canaries {
  readonly repo: TestRepo
  /** Names of the traps that went off. */
  fired(): string[]
  reset(): void
}

/** A repository whose configuration, attributes and hooks run a trap wherever git would run something. */
function trapped(): Canaries {
  const nest = tempDir('canaries')
  const trap = (name: string, more = '') => {
    const file = join(nest, `${name}.sh`)
    writeFileSync(file, `#!/bin/sh\ntouch '${nest}/fired-${name}'\n${more}\n`)
    chmodSync(file, 0o755)
    return file
  }
  const config = `
[core]
\tfsmonitor = ${trap('fsmonitor')}
\tsshCommand = ${trap('ssh')}
\talternateRefsCommand = ${trap('alternate-refs')}
\tpager = ${trap('pager')}
\teditor = ${trap('editor')}
[filter "trap"]
\tclean = ${trap('clean', 'cat')}
\tsmudge = ${trap('smudge', 'cat')}
\trequired = true
[filter "process=odd.name"]
\tprocess = ${trap('process')}
[diff "trap"]
\ttextconv = ${trap('textconv', 'cat "$1"')}
\tcommand = ${trap('diff-command')}
[diff]
\texternal = ${trap('diff-external')}
[merge "trap"]
\tdriver = ${trap('merge-driver')}
[merge]
\tdefault = trap
[log]
\tshowSignature = true
[gpg]
\tprogram = ${trap('gpg')}
[alias]
\tstatus = !${trap('alias')}
[trace2]
\teventTarget = ${join(nest, 'fired-trace2')}
`
  const attributes = '*.html filter=trap diff=trap merge=trap\n*.txt filter=process=odd.name\n'
  const repo = stores.mainAdvancedConflicting(undefined, { config, files: { 'x.txt': 'x\n' } })
  mkdirSync(join(repo.gitDir, 'info'), { recursive: true })
  writeFileSync(join(repo.gitDir, 'info', 'attributes'), attributes)
  mkdirSync(join(repo.gitDir, 'hooks'), { recursive: true })
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'post-checkout',
    'pre-auto-gc',
    'fsmonitor-watchman',
  ])
    writeFileSync(join(repo.gitDir, 'hooks', hook), `#!/bin/sh\ntouch '${nest}/fired-hook-${hook}'\n`, { mode: 0o755 })
  // Stale time stamps make git look into the files.
  for (const path of [PATHS.claim, PATHS.untouched, 'x.txt']) utimesSync(join(repo.dir, path), 1000, 1000)
  const fired = () => readdirSync(nest).filter((name) => name.startsWith('fired-'))
  const reset = () => {
    for (const name of fired()) rmSync(join(nest, name))
  }
  return { repo, fired, reset }
}

describe('an opened repository is not trusted', () => {
  it('runs none of its programs for looking at it', async () => {
    const { repo, fired, reset } = trapped()
    // The traps work: plain git falls into them.
    repo.code('status')
    repo.code('merge-tree', '--write-tree', 'main', RUN)
    expect(fired()).toEqual(
      expect.arrayContaining(['fired-clean', 'fired-fsmonitor', 'fired-process', 'fired-merge-driver']),
    )
    for (const path of [PATHS.claim, PATHS.untouched, 'x.txt']) utimesSync(join(repo.dir, path), 1000, 1000)
    reset()
    const answered = await lookAtAll(core, repo.dir)
    expect(answered).toEqual(
      expect.arrayContaining(['inbox.get', 'review.get', 'review.file', 'trust.get', 'doctor.run']),
    )
    expect(fired()).toEqual([])
  })

  it('takes drivers out of force that were added after it was opened', async () => {
    const { repo, fired, reset } = trapped()
    repo.git('config', '--remove-section', 'filter.trap')
    repo.git('config', 'core.fsmonitor', 'false')
    const own = testCore()
    await lookAtAll(own, repo.dir)
    const script = join(tempDir('late'), 'late.sh')
    writeFileSync(script, `#!/bin/sh\ntouch '${script}.fired'\ncat\n`, { mode: 0o755 })
    repo.git('config', 'filter.trap.clean', script)
    utimesSync(join(repo.dir, PATHS.claim), 2000, 2000)
    reset()
    await lookAtAll(own, repo.dir)
    await own.dispose()
    expect(fired()).toEqual([])
    expect(existsSync(`${script}.fired`)).toBe(false)
  })

  it('runs no filter that another worktree configures for itself', async () => {
    const repo = layouts.linkedWorktree()
    const script = join(tempDir('other'), 'other.sh')
    writeFileSync(script, `#!/bin/sh\ntouch '${script}.fired'\ncat\n`, { mode: 0o755 })
    repo.main.git('config', 'extensions.worktreeConfig', 'true')
    repo.main.git('config', '--worktree', 'filter.theirs.clean', script)
    repo.main.write('.git/info/attributes', '*.html filter=theirs\n')
    utimesSync(repo.main.file(PATHS.claim), 2000, 2000)
    repo.main.git('status')
    expect(existsSync(`${script}.fired`)).toBe(true)
    rmSync(`${script}.fired`)
    utimesSync(repo.main.file(PATHS.claim), 3000, 3000)
    const answered = await lookAtAll(core, repo.dir)
    expect(answered).toContain('inbox.get')
    expect(existsSync(`${script}.fired`)).toBe(false)
  })

  it('fetches nothing where an object is missing in a partial clone', async () => {
    const nest = tempDir('lazy')
    const repo = layouts.lostObjects()
    repo.git('config', 'core.repositoryformatversion', '1')
    repo.git('config', 'extensions.partialClone', 'origin')
    repo.git('config', 'remote.origin.promisor', 'true')
    repo.git('config', 'remote.origin.url', `ext::sh -c touch% ${nest}/fired`)
    repo.git('config', 'protocol.ext.allow', 'always')
    repo.code('cat-file', '-p', `${RUN}:${PATHS.claim}`)
    const armed = existsSync(join(nest, 'fired'))
    rmSync(join(nest, 'fired'), { force: true })
    await lookAtAll(core, repo.dir)
    expect(armed).toBe(true)
    expect(readdirSync(nest)).toEqual([])
  })

  it('shows what is there, not what a replace ref puts in its place', async () => {
    const repo = stores.clean()
    const before = await core.call('repo.open', { path: repo.dir })
    const files = (await core.call('inbox.get', { repoId: before.id })).sleepBranches[0]?.files
    repo.git('replace', repo.oid(RUN), repo.oid('main'))
    const own = testCore()
    const opened = await own.call('repo.open', { path: repo.dir })
    expect((await own.call('inbox.get', { repoId: opened.id })).sleepBranches[0]?.files).toBe(files)
    await own.dispose()
  })
})

describe('looking changes nothing', () => {
  const states: [string, () => TestRepo][] = [
    ['a clean store', () => stores.clean()],
    ['HEAD on the sleep branch', () => stores.headOnSleep()],
    ['a dirty tree', () => stores.dirtyTree()],
    ['main advanced with a conflict', () => stores.mainAdvancedConflicting()],
    ['a linked worktree', () => stores.inWorktree()],
    ['a bare repository', () => layouts.bare()],
    ['an unborn branch', () => layouts.unborn()],
    ['lost objects', () => layouts.lostObjects()],
  ]
  it.each(states)('%s: bytes, modes, times and index stay as they are', async (_name, build) => {
    const repo = build()
    if (existsSync(join(repo.dir, 'README.html'))) utimesSync(join(repo.dir, 'README.html'), 1000, 1000)
    const before = snapshot(repo.dir)
    const answered = await lookAtAll(core, repo.dir)
    expect(answered).toContain('inbox.get')
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
    if (existsSync(join(repo.dir, '.memhtml'))) expect(sidecars(repo.dir)).toEqual([])
  })

  it('leaves a store’s write-ahead log alone while its own tool has it open', async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const repo = stores.clean()
    const writer = new DatabaseSync(join(repo.dir, '.memhtml', 'index.db'))
    writer.exec("UPDATE sleep_runs SET status = 'merged'")
    const names = sidecars(repo.dir)
    expect(names).toContain('index.db-wal')
    const before = snapshot(join(repo.dir, '.memhtml'))
    const opened = await core.call('repo.open', { path: repo.dir })
    const inbox = await core.call('inbox.get', { repoId: opened.id })
    // What is in the log already counts.
    expect(inbox.lastRun?.status).toBe('merged')
    expect(snapshotDiff(before, snapshot(join(repo.dir, '.memhtml')))).toEqual([])
    writer.close()
  })
})
