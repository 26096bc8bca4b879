import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { layouts, RUN, stores, type TestRepo, tempDir, withHome } from '../../../e2e/support/index.ts'
import type { EventPayload } from '../../../shared/contract/index.ts'
import type { RepositoryContext } from '../context.ts'
import { testCore } from '../testing/testCore.ts'
import { openRepository } from '../usecases/openRepository.ts'
import { type RepositoryWatch, WATCH_TIMES, type WatchTimes, watchRepository } from './watchRepository.ts'

type What = EventPayload<'repo.changed'>['what'][number]

interface Watched {
  readonly repo: RepositoryContext
  readonly watch: RepositoryWatch
  readonly logs: string[]
  /** Resolves with the milliseconds until a change of this kind was announced. */
  until(kind: What, act: () => void): Promise<number>
}

const open: Watched[] = []

/** The timer is kept out, so that what is noticed is noticed by a watcher. */
const ONLY_WATCHERS: WatchTimes = { ...WATCH_TIMES, again: 600_000 }

async function watched(repo: TestRepo, times = ONLY_WATCHERS): Promise<Watched> {
  const { home, env } = withHome()
  const context = await openRepository(
    {
      ports: { home, env, clock: () => new Date(), host: 'serve', version: '0', log: () => {} },
      keepByDefault: () => false,
    },
    repo.dir,
  )
  const seen: What[] = []
  const waiting: { kind: What; done: () => void }[] = []
  const logs: string[] = []
  const watch = await watchRepository(
    context,
    (event, payload) => {
      if (event !== 'repo.changed') return
      const { what } = payload as EventPayload<'repo.changed'>
      seen.push(...what)
      for (const one of waiting.splice(0)) what.includes(one.kind) ? one.done() : waiting.push(one)
    },
    (line) => logs.push(line),
    times,
  )
  const until = (kind: What, act: () => void) =>
    new Promise<number>((resolve) => {
      const from = performance.now()
      waiting.push({ kind, done: () => resolve(performance.now() - from) })
      act()
    })
  const one = { repo: context, watch, logs, until }
  open.push(one)
  return one
}

/** How many folders this process watches, by Linux's own account; 0 elsewhere. */
function inotifyWatches(): number {
  if (process.platform !== 'linux') return 0
  const texts = readdirSync('/proc/self/fdinfo').map((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')
    } catch {
      return ''
    }
  })
  return texts
    .join('')
    .split('\n')
    .filter((row) => row.startsWith('inotify wd:')).length
}

afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.watch.stop()
    await one.repo.dispose()
  }
})

