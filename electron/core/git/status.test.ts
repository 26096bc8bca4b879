import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRepo, contents, ODD_PATHS, snapshot, snapshotDiff } from '../../../e2e/support/index.ts'
import { createGit } from './process.ts'
import { readStatus } from './status.ts'

const gitIn = (cwd: string) => createGit({ cwd, env: process.env })

describe('readStatus', () => {
  it('tells staged, unstaged, deleted, untracked and both', async () => {
    const files = { both: '1\n', deleted: '1\n', staged: '1\n', unstaged: '1\n', same: '1\n' }
    const repo = buildRepo(undefined, { commits: [{ message: 'Base', files }] })
    for (const path of ['both', 'staged']) repo.write(path, '2\n')
    repo.git('add', '-A')
    for (const path of ['both', 'unstaged']) repo.write(path, '3\n')
    repo.write('deleted', null)
    repo.write('new folder/new file', 'x')
    const entries = await readStatus(gitIn(repo.dir))
    const shown = entries.map((e) => [e.path, e.kind, e.staged, e.unstaged, e.deleted])
    expect(shown.sort()).toEqual([
      ['both', 'changed', true, true, false],
      ['deleted', 'changed', false, true, true],
      ['new folder/new file', 'untracked', false, true, false],
      ['staged', 'changed', true, false, false],
      ['unstaged', 'changed', false, true, false],
    ])
  })

  it('carries odd paths through byte for byte', async () => {
    const repo = contents.oddPathsCreated()
    for (const path of ODD_PATHS) repo.write(path, 'local\n')
    const entries = await readStatus(gitIn(repo.dir))
    expect(entries.map((e) => e.path).sort()).toEqual([...ODD_PATHS].sort())
  })

  it('tells unmerged paths', async () => {
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { a: 'one\n' }, label: 'base' },
        { on: 'side', from: 'base', message: 'Side', files: { a: 'two\n' } },
        { on: 'main', message: 'Main', files: { a: 'three\n' } },
      ],
    })
    repo.code('merge', 'side')
    expect(await readStatus(gitIn(repo.dir))).toMatchObject([{ path: 'a', kind: 'unmerged' }])
  })

  it('does not write an index whose time stamps are stale', async () => {
    const repo = buildRepo(undefined, { commits: [{ message: 'Base', files: { a: 'one\n' } }] })
    utimesSync(join(repo.dir, 'a'), 1000, 1000)
    const before = snapshot(repo.dir)
    expect(await readStatus(gitIn(repo.dir))).toEqual([])
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
})
