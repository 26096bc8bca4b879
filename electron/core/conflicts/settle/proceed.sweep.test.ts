import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildConflict, type ConflictOptions } from '../../../../e2e/support/conflicts.ts'
import { withHome } from '../../../../e2e/support/index.ts'
import {
  draftOf,
  expectSound,
  openStopped,
  resolveAll,
  resolveItem,
  type Stopped,
  stateOf,
} from '../../testing/stoppedCore.ts'

const proceed = ({ ask, source }: Stopped) => ask('conflicts.proceed', { source })

async function resolved(options: ConflictOptions = {}, take: 'ours' | 'theirs' = 'theirs') {
  const stopped = await openStopped(buildConflict('twoFiles', options))
  await resolveAll(stopped, take)
  return stopped
}

function hook(stopped: Stopped, name: string, text: string): void {
  const folder = join(stopped.repo.gitDir, 'hooks')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, name), 0o755)
}

async function trust({ ask }: Stopped) {
  const { hash } = await ask('trust.get', {})
  await ask('trust.accept', { hash })
}

describe('going on', () => {
  it('commits a merge with the message that git prepared, and the comments of it left out', async () => {
    const stopped = await resolved()
    const { repo } = stopped
    const before = repo.oid('HEAD')
    const outcome = await proceed(stopped)
    expect(outcome).toMatchObject({ done: true, ended: true, to: repo.oid('HEAD') })
    expect(repo.git('log', '-1', '--format=%P')).toBe(`${before} ${repo.oid('infra/pg17')}`)
    expect(repo.git('log', '-1', '--format=%B').trim()).toBe("Merge branch 'infra/pg17'")
    expect(repo.show('HEAD', 'a.md').toString()).toBe('theirs\n')
    expect(repo.status()).toBe('')
    expect(existsSync(join(repo.gitDir, 'MERGE_HEAD'))).toBe(false)
    expect(await stopped.set()).toBe(null)
    const [entry] = await stopped.ask('history.list', { limit: 1 })
    expect(entry).toMatchObject({ verb: 'continue', status: 'done', from: before, to: repo.oid('HEAD'), undo: null })
    expect(repo.git('rev-parse', `refs/daybreak/undo/${entry?.operationId}`)).toBe(before)
    expectSound(repo)
    await stopped.close()
  })

  it.each(['rebase', 'cherry-pick', 'revert', 'am'] as const)('ends a %s', async (operation) => {
    const stopped = await resolved({ operation, where: operation === 'rebase' ? 'linked' : 'main' })
    const { repo } = stopped
    const outcome = await proceed(stopped)
    expect(outcome).toMatchObject({ done: true, ended: true, to: repo.oid('HEAD') })
    expect(repo.show('HEAD', 'sub/b.md').toString()).toBe('theirs\n')
    expect(repo.status()).toBe('')
    expect(repo.git('log', '-1', '--format=%B')).not.toContain('#')
    if (operation === 'rebase') expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/infra/pg17')
    repo.main.fsck()
    await stopped.close()
  })

  it.each(['rebase', 'am'] as const)('stops at the next conflicts of a %s, and ends after those', async (operation) => {
    const stopped = await resolved({ operation, after: [{ 'a.md': 'theirs again\n' }] }, 'ours')
    const { repo } = stopped
    const first = await proceed(stopped)
    // Nothing was left of the first commit: it is passed over, and the next one meets conflicts.
    expect(first).toMatchObject({ done: true, ended: false })
    expect((await stopped.set())?.items.map((one) => one.path)).toEqual(['a.md'])
    await resolveAll(stopped, 'theirs')
    expect(await proceed(stopped)).toMatchObject({ done: true, ended: true })
    expect(repo.show('HEAD', 'a.md').toString()).toBe('theirs again\n')
    expect(repo.status()).toBe('')
    expectSound(repo)
    await stopped.close()
  })

  it('does not drop a stash that someone made since', async () => {
    const stopped = await openStopped(buildConflict('twoFiles', { operation: 'stash' }))
    const { repo } = stopped
    await resolveAll(stopped)
    const made = repo.git('commit-tree', '-p', 'HEAD', '-p', 'HEAD', '-m', 'another', 'HEAD^{tree}')
    repo.git('stash', 'store', '-m', 'another', made)
    const outcome = await proceed(stopped).catch((error: unknown) => error)
    expect(outcome).not.toMatchObject({ done: true })
    expect(repo.git('stash', 'list').split('\n')).toHaveLength(2)
    await stopped.close()
  })

  it('passes over a cherry-pick that the decisions left nothing of', async () => {
    const stopped = await resolved({ operation: 'cherry-pick' }, 'ours')
    const head = stopped.repo.oid('HEAD')
    // The side's other files are none of this commit's.
    expect(await proceed(stopped)).toMatchObject({ done: true, ended: true, to: head })
    expect(stopped.repo.status()).toBe('')
    await stopped.close()
  })

  it('drops a stash only on this very act, and keeps it findable', async () => {
    const stopped = await openStopped(buildConflict('twoFiles', { operation: 'stash' }))
    const { repo } = stopped
    const stash = repo.git('rev-parse', 'refs/stash')
    repo.git('branch', 'stash')
    await resolveItem(stopped, await stopped.item('a.md'), await draftOf(stopped, await stopped.item('a.md')))
    expect(await proceed(stopped)).toMatchObject({ refusal: { refusal: 'unresolved', conflicts: ['sub/b.md'] } })
    expect(repo.git('rev-parse', 'refs/stash')).toBe(stash)
    await resolveAll(stopped)
    expect(repo.git('rev-parse', 'refs/stash')).toBe(stash)
    const before = stateOf(repo)
    const outcome = await proceed(stopped)
    expect(outcome).toMatchObject({ done: true, ended: true, to: repo.oid('HEAD') })
    expect(repo.git('stash', 'list')).toBe('')
    expect({ ...stateOf(repo), refs: null }).toEqual({ ...before, refs: null })
    if (outcome.done) expect(repo.git('rev-parse', `refs/daybreak/undo/${outcome.operationId}`)).toBe(stash)
    await stopped.close()
  })
})