describe('watchRepository', () => {
  it('notices loose, nested, packed and deleted refs within two seconds', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo)
    expect(await until('refs', () => repo.git('branch', 'sleep/2026-12-01', 'main'))).toBeLessThan(2000)
    expect(await until('refs', () => repo.git('update-ref', 'refs/heads/a/b/c/d', 'main'))).toBeLessThan(2000)
    expect(await until('refs', () => repo.git('update-ref', 'refs/heads/a/b/c/d', 'main~1'))).toBeLessThan(2000)
    repo.git('pack-refs', '--all')
    expect(await until('refs', () => repo.git('update-ref', '-d', `refs/heads/${RUN}`))).toBeLessThan(2000)
    expect(await until('refs', () => repo.git('update-ref', 'refs/remotes/far/sleep/x', 'main'))).toBeLessThan(2000)
  })

  it('notices HEAD, the index and an operation under way', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo)
    expect(await until('refs', () => repo.git('symbolic-ref', 'HEAD', `refs/heads/${RUN}`))).toBeLessThan(2000)
    repo.git('symbolic-ref', 'HEAD', 'refs/heads/main')
    repo.write('staged.txt', 'x\n')
    expect(await until('worktree', () => repo.git('add', 'staged.txt'))).toBeLessThan(2000)
    expect(await until('worktree', () => repo.write('.git/MERGE_HEAD', `${repo.oid('main')}\n`))).toBeLessThan(2000)
  })

  it('notices the first linked worktree, and HEAD and index inside it', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo)
    const folder = join(tempDir('linked'), 'tree')
    expect(await until('refs', () => repo.git('worktree', 'add', '-q', folder, RUN))).toBeLessThan(2000)
    expect(await until('refs', () => repo.git('-C', folder, 'checkout', '-q', '--detach'))).toBeLessThan(2000)
    expect(await until('worktree', () => repo.git('-C', folder, 'rm', '-q', 'README.html'))).toBeLessThan(2000)
  })

  it.each(['bare', 'linkedWorktree', 'gitFile'] as const)(
    'notices a commit in a repository laid out as %s',
    async (layout) => {
      const repo = layouts[layout]()
      const { until } = await watched(repo)
      const move = () => repo.git('update-ref', 'refs/heads/main', 'main~1')
      expect(await until('refs', move)).toBeLessThan(2000)
    },
  )

  it('notices configuration', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo)
    expect(await until('settings', () => repo.git('config', 'daybreak.x', '1'))).toBeLessThan(2000)
  })

  it('notices edits in the working tree with the timer, and says nothing while nothing changes', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo, { ...WATCH_TIMES, again: 100 })
    const took = await until('worktree', () => repo.write('README.html', 'edited\n'))
    expect(took).toBeLessThan(2000)
    expect(WATCH_TIMES.again).toBeLessThanOrEqual(9000)
    let again = 0
    void until('worktree', () => {}).then(() => again++)
    await until('settings', () => repo.git('config', 'daybreak.y', '1'))
    expect(again).toBe(0)
  })

  it('notices edits in another worktree that holds trunk', async () => {
    const repo = layouts.linkedWorktree()
    const { until } = await watched(repo, { ...WATCH_TIMES, again: 100 })
    expect(await until('worktree', () => repo.main.write('README.html', 'edited\n'))).toBeLessThan(2000)
  })

  it('runs no filter that was configured while it watched', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo, { ...WATCH_TIMES, again: 100 })
    const script = join(tempDir('filter'), 'filter.sh')
    writeFileSync(script, `#!/bin/sh\ntouch '${script}.fired'\ncat\n`, { mode: 0o755 })
    await until('settings', () => repo.git('config', 'filter.late.clean', script))
    repo.write('.git/info/attributes', '*.html filter=late\n')
    await until('worktree', () => repo.write('README.html', 'edited\n'))
    expect(existsSync(`${script}.fired`)).toBe(false)
    repo.git('status')
    expect(existsSync(`${script}.fired`)).toBe(true)
  })

  it('notices a ref with the timer alone', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo, { settle: 600_000, again: 100, withoutWatchers: 600_000 })
    expect(await until('refs', () => repo.git('branch', 'late', 'main'))).toBeLessThan(2000)
  })

  it('survives that the repository goes and comes back', async () => {
    const repo = stores.clean()
    const { until } = await watched(repo, { ...WATCH_TIMES, again: 100 })
    const away = join(tempDir('away'), 'repo')
    expect(await until('refs', () => renameSync(repo.dir, away))).toBeLessThan(2000)
    expect(await until('refs', () => renameSync(away, repo.dir))).toBeLessThan(2000)
    expect(await until('refs', () => repo.git('branch', 'back', 'main'))).toBeLessThan(2000)
    rmSync(repo.dir, { recursive: true })
    mkdirSync(repo.dir)
  })

  it('leaves no watcher when it is stopped', async () => {
    const repo = stores.clean()
    const before = inotifyWatches()
    const { watch, logs } = await watched(repo)
    expect(watch.folders()).toBeGreaterThan(3)
    await watch.stop()
    expect(watch.folders()).toBe(0)
    repo.git('branch', 'late', 'main')
    expect(logs).toEqual([])
    if (process.platform === 'linux') expect(inotifyWatches()).toBe(before)
  })

  it('ends with the core, with every process that it started', async () => {
    const before = inotifyWatches()
    const core = testCore({ host: 'serve' })
    const { id: repoId } = await core.call('repo.open', { path: stores.clean().dir })
    await core.call('inbox.get', { repoId })
    const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap')
    if (process.platform === 'linux') expect(inotifyWatches()).toBeGreaterThan(before)
    await core.dispose()
    await vi.waitFor(() => expect(children()).toEqual([]))
    expect(inotifyWatches()).toBe(before)
  })
})
