import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRepo, layouts, type TestRepo, tempDir } from '../../../e2e/support/index.ts'
import { createGit } from './process.ts'
import { holdersOf, readWorktrees } from './worktrees.ts'

const list = (repo: TestRepo, commonDir = repo.gitDir) =>
  readWorktrees(createGit({ cwd: repo.dir, env: process.env }), commonDir)

const conflicting = () =>
  buildRepo(undefined, {
    commits: [
      { message: 'Base', files: { a: 'one\n' }, label: 'base' },
      { on: 'side', from: 'base', message: 'Side', files: { a: 'two\n' } },
      { on: 'main', message: 'Main', files: { a: 'three\n' } },
    ],
  })

describe('readWorktrees', () => {
  it('tells the main worktree and its branch', async () => {
    const repo = conflicting()
    const [main, ...rest] = await list(repo)
    expect(rest).toEqual([])
    expect(main).toMatchObject({ path: repo.dir, gitDir: repo.gitDir, branch: 'main', main: true, bare: false })
  })

  it('finds the git folder of a linked worktree, also with a newline in its path', async () => {
    const repo = conflicting()
    const folder = join(tempDir('linked'), 'odd\nname -> x')
    repo.git('worktree', 'add', '-q', folder, 'side')
    const linked = (await list(repo))[1]
    expect(linked).toMatchObject({ path: folder, branch: 'side', main: false, missing: false })
    expect(linked?.gitDir).toMatch(/\.git\/worktrees\/[^/]+$/)
  })

  it('counts a branch in the middle of a rebase as held', async () => {
    const repo = conflicting()
    const folder = join(tempDir('rebasing'), 'tree')
    repo.git('worktree', 'add', '-q', folder, 'side')
    expect(createGitExit(repo, folder)).not.toBe(0)
    const worktrees = await list(repo)
    expect(worktrees[1]).toMatchObject({ branch: null, claims: ['side'] })
    expect(holdersOf(worktrees, 'side').map((one) => one.path)).toEqual([folder])
    expect(holdersOf(worktrees, 'main').map((one) => one.path)).toEqual([repo.dir])
  })

  it('lists every worktree that holds one branch', async () => {
    const repo = conflicting()
    const folder = join(tempDir('twice'), 'tree')
    repo.git('worktree', 'add', '-q', '--force', folder, 'main')
    expect(holdersOf(await list(repo), 'main').map((one) => one.path)).toEqual([repo.dir, folder])
  })

  it('does not count the own entry of a bare repository, but its linked worktrees', async () => {
    const tree = layouts.bareWithWorktree()
    const worktrees = await list(tree, tree.main.gitDir)
    expect(worktrees[0]).toMatchObject({ bare: true, main: true })
    expect(holdersOf(worktrees, 'main').map((one) => one.path)).toEqual([tree.dir])
  })

  it('tells a worktree whose folder is gone', async () => {
    const repo = conflicting()
    const folder = join(tempDir('gone'), 'tree')
    repo.git('worktree', 'add', '-q', folder, 'side')
    rmSync(folder, { recursive: true })
    expect((await list(repo))[1]).toMatchObject({ missing: true, gitDir: null, branch: 'side' })
  })
})

const createGitExit = (repo: TestRepo, folder: string) => repo.code('-C', folder, 'rebase', '-q', 'main')