describe('what stands in the way of going on', () => {
  it('an unresolved file', async () => {
    const stopped = await openStopped(buildConflict('twoFiles'))
    const before = stateOf(stopped.repo)
    expect(await proceed(stopped)).toEqual({
      done: false,
      refusal: { refusal: 'unresolved', conflicts: ['a.md', 'sub/b.md'] },
    })
    expect(stateOf(stopped.repo)).toEqual(before)
    await stopped.close()
  })

  it('something that someone staged beside the merge: it is named and not swept along', async () => {
    for (const path of ['README.md', 'side.md']) {
      const stopped = await resolved()
      const { repo } = stopped
      repo.write(path, 'staged by an agent\n')
      repo.git('add', path)
      const before = stateOf(repo)
      const outcome = await proceed(stopped)
      expect(outcome).toMatchObject({ done: false, refusal: { refusal: 'operation-failed' } })
      if (!outcome.done && outcome.refusal.refusal === 'operation-failed')
        expect(outcome.refusal.output).toContain(path)
      expect(stateOf(repo)).toEqual(before)
      repo.git('reset', '-q', '--', path)
      await stopped.close()
    }
  })

  it('something staged beside a series of patches', async () => {
    const stopped = await resolved({ operation: 'am' })
    stopped.repo.write('README.md', 'staged by an agent\n')
    stopped.repo.git('add', 'README.md')
    expect(await proceed(stopped)).toMatchObject({ refusal: { output: expect.stringContaining('README.md') } })
    await stopped.close()
  })

  it('unstaged and untracked edits do not: they stay', async () => {
    const stopped = await resolved()
    const { repo } = stopped
    repo.write('README.md', 'edited\n')
    repo.write('new.txt', 'new\n')
    expect(await proceed(stopped)).toMatchObject({ done: true })
    expect(
      repo
        .status()
        .split('\n')
        .map((row) => row.split(' ').at(-1)),
    ).toEqual(['README.md', 'new.txt'])
    expect(repo.read('README.md').toString()).toBe('edited\n')
    await stopped.close()
  })

  it('a HEAD that moved since', async () => {
    const stopped = await resolved()
    const { repo } = stopped
    const tree = repo.git('rev-parse', 'HEAD^{tree}')
    repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', '-p', 'HEAD', '-m', 'meanwhile', tree))
    expect(await proceed(stopped)).toMatchObject({ done: false, refusal: { refusal: 'operation-failed' } })
    expect(existsSync(join(repo.gitDir, 'MERGE_HEAD'))).toBe(true)
    await stopped.close()
  })

  it("hooks and a signing program of the repository's own, until they are accepted; then they run", async () => {
    const stopped = await resolved()
    const { repo } = stopped
    hook(stopped, 'pre-commit', 'echo "$0" > ran-hook')
    repo.git('config', 'commit.gpgSign', 'true')
    repo.git('config', 'gpg.program', join(repo.gitDir, 'sign'))
    writeFileSync(join(repo.gitDir, 'sign'), '#!/bin/sh\ntouch ran-signer\nexit 1\n')
    chmodSync(join(repo.gitDir, 'sign'), 0o755)
    expect(await proceed(stopped)).toMatchObject({
      refusal: {
        refusal: 'not-trusted',
        items: [
          { kind: 'hook', name: 'pre-commit' },
          { kind: 'signing', name: 'gpg.program' },
        ],
      },
    })
    expect(existsSync(join(repo.dir, 'ran-hook')) || existsSync(join(repo.dir, 'ran-signer'))).toBe(false)
    repo.git('config', '--unset', 'commit.gpgSign')
    await trust(stopped)
    expect(await proceed(stopped)).toMatchObject({ done: true })
    expect(existsSync(join(repo.dir, 'ran-hook'))).toBe(true)
    expect(existsSync(join(repo.dir, 'ran-signer'))).toBe(false)
    await stopped.close()
  })

  it("a hook that says no: git's words come back, all stays resolved", async () => {
    const stopped = await resolved()
    hook(stopped, 'pre-commit', 'echo "No commits on Mondays." >&2; exit 1')
    await trust(stopped)
    const before = stateOf(stopped.repo)
    expect(await proceed(stopped)).toEqual({
      done: false,
      refusal: { refusal: 'operation-failed', operation: 'the merge', output: 'No commits on Mondays.' },
    })
    expect(stateOf(stopped.repo)).toEqual(before)
    expectSound(stopped.repo)
    await stopped.close()
  })

  it("the person's own hooks run without asking", async () => {
    const home = withHome()
    const hooks = join(home.home, 'hooks')
    mkdirSync(hooks)
    writeFileSync(join(hooks, 'commit-msg'), '#!/bin/sh\necho "\nSeen-By: me" >> "$1"\n')
    chmodSync(join(hooks, 'commit-msg'), 0o755)
    const config = join(home.home, 'gitconfig')
    writeFileSync(config, `[core]\n\thooksPath = ${hooks}\n`)
    const stopped = await openStopped(buildConflict('twoFiles'), { test: home, env: { GIT_CONFIG_GLOBAL: config } })
    await resolveAll(stopped)
    expect(await proceed(stopped)).toMatchObject({ done: true })
    expect(stopped.repo.git('log', '-1', '--format=%B')).toContain('Seen-By: me')
    await stopped.close()
  })

  it('steps of a rebase that run commands, or that ask for a message', async () => {
    const stopped = await resolved({ operation: 'rebase' })
    const { repo } = stopped
    const state = (name: string) => join(repo.gitDir, 'rebase-merge', name)
    const pick = repo.git('rev-parse', 'infra/pg17')
    for (const [file, line] of [
      ['git-rebase-todo', `exec touch ${repo.dir}/ran`],
      ['git-rebase-todo', `reword ${pick} Another`],
      ['done', `reword ${pick} Write the side`],
    ] as const) {
      const kept = readFileSync(state(file))
      writeFileSync(state(file), `${line}\n`)
      const outcome = await proceed(stopped)
      expect(outcome).toMatchObject({ refusal: { refusal: 'operation-failed', output: expect.stringContaining(line) } })
      writeFileSync(state(file), kept)
    }
    expect(existsSync(join(repo.dir, 'ran'))).toBe(false)
    expect(await proceed(stopped)).toMatchObject({ done: true, ended: true })
    await stopped.close()
  })

  it('a lock of someone else: waited for, then told', async () => {
    const first = await resolved()
    await first.close()
    const stopped = await openStopped(first.repo, { test: first.test, lockPatience: 150 })
    const lock = join(first.repo.gitDir, 'index.lock')
    writeFileSync(lock, 'not ours')
    await expect(proceed(stopped)).rejects.toMatchObject({ code: 'ERR_LOCKED', data: { path: lock } })
    rmSync(lock)
    expect(await proceed(stopped)).toMatchObject({ done: true })
    await stopped.close()
  })
})

