import { appendFileSync, copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git } from '../../../e2e/support/git.ts'
import { buildRepo, type TestRepo, tempDir } from '../../../e2e/support/index.ts'
import { createConfigReader } from './configReader.ts'
import { readConfig } from './drivers.ts'
import { createObjectReader } from './objects.ts'
import { createGit } from './process.ts'
import { readRefFiles } from './refFiles.ts'
import { readRefs, readRefsQuickly } from './refs.ts'
import { createRefMover } from './refTransaction.ts'
import { touchedPaths } from './touched.ts'
import { diffTrees } from './treeDiff.ts'
import { certainlyUntouched } from './untouched.ts'
import { readHolders, readWorktrees } from './worktrees.ts'

/** What is told without a process of git's own must be what git tells. */
const gitIn = (repo: TestRepo) => createGit({ cwd: repo.dir, env: process.env })
const one = (files: Readonly<Record<string, string>> = { 'a.md': 'a\n', 'b/c.md': 'c\n' }) =>
  buildRepo(undefined, { commits: [{ message: 'Begin', files }] })

/** Times of long ago, so that nothing is too young to be believed. */
const OLD = new Date('2020-01-01T00:00:00Z')
function settle(repo: TestRepo): void {
  for (const path of ['a.md', 'b/c.md']) utimesSync(join(repo.dir, path), OLD, OLD)
  repo.git('update-index', '-q', '--refresh')
}

describe('certainlyUntouched', () => {
  const touched = (repo: TestRepo, path: string, known = true) => {
    const [mode = '', oid = ''] = (repo.git('ls-tree', 'main', '--', path) || '100644 blob 0').split(/\s+/)
    const entry = { mode, oid: known ? repo.git('rev-parse', `main:${path}`) : oid }
    return { path, old: known ? entry : null, new: { mode: '100644', oid: '1'.repeat(40) } }
  }
  const changed: [what: string, change: (repo: TestRepo) => void, path?: string][] = [
    ['other bytes', (repo) => appendFileSync(join(repo.dir, 'a.md'), 'more\n')],
    ['the same bytes at another time', (repo) => utimesSync(join(repo.dir, 'a.md'), new Date(), new Date())],
    ['a file that is gone', (repo) => rmSync(join(repo.dir, 'a.md'))],
    [
      'a staged change',
      (repo) => repo.git('update-index', '--cacheinfo', `100644,${repo.git('rev-parse', 'main:b/c.md')},a.md`),
    ],
    ['a flag that hides it', (repo) => repo.git('update-index', '--assume-unchanged', 'a.md')],
    ['a flag that leaves it out', (repo) => repo.git('update-index', '--skip-worktree', 'a.md')],
    ['an index in another format', (repo) => repo.git('update-index', '--index-version', '4')],
    ['a split index', (repo) => repo.git('update-index', '--split-index')],
    ['a sparse index', (repo) => repo.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'x')],
    [
      'a conflict elsewhere',
      (repo) =>
        git(repo.dir, ['update-index', '--index-info'], {
          input: `100644 ${repo.git('rev-parse', 'main:a.md')} 2\tz.md\n`,
        }),
    ],
    ['a new path with a file there', (repo) => writeFileSync(join(repo.dir, 'new.md'), 'mine\n'), 'new.md'],
    [
      'a new path that was staged',
      (repo) => repo.git('update-index', '--add', '--cacheinfo', `100644,${repo.git('rev-parse', 'main:a.md')},new.md`),
      'new.md',
    ],
    ['a new path behind a link', (repo) => symlinkSync(tempDir('away'), join(repo.dir, 'folder')), 'folder/new.md'],
  ]
  const ask = (repo: TestRepo, path: string) => {
    const copy = join(tempDir('index'), 'index')
    copyFileSync(join(repo.gitDir, 'index'), copy)
    const known = repo.code('cat-file', '-e', `main:${path}`) === 0
    return certainlyUntouched(repo.dir, copy, [touched(repo, path, known)])
  }

  it('says yes to a file as it was checked out and to a path that nothing is at', () => {
    const repo = one()
    settle(repo)
    expect([ask(repo, 'a.md'), ask(repo, 'b/c.md'), ask(repo, 'new.md'), ask(repo, 'x/y/new.md')]).toEqual(
      Array(4).fill(true),
    )
  })

  it.each(changed)('leaves %s to git', (_, change, path = 'a.md') => {
    const repo = one()
    settle(repo)
    change(repo)
    expect(ask(repo, path)).toBe(false)
  })

  it('leaves a file as young as its index to git', () => {
    const repo = one()
    settle(repo)
    const copy = join(tempDir('index'), 'index')
    copyFileSync(join(repo.gitDir, 'index'), copy)
    utimesSync(copy, OLD, OLD)
    expect(certainlyUntouched(repo.dir, copy, [touched(repo, 'a.md')])).toBe(false)
  })
})

