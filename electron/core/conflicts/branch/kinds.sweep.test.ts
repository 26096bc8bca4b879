import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { type ConflictKindName, conflictSides, joinSides, type Sides } from '../../../../e2e/support/conflictSides.ts'
import { openCore } from '../../../../e2e/support/core.ts'
import { buildRepo, pathBytes, RUN, type TestRepo } from '../../../../e2e/support/index.ts'

const source = { from: 'branch', branch: RUN } as const

function repoOf(sides: Sides): TestRepo {
  return buildRepo(undefined, {
    config: sides.config ?? '',
    commits: [
      { message: 'base', files: { 'README.md': 'Notes.\n', ...sides.base }, label: 'base' },
      { on: RUN, from: 'base', message: 'night', files: { 'night.md': 'night\n', ...sides.theirs } },
      { message: 'day', files: { 'day.md': 'day\n', ...sides.ours } },
    ],
  })
}

/** Path → mode and object. */
function entriesOf(repo: TestRepo, tree: string): Map<string, string> {
  const rows = repo
    .gitBytes(['ls-tree', '-r', '-z', '--full-tree', tree])
    .toString('latin1')
    .split('\0')
    .filter(Boolean)
  return new Map(
    rows.map((row) => [row.slice(row.indexOf('\t') + 1), row.slice(0, row.indexOf('\t')).replace(/ \w+ /, ' ')]),
  )
}

/** The tree that git's own merge gives, conflicts and all. */
function mergedTree(repo: TestRepo): string {
  const args = ['merge-tree', '--write-tree', '-z', repo.oid('main'), repo.oid(RUN)]
  const { stdout } = spawnSync('git', args, { cwd: repo.dir })
  return stdout.toString('latin1').split('\0')[0] ?? ''
}

/** Decides everything for one side, commits, and compares the tree entry by entry. */
async function settleAll(sides: Sides, side: 'ours' | 'theirs'): Promise<readonly string[]> {
  const repo = repoOf(sides)
  const merged = mergedTree(repo)
  const wanted = entriesOf(repo, merged)
  const { ask, close } = await openCore(repo)
  const { sets } = await ask('conflicts.list', {})
  const items = sets[0]?.items ?? []
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) {
    const choice = item.choices.find((one) => one.side === side) ?? item.choices[0]
    const check = { source, item: item.id, fingerprint: item.fingerprint }
    const lines = item.lines ? Array.from({ length: item.total ?? 0 }, () => ({ take: side, by: 'mine' as const })) : []
    const draft = {
      version: 1 as const,
      lines: lines.slice(item.choices.length > 0 ? 1 : 0),
      edits: [],
      choice: choice?.id ?? null,
      dropped: [],
    }
    const outcome = await ask('conflicts.resolve', { ...check, draft, overDisk: null })
    if (!outcome.resolved) throw new Error(`${item.path}: ${JSON.stringify(outcome.refusal)}`)
    const latin = (path: string) => pathBytes(path).toString('latin1')
    for (const path of item.paths) wanted.delete(latin(path))
    for (const { path, mode, oid } of outcome.result) wanted.set(latin(path), `${mode} ${oid}`)
  }
  expect(await ask('conflicts.proceed', { source })).toMatchObject({ done: true })
  expect(Object.fromEntries(entriesOf(repo, RUN))).toEqual(Object.fromEntries(wanted))
  repo.fsck()
  await close()
  return items.map((one) => one.kind)
}

const TOGETHER: readonly ConflictKindName[] = [
  'text',
  'addAdd',
  'modifyDelete',
  'deleteModify',
  'fileToSymlink',
  'symlinks',
  'mode',
  'modeAndText',
  'fileDirectory',
  'directoryFile',
  'binary',
  'image',
  'lfs',
  'crlf',
  'crlfFlip',
  'finalNewlines',
  'setext',
  'names',
  'markerSize',
]
const APART: readonly ConflictKindName[] = [
  'renameRename',
  'renameTwoToOne',
  'renameDelete',
  'deleteRename',
  'renameAdd',
]

it.each(['ours', 'theirs'] as const)('commits every kind of conflict as it was decided, for %s', async (side) => {
  const kinds = new Set(await settleAll(joinSides(TOGETHER), side))
  expect([...kinds].sort()).toEqual(
    [
      'add-add',
      'binary',
      'file-directory',
      'image',
      'lfs',
      'mode',
      'modify-delete',
      'symlink',
      'text',
      'type-change',
    ].sort(),
  )
})

it.each(APART)('commits renames as they were decided: %s', async (name) => {
  await settleAll(conflictSides[name](), 'ours')
})
