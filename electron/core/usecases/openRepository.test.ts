import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { buildRepo, layouts, RUN, snapshot, snapshotDiff, stores, tempDir } from '../../../e2e/support/index.ts'
import { testCore } from '../testing/testCore.ts'
import { runAs } from '../testing/unprivileged.ts'

const core = testCore()
afterAll(() => core.dispose())
const open = (path: string) => core.call('repo.open', { path })

/** A folder whose `git` runs this shell text. */
function fakeGit(script: string): NodeJS.ProcessEnv {
  const bin = tempDir('bin')
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  return { ...core.env, PATH: `${bin}:${core.env.PATH}` }
}

const gitPath = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

async function codeWith(env: NodeJS.ProcessEnv, path: string) {
  const other = testCore({ env })
  try {
    return await other.code('repo.open', { path })
  } finally {
    await other.dispose()
  }
}

describe('opening a repository', () => {
  it('opens the working tree from any folder inside it, and from its git folder', async () => {
    const repo = layouts.plain()
    const top = realpathSync(repo.dir)
    const first = await open(repo.dir)
    expect(first).toMatchObject({ path: top, bare: false, linkedWorktree: false, store: true, readOnly: false })
    for (const inside of ['resources/infra', '.git', '.git/refs/heads', 'README.html'])
      expect(await open(join(repo.dir, inside))).toEqual(first)
  })

  it('opens it through a symbolic link as the same repository', async () => {
    const repo = layouts.plain()
    const link = join(tempDir('link'), 'here')
    symlinkSync(repo.dir, link)
    expect((await open(link)).id).toBe((await open(repo.dir)).id)
  })

  it('opens a bare repository', async () => {
    const repo = layouts.bare()
    expect(await open(repo.dir)).toMatchObject({ bare: true, path: realpathSync(repo.dir), store: true })
  })

  it('opens a bare repository also where the person lets git open none unasked', async () => {
    const repo = layouts.bare()
    const config = join(tempDir('config'), 'config')
    writeFileSync(config, '[safe]\n\tbareRepository = explicit\n')
    expect(await codeWith({ ...core.env, GIT_CONFIG_GLOBAL: config }, repo.dir)).toBeNull()
  })

  it('opens a linked worktree with the identity of its repository', async () => {
    const repo = layouts.linkedWorktree()
    const linked = await open(repo.dir)
    expect(linked).toMatchObject({ linkedWorktree: true, path: realpathSync(repo.dir) })
    expect(linked.head).toMatchObject({ kind: 'branch', branch: 'side' })
    const main = await open(repo.main.dir)
    expect(main.id).toBe(linked.id)
    expect(main).toMatchObject({ linkedWorktree: false, path: realpathSync(repo.main.dir) })
  })

  it('opens a linked worktree of a bare repository', async () => {
    const repo = layouts.bareWithWorktree()
    expect(await open(repo.dir)).toMatchObject({ bare: false, linkedWorktree: true })
  })

  it('opens a detached HEAD, an unborn branch, and a `.git` file', async () => {
    const detached = layouts.detached()
    expect((await open(detached.dir)).head).toEqual({ kind: 'detached', oid: detached.oid('main') })
    const unborn = await open(layouts.unborn().dir)
    expect(unborn.head).toEqual({ kind: 'unborn', branch: 'main' })
    expect(unborn.trunk).toEqual({ branch: 'main', oid: null })
    const file = layouts.gitFile()
    expect(await open(join(file.dir, 'areas'))).toMatchObject({ path: realpathSync(file.dir), bare: false })
  })

  it('opens a folder whose name holds a newline, quotes and a leading dash', async () => {
    const dir = join(tempDir('odd'), '-a\n"b" \'c\' -> d ')
    const repo = buildRepo(dir, { commits: [{ message: 'Base', files: { a: 'x' } }] })
    expect((await open(repo.dir)).path).toBe(realpathSync(repo.dir))
  })

  it('opens a submodule and the repository around it, each as itself', async () => {
    const outer = layouts.withSubmodule()
    expect((await open(outer.dir)).path).toBe(realpathSync(outer.dir))
    expect((await open(join(outer.dir, 'lib'))).path).toBe(realpathSync(join(outer.dir, 'lib')))
  })

  it('opens a repository whose core.worktree points elsewhere, at its own place', async () => {
    const repo = stores.clean(undefined, { config: `[core]\n\tworktree = ${tempDir('elsewhere')}\n` })
    expect((await open(repo.dir)).path).toBe(realpathSync(repo.dir))
  })

  it('names what is wrong: no such path, no repository, a damaged one', async () => {
    expect(await core.code('repo.open', { path: join(tempDir(), 'nothing here') })).toBe('ERR_PATH_NOT_FOUND')
    const folder = layouts.plainFolder()
    expect(await core.code('repo.open', { path: folder })).toBe('ERR_NOT_A_REPOSITORY')
    expect(await core.code('repo.open', { path: join(folder, 'inside', 'a.txt') })).toBe('ERR_NOT_A_REPOSITORY')
    const damaged = layouts.plain()
    rmSync(join(damaged.gitDir, 'HEAD'))
    expect(await core.code('repo.open', { path: damaged.dir })).toBe('ERR_REPOSITORY_DAMAGED')
    const dangling = tempDir('dangling')
    writeFileSync(join(dangling, '.git'), 'gitdir: /nowhere/at/all\n')
    expect(await core.code('repo.open', { path: dangling })).toBe('ERR_REPOSITORY_DAMAGED')
  })

  it('tells that git is missing, or too old', async () => {
    const repo = layouts.plain()
    expect(await codeWith({ ...core.env, PATH: tempDir('empty') }, repo.dir)).toBe('ERR_GIT_MISSING')
    expect(await codeWith(fakeGit('echo "git version 2.37.7"'), repo.dir)).toBe('ERR_GIT_TOO_OLD')
    expect(await codeWith(fakeGit('echo "something else"'), repo.dir)).toBe('ERR_GIT_TOO_OLD')
  })

  it('tells dubious ownership by exit codes, whatever the language', async () => {
    const repo = layouts.plain()
    const env = fakeGit(`GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${gitPath} "$@"`)
    expect(await codeWith({ ...env, LANG: 'fr_FR.UTF-8', LC_ALL: 'fr_FR.UTF-8', LANGUAGE: 'fr' }, repo.dir)).toBe(
      'ERR_DUBIOUS_OWNERSHIP',
    )
  })

  it('opens in a French environment, and is not led elsewhere by inherited GIT_ variables', async () => {
    const repo = layouts.plain()
    const env = { ...core.env, LANG: 'fr_FR.UTF-8', LANGUAGE: 'fr', GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere' }
    expect(await codeWith({ ...env, GIT_INDEX_FILE: '/nowhere', GIT_EXTERNAL_DIFF: 'false' }, repo.dir)).toBeNull()
  })

  it('tells that a folder may not be read', async () => {
    const folder = tempDir('closed')
    mkdirSync(join(folder, 'repo', '.git'), { recursive: true })
    const answer = await runAs(folder, { open: join(folder, 'repo'), closed: [join(folder, 'repo', '.git')] })
    expect(answer.code).toBe('ERR_NO_PERMISSION')
    const whole = await runAs(folder, { open: join(folder, 'repo'), closed: [join(folder, 'repo')] })
    expect(whole.code).toBe('ERR_NO_PERMISSION')
  })

  it('keeps its databases in the app’s own data where the git folder cannot be written', async () => {
    const repo = stores.clean()
    const before = snapshot(repo.dir)
    const answer = await runAs(repo.dir, { open: repo.dir, readOnly: [repo.gitDir], inbox: true, approve: RUN })
    expect(answer.code).toBeNull()
    expect(answer.repository).toMatchObject({ readOnly: true })
    expect(answer.branches).toEqual([RUN])
    expect(answer.approveCode).toBe('ERR_READ_ONLY')
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
    expect(answer.homeFiles.some((name) => /^repositories\/[0-9a-f]{16}\/state\.db$/.test(name))).toBe(true)
  })
})
