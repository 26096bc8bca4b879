import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectNoLocks, expectUntouched, type OpenedCore, openCore, remember } from '../../../e2e/support/core.ts'
import {
  buildBranch,
  copyRepo,
  openTestRepo,
  PATHS,
  RUN,
  stores,
  type TestRepo,
  tempDir,
} from '../../../e2e/support/index.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

const approveParams = { branch: RUN, except: [], bringMainIn: false }
const raw = (repo: TestRepo, ...args: string[]) => repo.code(...args)

/** Runs an approval that fails at a point as if the process had died there: nothing is rolled back. */
async function cutOff(repo: TestRepo, point: string) {
  const opened = await openCore(repo, {
    fault: (at) => {
      // Rolling back fails as well, so that all is left as a kill leaves it.
      if (at === `approve:${point}` || cut) {
        cut = true
        throw new Error('cut off')
      }
    },
  })
  let cut = false
  await expect(opened.ask('sleep.approve', approveParams)).rejects.toThrow('cut off')
  await opened.close()
  return opened.test
}

describe('locks of someone else', () => {
  it('an index lock is waited for while it is held', async () => {
    const repo = copyRepo(clean)
    const lock = join(repo.gitDir, 'index.lock')
    writeFileSync(lock, '')
    let tries = 0
    const { ask, close } = await openCore(repo, {
      fault: (point) => {
        if (point === 'approve:before index lock') setTimeout(() => raw(repo, 'version') === 0 && remove(lock), 200)
        tries += 1
      },
    })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(tries).toBeGreaterThan(0)
    await close()
  })

  it('then it is reported with path and age, stays, and nothing has moved', async () => {
    for (const name of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock', `refs/heads/${RUN}.lock`]) {
      const repo = copyRepo(clean)
      const lock = join(repo.gitDir, name)
      writeFileSync(lock, 'not ours\n')
      const before = remember(repo)
      const { ask, close } = await openCore(repo, { lockPatience: 200 })
      const asked = ask('sleep.approve', approveParams)
      await expect(asked).rejects.toMatchObject({
        code: 'ERR_LOCKED',
        data: { path: lock, ageSeconds: expect.any(Number) },
      })
      expect(existsSync(lock)).toBe(true)
      remove(lock)
      expect(repo.refs()).toEqual(before.refs)
      expectUntouched(repo, before)
      expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
      await close()
    }
  })
})

describe('locks of a git of ours that was killed alone', () => {
  const killUpdateRef = () => {
    const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    for (const line of listed.split('\n')) {
      const [pid, parent, ...args] = line.trim().split(/\s+/)
      if (Number(parent) === process.pid && args.includes('update-ref')) process.kill(Number(pid), 'SIGKILL')
    }
  }

  it('go with it when the refs are let go of; a lock that is there for another reason stays', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const other = join(repo.gitDir, 'refs/heads/other.lock')
    writeFileSync(other, '')
    const { ask, close } = await openCore(repo, {
      fault: (at) => {
        if (at !== 'approve:refs prepared') return
        repo.write(PATHS.claim, 'just written\n')
        killUpdateRef()
      },
    })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ refusal: { refusal: 'dirty-tree' } })
    expect(existsSync(other)).toBe(true)
    remove(other)
    expectNoLocks(repo)
    expect(repo.refs()).toEqual(before.refs)
    repo.commit('nobody is kept out', { [PATHS.claim]: 'committed\n' })
    repo.fsck()
    await close()
  })
})

