import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Order } from '../../../e2e/kill/victim.ts'
import { expectUntouched, type OpenedCore, openCore, remember } from '../../../e2e/support/core.ts'
import { PATHS, RUN, stores, type TestRepo, tempDir } from '../../../e2e/support/index.ts'

const approveParams = { branch: RUN, except: [] as string[], bringMainIn: false }
const gated = (run: string, timeout = '30s'): TestRepo =>
  stores.clean(undefined, {
    files: { '.daybreak.yml': `gate: { run: ${JSON.stringify(run)}, timeout: ${timeout} }\n` },
  })

async function trusted(opened: OpenedCore): Promise<void> {
  const { hash } = await opened.ask('trust.get', {})
  await opened.ask('trust.accept', { hash })
}

describe('the gate', () => {
  it('does not run unless its text is trusted; then it decides', async () => {
    const seen = join(tempDir('gate'), 'ran')
    const repo = gated(`echo yes > ${seen}`)
    const before = remember(repo)
    const opened = await openCore(repo)
    const refusal = { refusal: 'not-trusted', items: [{ kind: 'gate', name: 'gate', command: `echo yes > ${seen}` }] }
    expect(await opened.ask('sleep.approve', approveParams)).toEqual({ approved: false, refusal })
    expect(existsSync(seen)).toBe(false)
    expectUntouched(repo, before)
    await trusted(opened)
    expect(await opened.ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(existsSync(seen)).toBe(true)
    await opened.close()
  })

  it('case 42: a failing gate leaves main unchanged and shows what it said', async () => {
    const repo = gated('echo out; echo err >&2; exit 3')
    const before = remember(repo)
    const opened = await openCore(repo)
    await trusted(opened)
    const outcome = await opened.ask('sleep.approve', approveParams)
    expect(outcome).toMatchObject({ approved: false, refusal: { refusal: 'gate-failed', exitCode: 3, reason: 'exit' } })
    expect((outcome as { refusal: { output: string } }).refusal.output.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(opened.progress.some((event) => event.output?.includes('out') && event.cancellable)).toBe(true)
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before)
    await opened.close()
  })

  it('sees the tree that main would get, without what is left out, and no repository at all', async () => {
    const out = tempDir('gate-out')
    const repo = gated(
      `cp -r . ${out}/tree; git rev-parse --git-dir > ${out}/git 2>&1; env | grep ^GIT_ > ${out}/env; true`,
    )
    const opened = await openCore(repo)
    await trusted(opened)
    expect(await opened.ask('sleep.approve', { ...approveParams, except: [PATHS.claim] })).toMatchObject({
      approved: true,
    })
    const listed = repo.git('ls-tree', '-r', '--name-only', 'main').split('\n')
    const found = (
      readdirSync(join(out, 'tree'), { recursive: true, withFileTypes: true }) as { isFile(): boolean }[]
    ).filter((e) => e.isFile())
    expect(found).toHaveLength(listed.length)
    expect(readFileSync(join(out, 'tree', PATHS.claim))).toEqual(repo.show('main', PATHS.claim))
    expect(readFileSync(join(out, 'tree', PATHS.body))).toEqual(repo.show('main', PATHS.body))
    expect(readFileSync(join(out, 'git'), 'utf8')).toContain('not a git repository')
    expect(readFileSync(join(out, 'env'), 'utf8')).toMatch(/^GIT_CEILING_DIRECTORIES=.*\n$/)
    await opened.close()
  })

  it('ends with all that it started at the next command where Daybreak was killed', async () => {
    const out = join(tempDir('gate'), 'pids')
    const repo = gated(`sleep 300 & echo $$ $! $PWD > ${out}.new; mv ${out}.new ${out}; sleep 300`)
    const before = remember(repo)
    const opened = await openCore(repo)
    await trusted(opened)
    await opened.close()
    const order: Order = {
      dir: repo.dir,
      root: repo.dir,
      home: opened.test.home,
      method: 'sleep.approve',
      params: approveParams,
      killAt: null,
      steps: false,
      group: false,
      record: null,
    }
    const victim = join(import.meta.dirname, '../../../e2e/kill/victim.ts')
    const child = spawn(process.execPath, ['--no-warnings', victim, JSON.stringify(order)], {
      env: opened.test.env,
      stdio: 'ignore',
    })
    await vi.waitFor(() => expect(existsSync(out)).toBe(true), 20_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [gate = '', beside = '', folder = ''] = readFileSync(out, 'utf8').trim().split(' ')
    expect([alive(Number(gate)), alive(Number(beside)), existsSync(folder)]).toEqual([true, true, true])
    const again = await openCore(repo, { test: opened.test })
    await vi.waitFor(() => expect([alive(Number(gate)), alive(Number(beside))]).toEqual([false, false]))
    expect(existsSync(dirname(folder))).toBe(false)
    expect(readdirSync(join(repo.gitDir, 'daybreak', 'gates'))).toEqual([])
    expectUntouched(repo, before)
    await again.close()
  })

  it('a note of a gate that a repository brings removes nothing and hinders nothing', async () => {
    const repo = stores.clean()
    const precious = tempDir('precious')
    const notes = join(repo.gitDir, 'daybreak', 'gates')
    mkdirSync(notes, { recursive: true })
    const gone = { pid: 1, started: 'long ago' }
    writeFileSync(join(notes, 'one.json'), JSON.stringify({ owner: gone, leader: gone, folder: precious }))
    writeFileSync(join(notes, 'two.json'), '{"owner":')
    const opened = await openCore(repo)
    expect(existsSync(precious)).toBe(true)
    expect(await opened.ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    await opened.close()
  })

  it('has a time limit, and ends with all that it started', async () => {
    const repo = gated("sh -c 'sleep 300 & echo $!; sleep 300'", '1s')
    const before = remember(repo)
    const opened = await openCore(repo)
    await trusted(opened)
    const outcome = await opened.ask('sleep.approve', approveParams)
    expect(outcome).toMatchObject({ refusal: { refusal: 'gate-failed', reason: 'timeout', exitCode: null } })
    const pid = Number((outcome as { refusal: { output: string } }).refusal.output.trim())
    expect(pid).toBeGreaterThan(0)
    expect(alive(pid)).toBe(false)
    expectUntouched(repo, before)
    await opened.close()
  })

  it('can be cancelled, which really ends its processes', async () => {
    const repo = gated('echo started $$; sleep 300')
    const before = remember(repo)
    const opened = await openCore(repo)
    await trusted(opened)
    const asked = opened.ask('sleep.approve', approveParams)
    const started = await new Promise<(typeof opened.progress)[number]>((resolve) => {
      opened.core.subscribe((event, payload) => {
        const progress = payload as (typeof opened.progress)[number]
        if (event === 'operation.progress' && progress.output?.includes('started')) resolve(progress)
      })
    })
    expect(await opened.ask('operation.cancel', { operationId: started.operationId })).toEqual({ cancelled: true })
    expect(await asked).toMatchObject({ refusal: { refusal: 'gate-failed', reason: 'cancelled' } })
    expect(alive(Number(started.output?.split(' ')[1]))).toBe(false)
    expect(await opened.ask('operation.cancel', { operationId: started.operationId })).toEqual({ cancelled: false })
    expectUntouched(repo, before)
    await opened.close()
  })

  it('runs again in each round of bringing main in', async () => {
    const count = join(tempDir('gate-count'), 'runs')
    const repo = gated(`echo run >> ${count}`)
    repo.commit('disjoint', { 'areas/inbox/later.html': 'later\n' })
    let moved = false
    const opened = await openCore(repo, {
      fault: (point) => {
        if (point !== 'approve:before refs prepare' || moved) return
        moved = true
        const tree = repo.git('rev-parse', 'main^{tree}')
        repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', '-p', 'main', '-m', 'busy', tree))
      },
    })
    await trusted(opened)
    expect(await opened.ask('sleep.approve', { ...approveParams, bringMainIn: true })).toMatchObject({
      approved: true,
      rounds: 2,
    })
    expect(readFileSync(count, 'utf8')).toBe('run\nrun\n')
    await opened.close()
  })
})

function alive(pid: number): boolean {
  try {
    // A process that has ended but was not waited for still has an entry.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
