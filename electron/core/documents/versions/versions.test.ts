import { rmSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  addCommits,
  buildRepo,
  copyRepo,
  snapshot,
  snapshotDiff,
  type TestRepo,
  tempDir,
} from '../../../../e2e/support/index.ts'
import { readLine } from '../../store/trunkIndex.ts'
import { type OpenedVersions, openVersions } from '../../testing/openVersions.ts'

const opened: OpenedVersions[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function open(repo: Pick<TestRepo, 'dir'>): Promise<OpenedVersions> {
  const one = await openVersions(repo)
  opened.push(one)
  return one
}

const base = buildRepo(undefined, {
  commits: [
    { message: 'one', files: { 'a.md': 'one\n', 'b.md': 'b\n' } },
    { message: 'two', files: { 'a.md': 'two\n' } },
    { message: 'other', files: { 'b.md': 'bb\n' } },
  ],
})

const logs = (calls: OpenedVersions['calls']) => calls.filter((args) => args[0] === 'log').length

describe('numbering', () => {
  it('counts the commits of anyone, from before and after the first look', async () => {
    const repo = copyRepo(base)
    const { versions, numbers } = await open(repo)
    const blob = (revision: string) => repo.git('rev-parse', revision)
    expect(await versions.head('a.md')).toEqual({
      version: 2,
      live: true,
      oid: blob('main:a.md'),
      mode: '100644',
      commit: repo.oid('main~1'),
      at: '2026-11-23T09:02:00.000Z',
    })
    expect((await versions.head('b.md'))?.version).toBe(2)
    expect(await versions.head('c.md')).toBeNull()
    const three = repo.commit('three', { 'a.md': 'three\n', 'c.md': 'c\n' })
    expect(await versions.head('a.md')).toMatchObject({ version: 3, commit: three })
    expect(await versions.head('c.md')).toMatchObject({ version: 1, commit: three })
    expect(await numbers('a.md')).toEqual(['1', '2', '3'])
    expect(await versions.at('a.md', 1)).toEqual({ version: 1, commit: repo.oid('main~3'), oid: blob('main~3:a.md') })
    expect(await versions.at('a.md', 4)).toBeNull()
    expect(await versions.at('nothing.md', 1)).toBeNull()
  })

  it('counts a merge as what it changed against its first parent, and only on trunk', async () => {
    const repo = copyRepo(base)
    const { head, numbers } = await open(repo)
    expect(await head('a.md')).toBe('2')
    addCommits(repo, [
      { on: 'side', from: 'main', message: 's1', files: { 'a.md': 's1\n' } },
      { on: 'side', message: 's2', files: { 'a.md': 's2\n', 'new.md': 'n\n' } },
    ])
    expect(await head('a.md')).toBe('2')
    repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'side')
    expect(await head('a.md')).toBe('3')
    expect(await numbers('new.md')).toEqual(['1'])
    const later = await open(repo)
    rmSync(later.context.index.file)
    expect(await (await open(repo)).numbers('a.md')).toEqual(['1', '2', '3'])
  })

  it('counts a deletion, goes on when the path is there again, and an empty body or a mode is a version', async () => {
    const repo = copyRepo(base)
    const { head, numbers, versions } = await open(repo)
    repo.commit('gone', { 'a.md': null })
    expect(await head('a.md')).toBe('3 gone')
    expect(await versions.head('a.md')).toMatchObject({ live: false, oid: null, mode: null })
    repo.commit('again', { 'a.md': '' })
    expect(await head('a.md')).toBe('4')
    repo.commit('mode', { 'a.md': { content: '', mode: '100755' } })
    expect(await versions.head('a.md')).toMatchObject({ version: 5, mode: '100755' })
    repo.git('mv', 'a.md', 'moved.md')
    repo.commit('rename')
    expect(await numbers('a.md')).toEqual(['1', '2', '3 gone', '4', '5', '6 gone'])
    expect(await numbers('moved.md')).toEqual(['1'])
  })

  it('takes a link, a folder or a submodule in the place of a document for its deletion', async () => {
    const repo = copyRepo(base)
    const { head, numbers } = await open(repo)
    repo.commit('link', { 'a.md': { symlink: 'b.md' }, link: { symlink: 'a.md' } })
    expect(await head('a.md')).toBe('3 gone')
    expect(await head('link')).toBeNull()
    repo.commit('other link', { 'a.md': { symlink: 'link' } })
    expect(await head('a.md')).toBe('3 gone')
    repo.commit('folder', { 'a.md': null, 'b.md': null })
    repo.commit('in it', { 'b.md/x': 'x\n' })
    expect(await head('b.md')).toBe('3 gone')
    expect(await head('b.md/x')).toBe('1')
    repo.commit('file', { 'b.md/x': null, 'a.md': 'file\n', link: null })
    repo.commit('file in the place of the link', { 'b.md': 'b again\n', link: 'text\n' })
    for (const one of [await open(repo), await open(copyRepo(repo))]) {
      rmSync(one.context.index.file, { force: true })
      expect(await one.numbers('a.md')).toEqual(['1', '2', '3 gone', '4'])
      expect(await one.numbers('b.md')).toEqual(['1', '2', '3 gone', '4'])
      expect(await one.numbers('link')).toEqual(['1'])
    }
    expect(await numbers('a.md')).toEqual(['1', '2', '3 gone', '4'])
  })

  it('is not led astray by what the repository configures about logs', async () => {
    const repo = copyRepo(base)
    repo.git('mv', 'a.md', 'moved.md')
    repo.commit('rename')
    for (const setting of [
      'log.follow=true',
      'log.showRoot=false',
      'log.diffMerges=off',
      'diff.renames=copies',
      'log.showSignature=true',
      'diff.ignoreSubmodules=all',
      'diff.relative=true',
      'log.excludeDecoration=x',
      'core.quotePath=true',
      'color.ui=always',
      'log.decorate=full',
      'format.pretty=oneline',
      'format.notes=true',
      'diff.orderFile=b.md',
    ])
      repo.git('config', ...(setting.split('=') as [string, string]))
    const { numbers } = await open(repo)
    expect(await numbers('moved.md')).toEqual(['1'])
    expect(await numbers('a.md')).toEqual(['1', '2', '3 gone'])
    repo.git('mv', 'moved.md', 'again.md')
    repo.commit('rename again')
    expect(await numbers('moved.md')).toEqual(['1', '2 gone'])
    expect(await numbers('again.md')).toEqual(['1'])
  })

  it('answers as of any commit of trunk', async () => {
    const repo = copyRepo(base)
    const { versions, calls } = await open(repo)
    await versions.head('a.md')
    repo.commit('three', { 'a.md': 'three\n' })
    expect((await versions.head('a.md'))?.version).toBe(3)
    const as = (revision: string) => versions.head('a.md', { branch: 'main', oid: repo.oid(revision) })
    calls.splice(0)
    expect((await as('main~1'))?.version).toBe(2)
    expect(logs(calls)).toBe(0)
    expect((await as('main~3'))?.version).toBe(1)
    expect((await as('main'))?.version).toBe(3)
  })
})

