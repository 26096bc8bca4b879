import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCore } from '../../../../e2e/support/core.ts'
import {
  buildBothDeleted,
  buildConflict,
  buildRerere,
  buildSparse,
  type ConflictRepo,
  snapshot,
  snapshotDiff,
  tempDir,
} from '../../../../e2e/support/index.ts'
import type { ConflictSet } from '../../../../shared/model/index.ts'

async function setsOf(repo: Pick<ConflictRepo, 'dir'>): Promise<readonly ConflictSet[]> {
  const opened = await openCore(repo)
  try {
    return (await opened.ask('conflicts.list', {})).sets
  } finally {
    await opened.close()
  }
}

async function setOf(repo: Pick<ConflictRepo, 'dir'>): Promise<ConflictSet> {
  const sets = await setsOf(repo)
  expect(sets).toHaveLength(1)
  return sets[0] as ConflictSet
}

const MORE = { before: [{ 'x.md': 'x\n' }], after: [{ 'z.md': 'z\n' }] }

describe('what git is stopped in', () => {
  it('knows the sides of a merge, in a linked worktree of a bare repository', async () => {
    const repo = buildConflict('text', { where: 'bare' })
    const set = await setOf(repo.main)
    expect(set).toMatchObject({
      source: { from: 'worktree', worktree: repo.dir },
      operation: 'merge',
      title: 'Merging infra/pg17 into main',
      ours: { name: 'planner', branch: 'main', oid: repo.commits.ours, subject: 'Move main on' },
      theirs: { name: 'researcher', branch: 'infra/pg17', oid: repo.commits.theirs, subject: 'Write the side' },
      baseLabel: `the version before both, ${repo.commits.base.slice(0, 7)}`,
      step: null,
      proceed: { able: false, why: '1 file is not resolved yet.', label: 'Commit the merge' },
      abort: { able: true },
    })
    expect(set.ours.at).toMatch(/^2026-11-23T/)
  })

  it('names the branch rebased onto as ours and the picked commit as theirs, with its step, in a linked worktree', async () => {
    const repo = buildConflict('text', { operation: 'rebase', where: 'linked', ...MORE })
    repo.main.git('branch', 'also-there', 'main')
    const set = await setOf(repo.main)
    expect(set).toMatchObject({
      operation: 'rebase',
      title: 'Rebasing infra/pg17 onto main',
      ours: { name: 'planner', branch: 'main', oid: repo.commits.ours },
      theirs: { name: 'researcher', branch: 'infra/pg17', oid: repo.commits.theirs, subject: 'Write the side' },
      step: { at: 3, of: 4 },
    })
    const ours = set.items[0]?.stages.find((one) => one.stage === 2)
    expect(ours?.oid).toBe(repo.main.git('rev-parse', 'main:notes.md'))
  })

  it('knows a cherry-picked commit', async () => {
    const repo = buildConflict('text', { operation: 'cherry-pick', ...MORE })
    expect(await setOf(repo)).toMatchObject({
      operation: 'cherry-pick',
      title: 'Cherry-picking “Write the side” onto main',
      ours: { name: 'planner', oid: repo.commits.ours },
      theirs: { name: 'researcher', oid: repo.commits.theirs },
    })
  })

  it('takes the commit that is reverted for the base, and the one before it for theirs', async () => {
    const repo = buildConflict('text', { operation: 'revert' })
    expect(await setOf(repo)).toMatchObject({
      operation: 'revert',
      title: 'Reverting “Base” on main',
      ours: { name: 'main', oid: repo.commits.ours },
      theirs: { name: `the state before ${repo.commits.base.slice(0, 7)}`, oid: repo.commits.theirs },
      baseLabel: `the version with “Base”, ${repo.commits.base.slice(0, 7)}`,
    })
  })

  it.each(['text', 'renameRename', 'fileDirectory', 'modifyDelete'] as const)(
    'finds the stash that was popped (%s)',
    async (kind) => {
      const repo = buildConflict(kind, { operation: 'stash', where: 'linked' })
      expect(await setOf(repo)).toMatchObject({
        operation: 'stash',
        title: 'Putting the stash back on main',
        theirs: { name: 'the stash', oid: repo.commits.theirs },
        proceed: { label: 'Drop the stash' },
      })
    },
  )

  it('reads author and subject of a patch that has no commit', async () => {
    const repo = buildConflict('text', { operation: 'am', ...MORE })
    expect(await setOf(repo)).toMatchObject({
      operation: 'am',
      title: 'Applying the patch “Write the side” on main',
      theirs: { name: 'the patch', author: 'researcher', oid: null, subject: 'Write the side' },
      step: { at: 3, of: 4 },
    })
  })

  it('lists unmerged paths that no operation left', async () => {
    const set = await setOf(buildBothDeleted())
    expect(set).toMatchObject({ operation: 'unmerged-index', proceed: { able: false }, abort: { able: false } })
    expect(set.items[0]).toMatchObject({ kind: 'both-deleted', lines: false })
    expect(set.items[0]?.choices.map((one) => one.id)).toEqual(['delete', 'base'])
  })

  it('tells a resolution that rerere wrote', async () => {
    const written = buildRerere('written')
    expect((await setOf(written)).items[0]).toMatchObject({ rerere: 'written', state: 'open', left: 3 })
    written.write('notes.md', 'by hand\n')
    expect((await setOf(written)).items[0]).toMatchObject({ rerere: 'recorded', state: 'open' })
  })

  it('lists a conflict outside a sparse checkout', async () => {
    expect((await setOf(buildSparse())).items[0]).toMatchObject({ path: 'mem/note.md', kind: 'text' })
  })

  it('says nothing of a repository that is in the middle of nothing, whatever its index remembers', async () => {
    const repo = buildConflict('twoFiles')
    repo.write('a.md', 'done\n')
    repo.git('add', 'a.md')
    const half = await setOf(repo)
    expect(half.items.map((one) => [one.path, one.state])).toEqual([
      ['a.md', 'resolved'],
      ['sub/b.md', 'open'],
    ])
    repo.write('sub/b.md', 'done\n')
    repo.git('add', 'sub/b.md')
    expect(await setOf(repo)).toMatchObject({ proceed: { able: true, why: null } })
    repo.git('commit', '-q', '-m', 'Merged')
    expect(repo.git('ls-files', '--resolve-undo')).not.toBe('')
    expect(await setsOf(repo)).toEqual([])
  })

  it('lets go of a popped stash once it is committed, though both stash and index remember it', async () => {
    const repo = buildConflict('text', { operation: 'stash' })
    repo.write('notes.md', 'done\n')
    repo.git('add', 'notes.md')
    expect(await setOf(repo)).toMatchObject({ operation: 'stash', proceed: { able: true } })
    repo.git('commit', '-q', '-m', 'Put back')
    expect(repo.git('ls-files', '--resolve-undo')).not.toBe('')
    expect(await setsOf(repo)).toEqual([])
  })

  it('does not take what an earlier merge resolved for resolved in the next one', async () => {
    const repo = buildConflict('twoFiles')
    for (const path of ['a.md', 'sub/b.md']) repo.write(path, 'done\n')
    repo.git('add', '-A')
    repo.git('commit', '-q', '-m', 'Merged')
    repo.git('checkout', '-q', 'infra/pg17')
    repo.commit('Again', { 'main.md': 'other\n' })
    repo.git('checkout', '-q', 'main')
    repo.commit('Main again', { 'main.md': 'mine\n' })
    repo.code('merge', 'infra/pg17')
    expect((await setOf(repo)).items.map((one) => one.path)).toEqual(['main.md'])
  })

  it('runs no code of the repository and writes nothing', async () => {
    const fired = join(tempDir('canary'), 'fired')
    const repo = buildConflict('text')
    const canary = `sh -c 'echo x >> ${fired}; cat'`
    mkdirSync(join(repo.gitDir, 'info'), { recursive: true })
    writeFileSync(join(repo.gitDir, 'info', 'attributes'), '* filter=evil diff=evil merge=evil\n')
    for (const key of ['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.textconv', 'diff.evil.command'])
      repo.git('config', key, canary)
    repo.git('config', 'merge.evil.driver', canary)
    repo.git('config', 'core.fsmonitor', canary)
    repo.git('status')
    expect(existsSync(fired)).toBe(true)
    rmSync(fired)
    const before = snapshot(repo.dir)
    const opened = await openCore(repo)
    try {
      const { sets } = await opened.ask('conflicts.list', {})
      for (const set of sets)
        for (const item of set.items) await opened.ask('conflicts.get', { source: set.source, item: item.id })
      expect(sets[0]?.items).toHaveLength(1)
    } finally {
      await opened.close()
    }
    expect(existsSync(fired)).toBe(false)
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
})
