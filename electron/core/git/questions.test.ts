import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRepo, snapshot, snapshotDiff, type TestRepo, tempDir } from '../../../e2e/support/index.ts'
import { isAppError } from '../../../shared/errors/index.ts'
import { readLog, trailerValues } from './log.ts'
import { countCommits, isAncestor, mergeBase } from './mergeBase.ts'
import { mergeTree } from './mergeTree.ts'
import { ongoingOperation, readOperation } from './operationState.ts'
import { createGit } from './process.ts'
import { readRefs, resolveCommit } from './refs.ts'
import { isAtLeast, parseGitVersion } from './version.ts'

const gitIn = (repo: TestRepo) => createGit({ cwd: repo.dir, env: process.env })

const two = (spec: { ours: Record<string, string | null>; theirs: Record<string, string | null> }) =>
  buildRepo(undefined, {
    commits: [
      { message: 'Base', files: { a: 'one\n', b: 'one\n' }, label: 'base' },
      { on: 'side', from: 'base', message: 'Side', files: spec.theirs },
      { on: 'main', message: 'Main', files: spec.ours },
      { on: 'alone', from: null, message: 'Alone', files: { z: 'z\n' } },
    ],
  })

describe('the version', () => {
  it('is read from what each vendor prints', () => {
    expect(parseGitVersion('git version 2.39.5 (Apple Git-154)')).toMatchObject({ major: 2, minor: 39, text: '2.39.5' })
    expect(parseGitVersion('git version 2.45.1.windows.1')).toMatchObject({ major: 2, minor: 45 })
    expect(parseGitVersion('hub version 1')).toBeNull()
  })
  it('is compared by number, not by text', () => {
    const at = (text: string) =>
      parseGitVersion(`git version ${text}`) as NonNullable<ReturnType<typeof parseGitVersion>>
    expect(isAtLeast(at('2.38.0'), 2, 38)).toBe(true)
    expect(isAtLeast(at('2.9.0'), 2, 38)).toBe(false)
    expect(isAtLeast(at('3.0.0'), 2, 38)).toBe(true)
  })
})

describe('ancestry', () => {
  it('tells the merge base, ancestors and counts, and null where there is no common one', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: { b: 'two\n' } })
    const git = gitIn(repo)
    const base = repo.oid('main^')
    expect(await mergeBase(git, 'main', 'side')).toBe(base)
    expect(await mergeBase(git, 'main', 'alone')).toBeNull()
    expect(await isAncestor(git, base, 'side')).toBe(true)
    expect(await isAncestor(git, 'main', 'side')).toBe(false)
    expect(await countCommits(git, base, 'side')).toBe(1)
    expect(await countCommits(git, null, 'side')).toBe(2)
  })
})

describe('readRefs', () => {
  it('lists a branch whose commit is gone, and resolves it to nothing', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: {} })
    const lost = 'b'.repeat(40)
    repo.write('.git/refs/heads/sleep/lost', `${lost}\n`)
    const snapshot = await readRefs(gitIn(repo))
    expect(snapshot.refs.get('refs/heads/sleep/lost')).toBe(lost)
    expect(snapshot.refs.get('refs/heads/main')).toBe(repo.oid('main'))
    expect(await resolveCommit(gitIn(repo), 'refs/heads/sleep/lost')).toBeNull()
  })
})

describe('mergeTree', () => {
  it('merges cleanly', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: { b: 'two\n' } })
    const merged = await mergeTree(gitIn(repo), 'main', 'side')
    expect(merged.conflicts.size).toBe(0)
    expect(repo.git('ls-tree', '--name-only', merged.tree).split('\n')).toEqual(['a', 'b'])
  })

  it('names the conflicted paths with their stages and git’s stable types', async () => {
    const repo = two({ ours: { a: 'two\n', b: null }, theirs: { a: 'three\n', b: 'two\n' } })
    const merged = await mergeTree(gitIn(repo), 'main', 'side')
    expect([...merged.conflicts].map(([path, stages]) => [path, stages.map((s) => s.stage)])).toEqual([
      ['a', [1, 2, 3]],
      ['b', [1, 3]],
    ])
    expect(merged.messages.map((m) => m.type)).toContain('CONFLICT (modify/delete)')
  })

  it('fails for a commit that is not there', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: {} })
    const failure = await mergeTree(gitIn(repo), 'main', 'c'.repeat(40)).catch((error: unknown) => error)
    expect(isAppError(failure, 'ERR_GIT')).toBe(true)
  })

  it('writes nothing into the repository when its objects go elsewhere', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: { b: 'two\n' } })
    const folder = join(tempDir('scratch "odd" folder'), 'objects')
    mkdirSync(folder)
    const before = snapshot(repo.dir)
    const merged = await mergeTree(gitIn(repo), 'main', 'side', { scratch: { folder, commonDir: repo.gitDir } })
    expect(merged.conflicts.size).toBe(0)
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
})

describe('operations under way', () => {
  const conflicted = () => two({ ours: { a: 'two\n' }, theirs: { a: 'three\n' } })
  it.each([
    ['merge', ['merge', 'side'], 'merge'],
    ['rebase', ['rebase', 'side'], 'rebase'],
    ['cherry-pick', ['cherry-pick', 'side'], 'cherry-pick'],
    ['revert', ['revert', '--no-edit', 'main^'], 'revert'],
    ['bisect', ['bisect', 'start', 'main', 'main^'], 'bisect'],
  ] as const)('tells a %s', async (_name, command, expected) => {
    const repo = conflicted()
    repo.code(...command)
    expect(ongoingOperation(repo.gitDir)).toBe(expected)
  })

  it('tells an am, an unmerged index, and nothing', async () => {
    const repo = conflicted()
    expect(await readOperation(gitIn(repo), repo.gitDir)).toBeNull()
    const patch = repo.git('format-patch', '-1', '--stdout', 'side')
    repo.write('.git/p.patch', `${patch}\n`)
    repo.code('am', '.git/p.patch')
    expect(ongoingOperation(repo.gitDir)).toBe('am')
    repo.git('am', '--abort')
    repo.code('merge', 'side')
    repo.write('.git/MERGE_HEAD', null)
    expect(await readOperation(gitIn(repo), repo.gitDir)).toBe('unmerged-index')
  })
})

describe('readLog', () => {
  it('reads messages, authors and trailers, and is not led astray by odd text', async () => {
    const message = 'Subject\n\nBody line\n\nMemhtml-Phase: integrity\nMemhtml-Counts: {"a":1}\n'
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { a: '1\n' } },
        { message, files: { a: '2\n' } },
        { message: 'Memhtml-Phase: integrity', files: { a: '3\n' } },
      ],
    })
    const [newest, second] = await readLog(gitIn(repo), repo.oid('main~2'), 'main')
    expect(newest).toMatchObject({ oid: repo.oid('main'), subject: 'Memhtml-Phase: integrity', trailers: [] })
    expect(second?.body).toContain('Body line')
    expect(trailerValues(second as NonNullable<typeof second>, 'memhtml-phase')).toEqual(['integrity'])
    expect(second?.parents).toEqual([repo.oid('main~2')])
  })

  it('gives all of a history where there is no base', async () => {
    const repo = two({ ours: { a: 'two\n' }, theirs: {} })
    expect((await readLog(gitIn(repo), null, 'main')).map((c) => c.subject)).toEqual(['Main', 'Base'])
    expect(await readLog(gitIn(repo), 'main', 'main')).toEqual([])
  })
})