describe('others who write at the same time', () => {
  it("an agent's commit in the window fails instead of sweeping, and is not lost", async () => {
    const points = [
      'refs prepared',
      'files begin',
      'files written',
      'trees written',
      'refs committed',
      'indexes in place',
    ]
    for (const point of points) {
      const repo = copyRepo(clean)
      repo.write('agent.txt', 'from an agent\n')
      const codes: number[] = []
      const { ask, close } = await openCore(repo, {
        fault: (at) => {
          if (at !== `approve:${point}`) return
          codes.push(raw(repo, 'add', 'agent.txt'), raw(repo, 'commit', '-q', '-m', 'agent'))
        },
      })
      const tip = repo.oid(RUN)
      expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
      expect(codes.every((code) => code !== 0)).toBe(true)
      expect(repo.oid('main')).toBe(tip)
      expect(repo.status()).toBe('? agent.txt')
      repo.commit('agent again')
      expect(repo.git('show', '--format=', '--name-only', 'HEAD')).toBe('agent.txt')
      await close()
    }
  })

  it("an agent's commit before the locks is seen: main has moved on", async () => {
    const repo = copyRepo(clean)
    let done = false
    const { ask, close } = await openCore(repo, {
      fault: (at) => {
        if (at !== 'approve:before index lock' || done) return
        done = true
        repo.commit('agent', { 'agent.txt': 'from an agent\n' })
      },
    })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({
      refusal: { refusal: 'main-advanced', overlap: [] },
    })
    expect(repo.git('show', '--format=', '--name-only', 'main')).toBe('agent.txt')
    expect(repo.status()).toBe('')
    expectNoLocks(repo)
    await close()
  })

  it('an edit between the checks and the locks is seen under the locks', async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo, {
      fault: (at) => at === 'approve:refs prepared' && repo.write(PATHS.claim, 'just written\n'),
    })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ refusal: { refusal: 'dirty-tree' } })
    expect(repo.read(PATHS.claim).toString()).toBe('just written\n')
    expectNoLocks(repo)
    repo.fsck()
    await close()
  })

  it("what looks like local changes in the middle of somebody else's act is looked at again", async () => {
    const repo = copyRepo(clean)
    const { ask, close } = await openCore(repo, {
      fault: (at) => at === 'approve:looked' && raw(repo, 'merge', '-q', '--ff-only', RUN),
    })
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true, alreadyMerged: true })
    expect(repo.status()).toBe('')
    await close()
  })

  it('two Daybreaks approve at once: one wins, the other says already merged', async () => {
    const repo = copyRepo(clean)
    const [one, two] = [await openCore(repo), await openCore(repo)]
    const outcomes = await Promise.all([
      one.ask('sleep.approve', approveParams),
      two.ask('sleep.approve', approveParams),
    ])
    expect(outcomes).toMatchObject([{ approved: true }, { approved: true }])
    expect(outcomes.map((outcome) => outcome.approved && outcome.alreadyMerged).sort()).toEqual([false, true])
    expect(repo.status()).toBe('')
    repo.fsck()
    expectNoLocks(repo)
    await one.close()
    await two.close()
  })
})

