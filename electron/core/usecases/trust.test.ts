import { chmodSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildBranch, copyRepo, layouts, PATHS, stores, type TestRepo } from '../../../e2e/support/index.ts'
import { testCore } from '../testing/testCore.ts'

const core = testCore()
let unopened: TestRepo
beforeAll(() => {
  unopened = stores.clean(undefined, { files: { '.daybreak.yml': 'gate: { run: "make check" }\n' } })
})
afterAll(() => core.dispose())

async function opened(repo = copyRepo(unopened)) {
  const { id: repoId } = await core.call('repo.open', { path: repo.dir })
  return { repo, repoId, trust: () => core.call('trust.get', { repoId }) }
}

describe('trust', () => {
  it('has nothing to ask about in a repository that brings nothing', async () => {
    const { trust } = await opened(stores.clean())
    expect(await trust()).toMatchObject({ items: [], state: 'nothing-to-trust' })
  })

  it('shows the exact text of gate, filters, hooks and signing programs of the repository itself', async () => {
    const { repo, trust } = await opened()
    repo.git('config', 'filter.x=y.smudge', 'cat "a b"')
    repo.git('config', 'gpg.ssh.program', '/opt/sign')
    repo.write('.git/hooks/post-merge', { content: '#!/bin/sh\necho merged\n', mode: '100755' })
    repo.write('.git/hooks/pre-push.sample', { content: '#!/bin/sh\n', mode: '100755' })
    repo.write('.git/hooks/pre-commit', '#!/bin/sh\nnot executable\n')
    expect((await trust()).items).toEqual([
      { kind: 'gate', name: 'gate', command: 'make check' },
      { kind: 'filter', name: 'filter.x=y.smudge', command: 'cat "a b"' },
      { kind: 'signing', name: 'gpg.ssh.program', command: '/opt/sign' },
      { kind: 'hook', name: 'post-merge', command: '#!/bin/sh\necho merged\n' },
    ])
  })

  it('reads hooks from where the repository’s own configuration says', async () => {
    const { repo, trust } = await opened()
    repo.write('tools/hooks/post-merge', { content: '#!/bin/sh\n', mode: '100755' })
    repo.git('config', 'core.hooksPath', 'tools/hooks')
    expect((await trust()).items.map((item) => item.name)).toEqual(['gate', 'post-merge'])
  })

  it('is kept in the app’s own data, not in the repository, and for every process', async () => {
    const { repo, repoId, trust } = await opened()
    const { hash } = await trust()
    expect((await core.call('trust.accept', { repoId, hash })).state).toBe('trusted')
    const other = testCore({ home: core.home, env: core.env })
    const again = await other.call('repo.open', { path: repo.dir })
    expect((await other.call('trust.get', { repoId: again.id })).state).toBe('trusted')
    await other.dispose()
    const stranger = testCore()
    const fresh = await stranger.call('repo.open', { path: repo.dir })
    expect((await stranger.call('trust.get', { repoId: fresh.id })).state).toBe('not-trusted')
    await stranger.dispose()
    expect((await core.call('trust.revoke', { repoId })).state).toBe('not-trusted')
  })

  it.each([
    ['the gate', (repo: TestRepo) => void repo.commit('Gate', { '.daybreak.yml': 'gate: { run: "make checks" }\n' })],
    ['a filter', (repo: TestRepo) => void repo.git('config', 'filter.x.clean', 'evil')],
    ['a hook', (repo: TestRepo) => repo.write('.git/hooks/post-merge', { content: 'evil', mode: '100755' })],
    ['a signing program', (repo: TestRepo) => void repo.git('config', 'gpg.program', 'evil')],
  ])('asks again when %s changed', async (_what, change) => {
    const { repo, repoId, trust } = await opened()
    await core.call('trust.accept', { repoId, hash: (await trust()).hash })
    change(repo)
    expect((await trust()).state).toBe('changed')
  })

  it('does not ask again for the time limit of the gate, or a hook that cannot run', async () => {
    const { repo, repoId, trust } = await opened()
    repo.write('.git/hooks/post-merge', { content: 'x', mode: '100755' })
    chmodSync(join(repo.gitDir, 'hooks', 'post-merge'), 0o644)
    await core.call('trust.accept', { repoId, hash: (await trust()).hash })
    repo.commit('Limit', { '.daybreak.yml': 'gate: { run: "make check", timeout: 1m }\n' })
    expect((await trust()).state).toBe('trusted')
  })

  it('does not accept text that is not there any more', async () => {
    const { repo, repoId, trust } = await opened()
    const { hash } = await trust()
    repo.commit('Gate', { '.daybreak.yml': 'gate: { run: "rm -rf ." }\n' })
    const answer = await core.call('trust.accept', { repoId, hash })
    expect(answer.state).toBe('not-trusted')
    expect(answer.items[0]?.command).toBe('rm -rf .')
    expect((await trust()).state).toBe('not-trusted')
  })
})

describe('a filter of the repository’s own on a path that the night touches', () => {
  const filtered = (build: () => TestRepo) => {
    const repo = build()
    repo.write('.git/info/attributes', `/${PATHS.claim} filter=own\n`)
    repo.git('config', 'filter.own.clean', 'tr a-z A-Z')
    return repo
  }
  const branchOf = async (repoId: string) => (await core.call('inbox.get', { repoId })).sleepBranches[0]

  it('has to be trusted first; a new time alone is no local change', async () => {
    const repo = buildBranch(undefined, { 'a.txt': 'HIDDEN\n' }, { 'a.txt': 'night\n' })
    const clean = 'sed s/SECRET/HIDDEN/'
    repo.git('config', 'filter.own.clean', clean)
    repo.write('.git/info/attributes', 'a.txt filter=own\n')
    repo.write('a.txt', 'SECRET\n')
    repo.git('add', 'a.txt')
    utimesSync(repo.file('a.txt'), 1000, 1000)
    const { repoId, trust } = await opened(repo)
    expect((await branchOf(repoId))?.status).toEqual({
      state: 'blocked',
      blockers: [{ refusal: 'not-trusted', items: [{ kind: 'filter', name: 'filter.own.clean', command: clean }] }],
    })
    await core.call('trust.accept', { repoId, hash: (await trust()).hash })
    expect((await branchOf(repoId))?.status).toEqual({ state: 'ready' })
  })

  it('does not matter on other paths', async () => {
    const { repo, repoId } = await opened(filtered(() => stores.clean()))
    repo.write('.git/info/attributes', `/${PATHS.untouched} filter=own\n`)
    expect((await branchOf(repoId))?.status).toEqual({ state: 'ready' })
  })

  it('does not matter where no worktree follows, as in a bare repository', async () => {
    const { repo, repoId } = await opened(layouts.bare())
    repo.git('config', 'filter.own.clean', 'tr a-z A-Z')
    repo.write('info/attributes', `/${PATHS.claim} filter=own\n`)
    expect((await branchOf(repoId))?.status).toEqual({ state: 'ready' })
  })

  it('counts where only the night’s own attributes name it', async () => {
    const repo = buildBranch(undefined, { 'a.txt': 'a\n' }, { 'a.txt': 'b\n', '.gitattributes': 'a.txt filter=own\n' })
    repo.git('config', 'filter.own.smudge', 'tr a-z A-Z')
    const { repoId } = await opened(repo)
    expect((await branchOf(repoId))?.status).toMatchObject({ blockers: [{ refusal: 'not-trusted' }] })
  })
})
