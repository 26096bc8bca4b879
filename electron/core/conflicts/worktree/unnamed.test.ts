import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openCore } from '../../../../e2e/support/core.ts'
import { type ConflictRepo, OTHER, prepareConflict, snapshot, snapshotDiff } from '../../../../e2e/support/index.ts'
import type { ConflictItem, ConflictSet } from '../../../../shared/model/index.ts'

async function opened(repo: ConflictRepo) {
  const core = await openCore(repo)
  const [set] = (await core.ask('conflicts.list', {})).sets
  const item = set?.items[0]
  if (!set || !item) throw new Error('no conflict')
  const got = await core.ask('conflicts.get', { source: set.source, item: item.id })
  return { ...core, set: set as ConflictSet, item: item as ConflictItem, got }
}

const COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['merge', '--squash', OTHER],
  ['cherry-pick', '-n', OTHER],
]

it.each(COMMANDS)('takes a side’s own lines of a file with two names: git %s %s', async (...command) => {
  const repo = prepareConflict('renameRename')
  expect(repo.code(...command)).toBe(1)
  // Also where a person has edited the files meanwhile.
  for (const edited of [false, true]) {
    if (edited) for (const path of ['ours-name.md', 'theirs-name.md']) repo.write(path, 'by hand\n')
    const before = snapshot(repo.dir)
    const { set, item, got, ask, close } = await opened(repo)
    expect(set.operation).toBe('unmerged-index')
    expect([set.ours.name, set.theirs.name, set.theirs.subject]).toEqual(['planner', 'researcher', 'Write the side'])
    expect(item.sides).toEqual({
      base: repo.git('rev-parse', 'main~1:old.md'),
      ours: repo.git('rev-parse', 'main:ours-name.md'),
      theirs: repo.git('rev-parse', `${OTHER}:theirs-name.md`),
    })
    expect(`${got.sides.ours?.text}${got.sides.theirs?.text}${got.merge?.ours}`).not.toContain('<<<<')
    const [row] = await ask('conflicts.previewBatch', { source: set.source, items: [item.id], take: 'theirs' })
    expect(row).toMatchObject({
      sentence: "researcher's file, 1 line of planner's given up",
      result: [{ oid: item.sides?.theirs }],
    })
    await close()
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  }
})

it('says that lines are not to be had where nothing tells whose they are, and never offers git’s own merge', async () => {
  const repo = prepareConflict('renameRename')
  expect(repo.code('cherry-pick', '-n', OTHER)).toBe(1)
  for (const path of ['ours-name.md', 'theirs-name.md']) repo.write(path, 'by hand\n')
  rmSync(join(repo.gitDir, 'AUTO_MERGE'))
  const { set, item, ask, close } = await opened(repo)
  expect(item).toMatchObject({ kind: 'rename-rename', lines: false })
  expect(item.sentence).toMatch(
    /git kept only its own merge of them, with conflict markers: what the other side has is not to be had here\.$/,
  )
  const ours = repo.git('rev-parse', 'main:ours-name.md')
  for (const { result, notes } of item.choices) {
    expect(result.every((one) => one.oid === ours)).toBe(true)
    expect(notes).toEqual(['With the lines of main alone: those of the other side are not to be had here.'])
  }
  const [row] = await ask('conflicts.previewBatch', { source: set.source, items: [item.id], take: 'theirs' })
  expect(row?.sentence).toContain('those of the other side are not to be had here')
  expect(row?.result).toEqual([{ path: 'theirs-name.md', mode: '100644', oid: ours }])
  await close()
})