describe('mending', () => {
  it('what holds neither old nor new bytes is shown and left; once put right the next command goes on', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const test = await cutOff(repo, 'files written')
    repo.write(PATHS.claim, 'a person wrote here after the kill\n')
    const { ask, close } = await openCore(repo, { test })
    const asked = ask('sleep.approve', approveParams)
    await expect(asked).rejects.toMatchObject({ code: 'ERR_TORN_FILES', data: { paths: [PATHS.claim] } })
    expect(repo.read(PATHS.claim).toString()).toBe('a person wrote here after the kill\n')
    repo.write(PATHS.claim, repo.show('main', PATHS.claim))
    expect(await ask('history.list', { limit: 9 })).toMatchObject([{ status: 'running' }])
    expect(await ask('sleep.abort', { branch: 'sleep/none' })).toMatchObject({ refusal: { refusal: 'unknown-run' } })
    expect(await ask('history.list', { limit: 9 })).toMatchObject([{ status: 'refused' }, { status: 'rolled-back' }])
    expectUntouched(repo, before, { status: [] })
    await close()
  })

  it('a repository that was moved or copied after the kill is mended where it is now', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    await cutOff(repo, 'files written')
    const [here, moved] = [remember(repo), openTestRepo(copyTo(repo.dir))]
    const { ask, close } = await openCore(moved)
    expectUntouched(moved, before, { status: [] })
    expect(remember(moved).files).toEqual(before.files)
    expect(remember(repo).files).toEqual(here.files)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    await close()
  })

  it('a lock that a git killed along with us left on our private index does not stand in the way', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const test = await cutOff(repo, 'files written')
    const work = join(repo.gitDir, 'daybreak', 'work')
    const [folder = ''] = readdirSync(work)
    writeFileSync(join(work, folder, '0.index.lock'), '')
    const { close } = await openCore(repo, { test })
    expectUntouched(repo, before, { status: [] })
    expect(remember(repo).files).toEqual(before.files)
    expect(existsSync(join(work, folder))).toBe(false)
    await close()
  })

  it('torn beginnings of files are replaced', async () => {
    for (const size of [0, 10, 200]) {
      const repo = copyRepo(clean)
      const before = remember(repo)
      const test = await cutOff(repo, 'files written')
      repo.write(PATHS.claim, repo.show(RUN, PATHS.claim).subarray(0, size))
      repo.write(PATHS.body, repo.show('main', PATHS.body).subarray(0, size))
      repo.write(PATHS.person, repo.show(RUN, PATHS.person).subarray(0, size))
      const { close } = await openCore(repo, { test })
      expectUntouched(repo, before, { status: [] })
      expect(remember(repo).files).toEqual(before.files)
      await close()
    }
  })

  it('with autocrlf the bytes on disk are compared after git’s own conversion', async () => {
    const repo = stores.clean(undefined, { config: '[core]\n\tautocrlf = true\n' })
    repo.git('rm', '-q', '-r', '--cached', '.')
    repo.git('reset', '-q', '--hard')
    expect(repo.read(PATHS.claim).includes('\r\n')).toBe(true)
    repo.write(PATHS.person, Buffer.from(repo.show(RUN, PATHS.person).toString().replaceAll('\n', '\r\n')))
    const before = remember(repo)
    const test = await cutOff(repo, 'files written')
    const again = await openCore(repo, { test })
    expect(remember(repo).files).toEqual(before.files)
    const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
    expect(await again.ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expectUntouched(repo, before, { moved: [main, tip], status: [] })
    expect(repo.read(PATHS.claim).includes('\r\n')).toBe(true)
    await again.close()
  })

  it('with autocrlf, files whose blobs have CRLF themselves are mended too', async () => {
    const repo = buildBranch(undefined, { 'a.md': 'one\r\n', 'b.md': 'b\r\n' }, { 'a.md': 'two\r\n', 'b.md': null })
    repo.git('config', 'core.autocrlf', 'true')
    const before = remember(repo)
    const test = await cutOff(repo, 'files written')
    expect(remember(repo).files).not.toEqual(before.files)
    const { ask, close } = await openCore(repo, { test })
    expect(remember(repo).files).toEqual(before.files)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expectUntouched(repo, before, { moved: [before.refs['refs/heads/main'] ?? '', repo.oid('main')], status: [] })
    await close()
  })

  it('locks of a git that was killed along with us go, and the verb is finished', async () => {
    const kept = (repo: TestRepo) => repo.git('for-each-ref', '--format=%(refname)', 'refs/daybreak/kept')
    const cases: readonly (readonly [point: string, head: string, locks: (repo: TestRepo) => string[]])[] = [
      ['rows restored', 'main', (repo) => [`${kept(repo)}.lock`, `refs/heads/${RUN}.lock`, 'packed-refs.lock']],
      ['stage moved', RUN, () => ['HEAD.lock']],
      [
        'files written',
        'main',
        (repo) => [join('daybreak/work', readdirSync(join(repo.gitDir, 'daybreak/work'))[0] ?? '', '0.index.lock')],
      ],
    ]
    for (const [point, head, locks] of cases) {
      const repo = copyRepo(clean)
      repo.git('checkout', '-q', head)
      const test = await cutOff(repo, point)
      for (const lock of locks(repo)) writeFileSync(join(repo.gitDir, lock), '')
      const { ask, close } = await openCore(repo, { test })
      expectNoLocks(repo)
      expect(repo.status()).toBe('')
      repo.fsck()
      expect(await ask('sleep.approve', approveParams)).toMatchObject({
        approved: true,
        alreadyMerged: point !== 'files written',
      })
      expect(repo.refs()).toEqual({ 'refs/heads/main': repo.oid('main') })
      expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
      await close()
    }
  })

  it('opening changes nothing where nothing was cut off, and leaves a lock of someone else', async () => {
    const repo = copyRepo(clean)
    writeFileSync(join(repo.gitDir, 'index.lock'), 'not ours\n')
    const stat = statSync(join(repo.gitDir, 'index'), { bigint: true })
    const { close } = await openCore(repo)
    await close()
    expect(statSync(join(repo.gitDir, 'index'), { bigint: true }).mtimeNs).toBe(stat.mtimeNs)
    expect(existsSync(join(repo.gitDir, 'index.lock'))).toBe(true)
  })
})

