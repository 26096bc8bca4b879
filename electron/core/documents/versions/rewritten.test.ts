import { afterEach, describe, expect, it } from 'vitest'
import { addCommits, buildRepo, copyRepo, type TestRepo } from '../../../../e2e/support/index.ts'
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
    { message: 'three', files: { 'a.md': 'three\n' } },
  ],
})

const NOW = new Date('2026-12-01T06:30:05Z')
const kept = (repo: TestRepo) =>
  repo.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/daybreak/versions').split('\n').filter(Boolean)

/** Whatever nothing names is gone after this, as if years had passed. */
function forget(repo: TestRepo): void {
  repo.git('reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all')
  repo.git('gc', '-q', '--prune=now')
}

describe('a number once handed out', () => {
  it('stays with its bytes when the commit is amended', async () => {
    const repo = copyRepo(base)
    const { head, numbers, versions } = await open(repo)
    const three = repo.git('rev-parse', 'main:a.md')
    expect(await head('a.md')).toBe('3')
    repo.write('a.md', 'amended\n')
    repo.git('commit', '-q', '--amend', '-a', '-m', 'three, amended')
    expect(await head('a.md')).toBe('4')
    expect(await numbers('a.md')).toEqual(['1', '2', '3 rewritten', '4'])
    expect((await versions.at('a.md', 3))?.oid).toBe(three)
    expect((await versions.at('a.md', 4))?.oid).toBe(repo.git('rev-parse', 'main:a.md'))
  })

  it('was never handed out where nobody asked: numbers are then given anew', async () => {
    const repo = copyRepo(base)
    const { head, numbers } = await open(repo)
    await head('b.md')
    repo.write('a.md', 'amended\n')
    repo.git('commit', '-q', '--amend', '-a', '-m', 'three, amended')
    expect(await head('a.md')).toBe('3')
    expect(await numbers('a.md')).toEqual(['1', '2', '3'])
  })

  it('is kept by the same bytes in a rebased commit', async () => {
    const repo = copyRepo(base)
    const { head, numbers, versions } = await open(repo)
    await head('a.md')
    addCommits(repo, [{ on: 'new-base', from: 'main', message: 'other', files: { 'c.md': 'c\n' } }])
    repo.git('update-ref', 'refs/heads/new-base', repo.git('commit-tree', '-m', 'root', `${repo.git('mktree')}`))
    repo.git('rebase', '-q', '--root', '--onto', 'new-base')
    expect(repo.git('log', '--oneline', 'main').split('\n')).toHaveLength(4)
    expect(await head('a.md')).toBe('3')
    expect(await numbers('a.md')).toEqual(['1', '2', '3'])
    expect((await versions.head('a.md'))?.commit).toBe(repo.oid('main'))
    repo.commit('four', { 'a.md': 'four\n' })
    expect(await head('a.md')).toBe('4')
  })

  it('is the head again when trunk is set back to it, and what is written then gets a number above all', async () => {
    const repo = copyRepo(base)
    const { head, numbers } = await open(repo)
    await head('a.md')
    repo.git('reset', '-q', '--hard', 'main~1')
    expect(await head('a.md')).toBe('2')
    expect(await numbers('a.md')).toEqual(['1', '2', '3 rewritten'])
    repo.commit('else', { 'a.md': 'else\n' })
    expect(await head('a.md')).toBe('4')
    repo.git('reset', '-q', '--hard', 'main~2')
    expect(await head('a.md')).toBe('1')
    repo.git('reset', '-q', '--hard', 'main@{1}')
    expect(await head('a.md')).toBe('4')
    expect(await numbers('a.md')).toEqual(['1', '2', '3 rewritten', '4'])
  })

  it('is not taken by a revert: that is a version of its own', async () => {
    const repo = copyRepo(base)
    const { head, versions } = await open(repo)
    await head('a.md')
    repo.git('revert', '--no-edit', 'HEAD')
    expect(await head('a.md')).toBe('4')
    expect((await versions.at('a.md', 4))?.oid).toBe((await versions.at('a.md', 2))?.oid)
  })

  it('can be read where trunk never had the document, as it is now', async () => {
    const repo = copyRepo(base)
    const { head, numbers, versions } = await open(repo)
    repo.commit('new', { 'new.md': 'new\n' })
    expect(await head('new.md')).toBe('1')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await head('new.md')).toBeNull()
    expect(await numbers('new.md')).toEqual(['1 rewritten'])
    expect(await versions.at('new.md', 1)).not.toBeNull()
    repo.commit('newer', { 'new.md': 'newer\n' })
    expect(await head('new.md')).toBe('2')
  })

  it('holds when the whole history is replaced, and for another trunk', async () => {
    const repo = copyRepo(base)
    const one = await open(repo)
    await one.head('a.md')
    const tree = repo.git('rev-parse', 'main^{tree}')
    repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', '-m', 'squashed', tree))
    expect(await one.head('a.md')).toBe('3')
    addCommits(repo, [{ on: 'trunk', from: null, message: 'else', files: { 'a.md': 'else\n' } }])
    one.context.state.write(() => one.context.state.db.prepare("INSERT INTO settings VALUES ('trunk', 'trunk')").run())
    expect(await one.head('a.md')).toBe('4')
    expect(await one.numbers('a.md')).toEqual(['1 rewritten', '2 rewritten', '3 rewritten', '4'])
  })

  it('holds where nothing was written meanwhile: the index does not matter', async () => {
    const repo = copyRepo(base)
    const one = await open(repo)
    await one.head('a.md')
    repo.write('a.md', 'amended\n')
    repo.git('commit', '-q', '--amend', '-a', '-m', 'three, amended')
    one.context.index.discard()
    expect(await one.head('a.md')).toBe('4')
  })
})

