import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { expectNoLocks, openCore } from '../../../../e2e/support/core.ts'
import { buildRepo } from '../../../../e2e/support/index.ts'
import type { Caller } from '../../../../shared/contract/index.ts'

const agent: Caller = { via: 'mcp', actor: 'planner' }
const built = () =>
  buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' } }] })
const write = (path: string, body: string, expectedVersion: number) => ({ path, body, expectedVersion })

describe('a person’s local changes', () => {
  it('18: staged, unstaged and untracked edits are never in an agent’s commit, nor overwritten', async () => {
    const repo = built()
    const core = await openCore(repo)
    repo.write('a.md', 'staged\n')
    repo.git('add', 'a.md')
    repo.write('b.md', 'unstaged\n')
    repo.write('new.md', 'untracked\n')
    const tip = repo.oid('main')
    for (const [path, version] of [
      ['a.md', 1],
      ['b.md', 1],
      ['new.md', 0],
    ] as const)
      await expect(core.ask('documents.publish', write(path, 'agent\n', version), agent)).rejects.toMatchObject({
        code: 'ERR_DIRTY_PATH',
        data: { path },
      })
    expect(repo.oid('main')).toBe(tip)
    expect(await core.ask('documents.publish', write('c.md', 'agent\n', 1), agent)).toMatchObject({ status: 'ok' })
    expect(repo.git('diff', '--name-only', tip, 'main')).toBe('c.md')
    const files = ['a.md', 'b.md', 'new.md', 'c.md'].map((path) => repo.read(path).toString())
    expect(files).toEqual(['staged\n', 'unstaged\n', 'untracked\n', 'agent\n'])
    expect(repo.git('diff', '--cached', '--name-only')).toBe('a.md')
    expectNoLocks(repo)
    await core.close()
  })

  it('one dirty path among many that wait does not hold the others up', async () => {
    const repo = built()
    const core = await openCore(repo)
    repo.write('b.md', 'mine\n')
    const answers = await Promise.allSettled(
      ['a.md', 'b.md', 'c.md'].map((path) => core.ask('documents.publish', write(path, 'agent\n', 1), agent)),
    )
    expect(answers.map((one) => one.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(repo.status()).toContain('b.md')
    expect(repo.read('b.md').toString()).toBe('mine\n')
    await core.close()
  })

  it('publishes where trunk is not checked out, in a bare repository and on a linked worktree of trunk', async () => {
    const repo = built()
    repo.git('checkout', '-q', '-b', 'else')
    const linked = `${repo.dir}-linked`
    const core = await openCore(repo)
    await core.ask('documents.publish', write('a.md', 'agent\n', 1), agent)
    expect(repo.read('a.md').toString()).toBe('a\n')
    repo.git('worktree', 'add', '-q', linked, 'main')
    await core.ask('documents.publish', write('a.md', 'again\n', 2), agent)
    expect(repo.git('-C', linked, 'status', '--porcelain')).toBe('')
    expect(repo.show('main', 'a.md').toString()).toBe('again\n')
    await core.close()
    const bare = buildRepo(undefined, { bare: true, commits: [{ message: 'Begin', files: { 'a.md': 'a\n' } }] })
    const other = await openCore(bare)
    expect(await other.ask('documents.publish', write('a.md', 'agent\n', 1), agent)).toMatchObject({ version: 2 })
    bare.fsck()
    await other.close()
  })

  it('writes files as git would: line endings, and the mode stays', async () => {
    const repo = buildRepo(undefined, {
      config: '[core]\n\tautocrlf = true\n',
      commits: [{ message: 'Begin', files: { 'run.sh': { content: 'a\n', mode: '100755' } } }],
    })
    const core = await openCore(repo)
    await core.ask('documents.publish', write('run.sh', 'b\nc\n', 1), agent)
    expect(repo.git('ls-tree', 'main', 'run.sh')).toMatch(/^100755 /)
    expect(repo.read('run.sh').toString()).toBe('b\r\nc\r\n')
    expect(repo.status()).toBe('')
    await core.close()
  })
})

describe('locks of someone else', () => {
  it('17: a held index.lock is waited for, then told with its mend; nothing is left behind', async () => {
    const repo = built()
    const core = await openCore(repo, { lockPatience: 300 })
    const lock = join(repo.gitDir, 'index.lock')
    writeFileSync(lock, '')
    const tip = repo.oid('main')
    await expect(core.ask('documents.publish', write('a.md', 'agent\n', 1), agent)).rejects.toMatchObject({
      code: 'ERR_LOCKED',
      data: { path: lock },
    })
    expect(repo.oid('main')).toBe(tip)
    expect(repo.read('a.md').toString()).toBe('a\n')
    const waiting = core.ask('documents.publish', write('a.md', 'agent\n', 1), agent)
    rmSync(lock)
    expect(await waiting).toMatchObject({ status: 'ok' })
    expectNoLocks(repo)
    await core.close()
  })

  it('an operation in progress where trunk is checked out is told, and nothing moves', async () => {
    const repo = built()
    writeFileSync(join(repo.gitDir, 'MERGE_HEAD'), `${repo.oid('main')}\n`)
    const core = await openCore(repo)
    await expect(core.ask('documents.publish', write('a.md', 'agent\n', 1), agent)).rejects.toMatchObject({
      code: 'ERR_REFUSED',
      data: { refusal: { refusal: 'operation-in-progress' } },
    })
    await core.close()
  })
})