describe('cut short', () => {
  it('cancelling ends git and all that it started, and leaves the merge as it was', async () => {
    const stopped = await resolved()
    const { repo } = stopped
    hook(stopped, 'pre-commit', `echo $$ > ${repo.gitDir}/hook-pid; exec sleep 600`)
    await trust(stopped)
    const before = stateOf(repo)
    const asked = proceed(stopped)
    const failed = expect(asked).rejects.toMatchObject({ code: 'ERR_CANCELLED' })
    await until(() => existsSync(join(repo.gitDir, 'hook-pid')))
    const { operationId } = stopped.progress.findLast((one) => one.verb === 'continue') ?? { operationId: '' }
    expect(await stopped.ask('operation.cancel', { operationId })).toEqual({ cancelled: true })
    await failed
    const pid = Number(repo.read('.git/hook-pid').toString())
    await until(() => !lives(pid))
    expect(stateOf(repo)).toEqual(before)
    expectSound(repo)
    const history = await stopped.ask('history.list', { limit: 1 })
    expect(history[0]?.status).not.toBe('running')
    await stopped.close()
  })

  it.each(['prepared', 'committed'])('git killed when its refs are %s: the next command settles it', async (moment) => {
    const stopped = await resolved()
    const { repo } = stopped
    // Kills git at the very moment, with everything that it holds; the process that asked is cut off along with it.
    hook(stopped, 'reference-transaction', `cat > /dev/null; if [ "$1" = ${moment} ]; then kill -9 $PPID; fi`)
    await trust(stopped)
    const head = repo.oid('HEAD')
    await stopped.close()
    let cut = false
    const dying = await openStopped(repo, {
      test: stopped.test,
      fault: (point) => {
        if (cut || point === 'continue:git ended') {
          cut = true
          throw new Error('cut off')
        }
      },
    })
    await expect(proceed(dying)).rejects.toThrow('cut off')
    await dying.close()
    if (moment === 'prepared') expect(existsSync(join(repo.gitDir, 'HEAD.lock'))).toBe(true)
    else expect(existsSync(join(repo.gitDir, 'MERGE_HEAD'))).toBe(true)
    repo.write('.git/hooks/reference-transaction', null)
    const next = await openStopped(repo, { test: stopped.test })
    expectSound(repo)
    if (moment === 'prepared') {
      expect(repo.oid('HEAD')).toBe(head)
      expect(await proceed(next)).toMatchObject({ done: true, ended: true })
    }
    expect(repo.git('log', '-1', '--format=%P')).toBe(`${head} ${repo.oid('infra/pg17')}`)
    expect(existsSync(join(repo.gitDir, 'MERGE_HEAD'))).toBe(false)
    expect(repo.status()).toBe('')
    await next.close()
  })
})

/** A process that ended but that nobody has asked about yet counts as ended. */
function lives(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