describe('what left trunk', () => {
  it('gets one ref with the next verb that writes, and outlives a gc', async () => {
    const repo = copyRepo(base)
    const { head, versions, context } = await open(repo)
    await head('a.md')
    const [left, blob] = [repo.oid('main'), repo.git('rev-parse', 'main:a.md')]
    repo.write('a.md', 'amended\n')
    repo.git('commit', '-q', '--amend', '-a', '-m', 'amended')
    await head('a.md')
    expect(kept(repo)).toEqual([])
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toEqual([`refs/daybreak/versions/20261201-063005-${left.slice(0, 10)} ${left}`])
    forget(repo)
    const facts = await versions.at('a.md', 3)
    expect(facts).toMatchObject({ commit: left, oid: blob })
    expect(repo.git('cat-file', 'blob', blob)).toBe('three')
  })

  it('is kept once, and nothing is where trunk only went on', async () => {
    const repo = copyRepo(base)
    const { head, versions, context, calls } = await open(repo)
    await head('a.md')
    await versions.keepRewritten(context.git, NOW)
    repo.commit('four', { 'a.md': 'four\n' })
    await head('a.md')
    calls.splice(0)
    await versions.keepRewritten(context.git, NOW)
    expect(calls).toEqual([])
    repo.git('reset', '-q', '--hard', 'HEAD~2')
    await head('a.md')
    await versions.keepRewritten(context.git, NOW)
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toHaveLength(1)
    // What the ref reaches already needs none of its own.
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    repo.commit('else', { 'a.md': 'else\n' })
    await head('a.md')
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toHaveLength(1)
  })

  it('is noticed by the verb that writes itself', async () => {
    const repo = copyRepo(base)
    const { head, versions, context } = await open(repo)
    await head('a.md')
    await versions.keepRewritten(context.git, NOW)
    const left = repo.oid('main')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toEqual([`refs/daybreak/versions/20261201-063005-${left.slice(0, 10)} ${left}`])
  })

  it('is found by what was handed out where the index is new', async () => {
    const repo = copyRepo(base)
    const one = await open(repo)
    await one.head('a.md')
    await one.versions.keepRewritten(one.context.git, NOW)
    const left = repo.oid('main')
    repo.git('reset', '-q', '--hard', 'HEAD~2')
    one.context.index.discard()
    expect(await one.head('a.md')).toBe('1')
    await one.versions.keepRewritten(one.context.git, NOW)
    expect(kept(repo)).toEqual([`refs/daybreak/versions/20261201-063005-${left.slice(0, 10)} ${left}`])
  })

  it('needs no ref where a merge brought trunk to another line that has it', async () => {
    const repo = copyRepo(base)
    const { head, versions, context } = await open(repo)
    await head('a.md')
    addCommits(repo, [{ on: 'side', from: 'main', message: 'side', files: { 'b.md': 'side\n' } }])
    repo.commit('on', { 'a.md': 'on\n' })
    expect(await head('a.md')).toBe('4')
    repo.git('checkout', '-q', 'side')
    repo.git('merge', '-q', '-m', 'merge main', 'main')
    repo.git('branch', '-f', 'main', 'side')
    repo.git('checkout', '-q', 'main')
    expect(await head('a.md')).toBe('4')
    expect(await head('b.md')).toBe('2')
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toEqual([])
  })

  it('does not stop anything where its objects are gone', async () => {
    const repo = copyRepo(base)
    const { head, versions, context } = await open(repo)
    await head('a.md')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    repo.commit('else', { 'a.md': 'else\n' })
    forget(repo)
    expect(await head('a.md')).toBe('4')
    await versions.keepRewritten(context.git, NOW)
    expect(kept(repo)).toEqual([])
    expect((await versions.at('a.md', 3))?.version).toBe(3)
  })
})
