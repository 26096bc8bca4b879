import { describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import { buildRepo, type RepoSpec } from '../../../e2e/support/index.ts'
import { AppError } from '../../../shared/errors/index.ts'

const base = {
  message: 'Begin',
  files: { 'a.md': 'one\ntwo\n', 'b.md': 'b\n', 'gone.md': 'gone\n', 'index.html': 'list\n' },
}

async function failing(spec: RepoSpec, commitish = 'other') {
  const repo = buildRepo(undefined, spec)
  const before = remember(repo)
  const core = await openCore(repo)
  const error = await core.ask('branches.merge', { commitish }).catch((one: unknown) => one)
  expect(error).toBeInstanceOf(AppError)
  expect(repo.refs()).toEqual(before.refs)
  expectUntouched(repo, before)
  await core.close()
  return { repo, error: error as AppError<'ERR_WRITE_CONFLICT'> }
}

describe('merging a commit into trunk', () => {
  it('moves forward where trunk has nothing of its own, else makes a merge with parents trunk and the commit', async () => {
    const repo = buildRepo(undefined, {
      commits: [
        base,
        { message: 'Theirs', on: 'other', from: 'main', files: { 'c.md': 'c\n' } },
        { message: 'Ahead', on: 'ahead', from: 'main', files: { 'd.md': 'd\n' } },
      ],
    })
    const core = await openCore(repo)
    const [from, ahead, other] = [repo.oid('main'), repo.oid('ahead'), repo.oid('other')]
    expect(await core.ask('branches.merge', { commitish: 'ahead' })).toEqual({
      into: 'main',
      from,
      to: ahead,
      upToDate: false,
      fastForward: true,
    })
    const merged = await core.ask('branches.merge', { commitish: 'other' })
    expect(merged).toMatchObject({ from: ahead, fastForward: false, to: repo.oid('main') })
    expect(repo.git('rev-list', '--parents', '-n1', 'main').split(' ').slice(1)).toEqual([ahead, other])
    expect(repo.read('c.md').toString()).toBe('c\n')
    expect(repo.status()).toBe('')
    expect(await core.ask('branches.merge', { commitish: 'other' })).toMatchObject({ upToDate: true })
    await core.close()
  })

  it('20, 23: a collision names every path with both blobs, and changes nothing', async () => {
    const { repo, error } = await failing({
      commits: [
        base,
        { message: 'Theirs', on: 'other', from: 'main', files: { 'a.md': 'ONE\ntwo\n', 'b.md': 'B\n' } },
        { message: 'Ours', files: { 'a.md': 'uno\ntwo\n', 'b.md': 'bb\n' } },
      ],
    })
    const blob = (at: string) => repo.git('rev-parse', at)
    expect(error).toMatchObject({
      code: 'ERR_WRITE_CONFLICT',
      data: {
        into: 'main',
        commit: 'other',
        conflicts: [
          { path: 'a.md', ours: blob('main:a.md'), theirs: blob('other:a.md') },
          { path: 'b.md', ours: blob('main:b.md'), theirs: blob('other:b.md') },
        ],
      },
    })
    expect(error.toWire().suggestions[0]).toMatchObject({ shell: 'daybreak fetch a.md' })
  })

  it('21: add/add names both, with no base', async () => {
    const { repo, error } = await failing({
      commits: [
        base,
        { message: 'Theirs', on: 'other', from: 'main', files: { 'new.md': 'theirs\n' } },
        { message: 'Ours', files: { 'new.md': 'ours\n' } },
      ],
    })
    const conflict = {
      path: 'new.md',
      ours: repo.git('rev-parse', 'main:new.md'),
      theirs: repo.git('rev-parse', 'other:new.md'),
    }
    expect(error.data.conflicts).toEqual([conflict])
  })

  it('22: an absent side is empty', async () => {
    const { repo, error } = await failing({
      commits: [
        base,
        { message: 'Theirs', on: 'other', from: 'main', files: { 'gone.md': 'changed\n' } },
        { message: 'Ours', files: { 'gone.md': null } },
      ],
    })
    expect(error.data.conflicts).toEqual([
      { path: 'gone.md', ours: '', theirs: repo.git('rev-parse', 'other:gone.md') },
    ])
  })

  it('24: a generated list keeps ours only where the driver is configured; a memory is not silenced', async () => {
    const both = (ours: string, theirs: string): RepoSpec['commits'] => [
      { message: 'Begin', files: { ...base.files, '.gitattributes': 'index.html merge=ours\n', 'm.html': 'm\n' } },
      { message: 'Theirs', on: 'other', from: 'main', files: { 'index.html': theirs, 'm.html': 'theirs\n' } },
      { message: 'Ours', files: { 'index.html': ours, 'm.html': 'ours\n' } },
    ]
    const commits = both('our list\n', 'their list\n') ?? []
    const plain = await failing({ commits })
    expect(plain.error.data.conflicts.map((one) => one.path)).toEqual(['index.html', 'm.html'])
    const driven = await failing({ commits, config: '[merge "ours"]\n\tdriver = true\n' })
    expect(driven.error.data.conflicts.map((one) => one.path)).toEqual(['m.html'])
  })

  it('tells a commit or a branch that is not there', async () => {
    const { error } = await failing({ commits: [base] }, 'nothing')
    expect(error.code).toBe('ERR_NO_SUCH_COMMIT')
  })
})