describe('reading', () => {
  it('asks git once for a path, and then only for what trunk got since', async () => {
    const repo = copyRepo(base)
    const { head, calls, versions } = await open(repo)
    calls.splice(0)
    await head('a.md')
    expect(logs(calls.splice(0))).toBe(1)
    await head('a.md')
    await versions.at('a.md', 1)
    await versions.all('a.md')
    expect(logs(calls.splice(0))).toBe(0)
    repo.commit('three', { 'a.md': 'three\n', 'b.md': 'bbb\n' })
    await head('a.md')
    await head('a.md')
    expect(logs(calls.splice(0))).toBe(1)
    const next = await open(repo)
    next.calls.splice(0)
    expect(await next.head('a.md')).toBe('3')
    expect(logs(next.calls)).toBe(0)
  })

  it('asks for nothing where a verb of ours said what it wrote', async () => {
    const repo = copyRepo(base)
    const { head, calls, versions, context } = await open(repo)
    await head('a.md')
    const from = repo.oid('main')
    const one = repo.commit('three', { 'a.md': 'three\n', 'x.md': 'x\n' })
    const two = repo.commit('four', { 'a.md': null })
    const oid = (path: string) => repo.git('rev-parse', `${one}:${path}`)
    const at = '2026-11-23T09:00:00.000Z'
    await versions.noteWritten(from, [
      { path: 'a.md', commit: one, oid: oid('a.md'), mode: '100644', at },
      { path: 'x.md', commit: one, oid: oid('x.md'), mode: '100644', at },
      { path: 'a.md', commit: two, oid: null, mode: null, at },
    ])
    calls.splice(0)
    expect(await head('a.md')).toBe('4 gone')
    expect(logs(calls)).toBe(0)
    expect(await head('x.md')).toBe('1')
    // Told of a tip that the index is not at, it changes nothing.
    await versions.noteWritten(from, [{ path: 'a.md', commit: one, oid: oid('a.md'), mode: '100644', at }])
    expect(readLine(context.index)?.tip).toBe(two)
    expect(await head('a.md')).toBe('4 gone')
  })

  it('writes nothing into the repository but the two databases', async () => {
    const repo = copyRepo(base)
    await (await open(repo)).head('a.md')
    repo.commit('three', { 'a.md': 'three\n' })
    repo.git('commit', '-q', '--amend', '-m', 'rewritten')
    const before = snapshot(repo.dir)
    const { head, numbers, versions } = await open(repo)
    await head('a.md')
    await numbers('b.md')
    await versions.at('a.md', 1)
    const changed = snapshotDiff(before, snapshot(repo.dir))
    expect(JSON.stringify(changed)).not.toMatch(/refs|logs|objects|HEAD|index"/)
  })

  it('keeps many versions of one document apart', async () => {
    const commits = Array.from({ length: 1200 }, (_, at) => ({ message: `c${at}`, files: { 'log.md': `${at}\n` } }))
    const repo = buildRepo(undefined, { commits: commits.slice(0, 1100) })
    const { head, numbers, versions } = await open(repo)
    expect(await head('log.md')).toBe('1100')
    addCommits(repo, commits.slice(1100))
    repo.git('reset', '-q', '--hard')
    expect(await head('log.md')).toBe('1200')
    expect(await numbers('log.md')).toEqual(commits.map((_, at) => String(at + 1)))
    expect((await versions.at('log.md', 700))?.oid).toBe(repo.git('rev-parse', 'main~500:log.md'))
    // More than is read at once, all of it new bytes.
    const [tip, tree] = [repo.oid('main~600'), repo.git('rev-parse', 'main^{tree}')]
    repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', '-p', tip, '-m', 'squashed', tree))
    expect(await head('log.md')).toBe('1200')
  })
})

describe('whatever the repository', () => {
  it('has no documents before the first commit, and then some', async () => {
    const repo = buildRepo(undefined, {})
    const { head, numbers } = await open(repo)
    expect(await head('a.md')).toBeNull()
    expect(await numbers('a.md')).toEqual([])
    repo.commit('first', { 'a.md': 'one\n' })
    expect(await head('a.md')).toBe('1')
  })

  it('reads a bare repository', async () => {
    const repo = buildRepo(undefined, { bare: true, commits: [{ message: 'one', files: { 'a.md': 'one\n' } }] })
    const { head } = await open(repo)
    expect(await head('a.md')).toBe('1')
    addCommits(repo, [{ message: 'two', files: { 'a.md': 'two\n' } }])
    expect(await head('a.md')).toBe('2')
  })

  it('reads a repository with SHA-256 names', async () => {
    const repo = copyRepo(base)
    const sha256 = tempDir('sha256')
    repo.git('init', '-q', '-b', 'main', '--object-format=sha256', sha256)
    const git = (...args: string[]) =>
      repo.git('-C', sha256, '-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args)
    git('commit', '-q', '--allow-empty', '-m', 'zero')
    git('--literal-pathspecs', 'read-tree', '--empty')
    const oid = git('hash-object', '-w', '--stdin')
    git('update-index', '--add', '--cacheinfo', `100644,${oid},deep/a.md`)
    git('commit', '-q', '-m', 'one')
    const { versions } = await open({ dir: sha256 })
    expect(await versions.head('deep/a.md')).toMatchObject({ version: 1, oid, commit: git('rev-parse', 'main') })
  })
})
