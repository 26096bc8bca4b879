import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './git.ts'
import { RUN } from './night.ts'
import { buildRepo, openTestRepo, type TestRepo } from './repo.ts'
import { buildStore } from './store.ts'
import { tempDir } from './temp.ts'

/** Repositories by how they lie on disk and what HEAD is. Each takes a folder, default a fresh one. */
export const layouts = {
  plain: (dir?: string): TestRepo => buildStore(dir),
  bare: (dir?: string): TestRepo => buildStore(dir, { bare: true }),
  /** A linked worktree of a store, on its own branch; `main` is the repository it belongs to. */
  linkedWorktree: (dir = tempDir('linked')): TestRepo & { readonly main: TestRepo } => {
    const main = buildStore(join(dir, 'main'))
    main.git('branch', 'side', 'main')
    main.git('worktree', 'add', '-q', join(dir, 'side'), 'side')
    return { ...openTestRepo(join(dir, 'side')), main }
  },
  /** A bare repository whose linked worktree holds main. */
  bareWithWorktree: (dir = tempDir('bare-linked')): TestRepo & { readonly main: TestRepo } => {
    const main = buildStore(join(dir, 'store.git'), { bare: true })
    main.git('worktree', 'add', '-q', join(dir, 'tree'), 'main')
    return { ...openTestRepo(join(dir, 'tree')), main }
  },
  detached: (dir?: string): TestRepo => buildStore(dir, { head: { detached: 'main' } }),
  unborn: (dir?: string): TestRepo => buildRepo(dir, {}),
  /** `.git` is a file that names a folder elsewhere. */
  gitFile: (dir = tempDir('git-file')): TestRepo => {
    const repo = buildStore(join(dir, 'tree'))
    renameSync(join(repo.dir, '.git'), join(dir, 'elsewhere.git'))
    writeFileSync(join(repo.dir, '.git'), `gitdir: ${join(dir, 'elsewhere.git')}\n`)
    return openTestRepo(repo.dir)
  },
  /** Trunk is named `trunk` and nothing says so but origin/HEAD. */
  otherTrunk: (dir?: string): TestRepo => {
    const repo = buildRepo(dir, {
      commits: [
        { on: 'trunk', from: null, message: 'Base', files: { 'a.md': 'one\n' } },
        { on: RUN, from: 'trunk', message: 'Night', files: { 'a.md': 'two\n' } },
      ],
      refs: { 'refs/remotes/origin/trunk': 'trunk' },
      head: 'trunk',
    })
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk')
    return repo
  },
  /** A submodule that is checked out, inside a plain repository. */
  withSubmodule: (dir = tempDir('submodule')): TestRepo => {
    const inner = buildRepo(join(dir, 'inner'), { commits: [{ message: 'Inner', files: { 'x.txt': 'x\n' } }] })
    const outer = buildStore(join(dir, 'outer'))
    git(outer.dir, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.dir, 'lib'])
    git(outer.dir, ['commit', '-q', '-m', 'Add lib'])
    return outer
  },
  /** Not a repository at all. */
  plainFolder: (dir = tempDir('no-repo')): string => {
    mkdirSync(join(dir, 'inside'), { recursive: true })
    writeFileSync(join(dir, 'inside', 'a.txt'), 'text\n')
    return dir
  },
  /** The sleep branch names a tree whose blobs are gone. */
  lostObjects: (dir?: string): TestRepo => {
    const repo = buildStore(dir)
    const blob = repo.git('rev-parse', `${RUN}:resources/infra/connection-pool.html`)
    const file = join(repo.gitDir, 'objects', blob.slice(0, 2), blob.slice(2))
    chmodSync(file, 0o644)
    renameSync(file, join(tempDir('lost'), 'blob'))
    return repo
  },
} as const