describe('what cannot be written', () => {
  it('a failure while files are written is rolled back: everything is as before', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const { ask, close } = await openCore(repo, {
      fault: (at) => {
        if (at === 'approve:files written') throw new Error('no')
      },
    })
    await expect(ask('sleep.approve', approveParams)).rejects.toThrow('no')
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before, { status: [] })
    expect(await ask('history.list', { limit: 1 })).toMatchObject([{ status: 'failed' }])
    await close()
  })

  it('a verb that is cancelled before the refs move is rolled back', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const opened: OpenedCore = await openCore(repo, {
      fault: (at) => {
        const operationId = opened?.progress.at(-1)?.operationId
        if (at === 'approve:files written' && operationId)
          void opened.core.handlers['operation.cancel']({ repoId: opened.repoId, operationId }, { via: 'test' })
      },
    })
    await expect(opened.ask('sleep.approve', approveParams)).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
    expect(repo.refs()).toEqual(before.refs)
    expectUntouched(repo, before, { status: [] })
    expect(await opened.ask('history.list', { limit: 1 })).toMatchObject([{ status: 'failed' }])
    await opened.close()
  })

  it('who did it is the person as git knows them, where the door does not say', async () => {
    const repo = copyRepo(clean)
    const { core, repoId, ask, close } = await openCore(repo)
    await core.handlers['sleep.abort']({ repoId, branch: RUN }, { via: 'cli' })
    expect(await ask('history.list', { limit: 1 })).toMatchObject([{ actor: 'Test Person', via: 'cli' }])
    await close()
  })

  it('hooks of the repository do not run unless trusted', async () => {
    const repo = copyRepo(clean)
    const seen = join(tempDir('hooks'), 'ran')
    for (const hook of ['reference-transaction', 'post-index-change', 'post-checkout', 'post-merge', 'pre-commit'])
      repo.write(`.git/hooks/${hook}`, { content: `#!/bin/sh\necho ${hook} >> ${seen}\nexit 1\n`, mode: '100755' })
    const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', approveParams)).toMatchObject({ approved: true })
    expect(existsSync(seen)).toBe(false)
    rmHooks(repo)
    expectUntouched(repo, before, { moved: [main, tip], status: [] })
    await close()
  })
})

const remove = (file: string) => rmSync(file, { force: true })
const rmHooks = (repo: TestRepo) =>
  rmSync(join(openTestRepo(repo.dir).gitDir, 'hooks'), { recursive: true, force: true })

function copyTo(dir: string): string {
  cpSync(dir, `${dir}-copy`, { recursive: true, preserveTimestamps: true })
  return `${dir}-copy`
}