describe('diffTrees', () => {
  it('tells what git tells, also where a file becomes a folder and where modes change', async () => {
    const repo = one({ 'a.md': 'a\n', 'a.b': 'x\n', 'd/e/f.md': 'f\n', 'd/g.md': 'g\n', 'h/i.md': 'i\n' })
    const [from] = [repo.oid('main')]
    rmSync(join(repo.dir, 'd/e'), { recursive: true })
    rmSync(join(repo.dir, 'a.md'))
    mkdirSync(join(repo.dir, 'a.md'))
    for (const path of ['d/e', 'a.md/x', 'a.md/y', 'h/j \u{1f600}']) writeFileSync(join(repo.dir, path), `${path}\n`)
    repo.git('add', '-A')
    repo.git('update-index', '--chmod=+x', 'd/g.md')
    repo.git('commit', '-q', '-m', 'Change')
    const asked = gitIn(repo)
    const objects = createObjectReader(asked)
    const wanted = await touchedPaths(asked, from as string, `${repo.oid('main')}^0`)
    expect(wanted).toHaveLength(7)
    expect(await diffTrees(objects, from as string, repo.oid('main'))).toEqual(wanted)
    objects.close()
  })
})

describe('readRefsQuickly', () => {
  it('tells what git tells of loose, packed, overridden and symbolic refs', async () => {
    const repo = one()
    repo.git('branch', 'packed')
    repo.git('branch', 'both')
    repo.git('update-ref', 'refs/remotes/origin/main', 'main')
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main')
    repo.git('pack-refs', '--all')
    repo.git('commit', '-q', '--allow-empty', '-m', 'Next')
    repo.git('update-ref', 'refs/heads/both', 'main')
    repo.git('branch', 'deep/er/loose')
    writeFileSync(join(repo.gitDir, 'refs/heads/both.lock'), '')
    const place = { commonDir: repo.gitDir, gitDir: repo.gitDir }
    expect(readRefFiles(repo.gitDir, repo.gitDir)).not.toBeNull()
    // In git's order, loose and packed ones: who asks for the first of several takes git's first.
    for (const name of ['z', 'infra/pg17', 'rebase', 'infra/a']) repo.git('update-ref', `refs/heads/${name}`, 'main')
    repo.git('pack-refs', '--all')
    for (const name of ['m/x', 'b', 'infra-b']) repo.git('update-ref', `refs/heads/${name}`, 'main')
    const names = [...(await readRefs(gitIn(repo))).refs.keys()]
    expect([...(readRefFiles(repo.gitDir, repo.gitDir)?.refs.keys() ?? [])]).toEqual(names)
    for (const act of [() => {}, () => repo.git('branch', '-D', 'packed'), () => repo.git('pack-refs', '--all')]) {
      act()
      expect(await readRefsQuickly(gitIn(repo), place)).toEqual(await readRefs(gitIn(repo)))
    }
    for (const ref of ['refs/heads/\u{e4}', 'refs/heads/x,y']) {
      repo.git('update-ref', ref, 'main')
      expect(readRefFiles(repo.gitDir, repo.gitDir)).toBeNull()
      expect(await readRefsQuickly(gitIn(repo), place)).toEqual(await readRefs(gitIn(repo)))
    }
  })
})

describe('what is kept between two looks', () => {
  it('is read again once a worktree came, moved its HEAD or went', async () => {
    const repo = one()
    const asked = gitIn(repo)
    const folder = join(tempDir('linked'), 'tree')
    const acts = [
      () => {},
      () => repo.git('worktree', 'add', '-q', '-b', 'side', folder),
      () => repo.git('-C', folder, 'checkout', '-q', '-b', 'other'),
      () => repo.git('worktree', 'lock', folder),
      () => repo.git('symbolic-ref', 'HEAD', 'refs/heads/side'),
      () => repo.git('checkout', '-q', '--detach'),
      () => rmSync(folder, { recursive: true }),
      () => repo.git('config', 'core.bare', 'true'),
    ]
    for (const act of acts) {
      act()
      const wanted = (await readWorktrees(asked, repo.gitDir)).map((tree) => ({ ...tree, head: null }))
      for (let look = 0; look < 2; look++) expect(await readHolders(asked, repo.gitDir)).toEqual(wanted)
    }
  })

  it('is read again once the configuration changed', async () => {
    const repo = one()
    const asked = gitIn(repo)
    // Seen from later on, so that no file is too young to be believed.
    const later = () => Date.now() + 60_000
    const read = createConfigReader(asked, { commonDir: repo.gitDir, gitDir: repo.gitDir }, later)
    const more = join(tempDir('config'), 'more')
    for (const act of [
      () => {},
      () => repo.git('config', 'filter.x.clean', 'cat'),
      () => repo.git('config', 'include.path', more),
      () => writeFileSync(more, '[filter "x"]\n\tsmudge = cat\n'),
    ]) {
      act()
      for (let look = 0; look < 2; look++) expect(await read()).toEqual(await readConfig(asked))
    }
  })
})

describe('createRefMover', () => {
  it('moves ref after ref in one process, and after a refusal goes on in another', async () => {
    const repo = one()
    const mover = createRefMover(gitIn(repo))
    const [old, tree] = [repo.oid('main'), repo.git('rev-parse', 'main^{tree}')]
    const next = repo.git('commit-tree', '-p', old, '-m', 'Next', tree)
    const pids: number[] = []
    const move = async (from: string, to: string, end: 'commit' | 'abort' = 'commit') => {
      const answer = await mover.prepare([{ ref: 'refs/heads/main', old: from, new: to }], 'test', '', (pid) =>
        pids.push(pid),
      )
      return answer.prepared && answer.refs[end]()
    }
    expect([await move(old, next), await move(next, old, 'abort'), await move(next, old)]).toEqual([true, true, true])
    expect(new Set(pids).size).toBe(1)
    expect([await move(next, old), await move(old, next)]).toEqual([false, true])
    expect(new Set(pids).size).toBe(2)
    expect(repo.oid('main')).toBe(next)
    mover.close()
  })
})
