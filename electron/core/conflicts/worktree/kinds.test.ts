import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../../e2e/support/core.ts'
import {
  buildConflict,
  buildSubmoduleConflict,
  type ConflictKindName,
  conflictSides,
  joinSides,
  snapshot,
  snapshotDiff,
} from '../../../../e2e/support/index.ts'
import type { ConflictItem, ConflictSet } from '../../../../shared/model/index.ts'

/** Kinds that can share a repository: no renames to be taken for each other's, no configuration. */
const TOGETHER: readonly ConflictKindName[] = [
  'text',
  'addAdd',
  'modifyDelete',
  'deleteModify',
  'fileToSymlink',
  'fileToSubmodule',
  'symlinks',
  'mode',
  'modeAndText',
  'fileDirectory',
  'directoryFile',
  'binary',
  'image',
  'submodule',
  'lfs',
  'utf16',
  'crlfFlip',
  'cp1252',
  'finalNewlines',
  'setext',
  'names',
]

async function onlySet(opened: OpenedCore): Promise<ConflictSet> {
  const { sets } = await opened.ask('conflicts.list', {})
  expect(sets).toHaveLength(1)
  return sets[0] as ConflictSet
}

const short = (item: ConflictItem) => [
  item.kind,
  item.sentence,
  item.lines,
  item.total,
  item.choices.map((one) => one.id).join(' '),
]

describe('every kind of conflict in one merge', () => {
  const repo = buildConflict(joinSides(TOGETHER))
  let opened: OpenedCore
  let set: ConflictSet
  const of = (path: string) => {
    const item = set.items.find((one) => one.path === path)
    if (!item) throw new Error(`no item for ${path} among ${set.items.map((one) => one.path).join(', ')}`)
    return item
  }

  beforeAll(async () => {
    opened = await openCore(repo)
    set = await onlySet(opened)
  })
  afterAll(() => opened.close())

  it.each([
    ['text/notes.md', 'text', 'planner and researcher both changed this file: 3 conflicts.', true, 3, ''],
    [
      'addAdd/new.md',
      'add-add',
      'planner and researcher both created this file, each with other lines: 1 conflict.',
      true,
      1,
      '',
    ],
    [
      'modifyDelete/gone.md',
      'modify-delete',
      'researcher deleted this file; planner changed 3 lines of it.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'deleteModify/gone.md',
      'modify-delete',
      'planner deleted this file; researcher changed 3 lines of it.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'fileToSymlink/thing',
      'type-change',
      'planner has a file with 1 changed line here; researcher has a symbolic link here.',
      false,
      1,
      'ours theirs both base',
    ],
    [
      'fileToSubmodule/lib',
      'type-change',
      'planner has a file with 1 changed line here; researcher has a submodule here.',
      false,
      1,
      'ours theirs both base',
    ],
    [
      'symlinks/link',
      'symlink',
      'planner points this symbolic link at ours, researcher at theirs.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'mode/run.sh',
      'mode',
      'planner and researcher both created this file with the same content; only researcher made it executable.',
      false,
      1,
      'ours theirs',
    ],
    [
      'modeAndText/run.sh',
      'add-add',
      'planner and researcher both created this file, each with other lines: 1 conflict.',
      true,
      2,
      'ours theirs',
    ],
    [
      'fileDirectory/thing',
      'file-directory',
      'planner has a file here; researcher has a folder with 1 file of the same name.',
      false,
      1,
      'ours theirs both',
    ],
    [
      'directoryFile/thing',
      'file-directory',
      'researcher has a file here; planner has a folder with 1 file of the same name.',
      false,
      1,
      'ours theirs both',
    ],
    [
      'binary/data.bin',
      'binary',
      'planner and researcher both changed this file, which is no text: 8 bytes and 8 bytes.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'image/logo.png',
      'image',
      'planner and researcher both changed this image: 75 bytes and 75 bytes.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'submodule/lib',
      'submodule',
      'planner and researcher moved this submodule to different commits: 2222222 and 3333333.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'lfs/big.psd',
      'lfs',
      'planner and researcher both changed this file, which Git LFS keeps elsewhere: 200 bytes and 300 bytes.',
      false,
      1,
      'ours theirs base',
    ],
    ['utf16/wide.txt', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
    [
      'crlfFlip/flip.txt',
      'text',
      'planner and researcher both changed this file: no line is in conflict.',
      true,
      0,
      '',
    ],
    ['cp1252/umlaut.txt', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
    ['finalNewlines/eof-010.txt', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
    ['setext/readme.md', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
    ['names/new\nline.md', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
    ['names/not-utf8-\udcff.md', 'text', 'planner and researcher both changed this file: 1 conflict.', true, 1, ''],
  ])('%j is told as %s', (path, ...expected) => {
    expect(short(of(path))).toEqual(expected)
    expect(of(path).state).toBe(expected[3] === 0 ? 'decided' : 'open')
  })

  it('names every unmerged path in exactly one item, with its stages', () => {
    const rows = repo.gitBytes(['ls-files', '-u', '-z']).toString('latin1').split('\0').filter(Boolean)
    const stages = set.items.flatMap((one) => one.stages)
    expect(stages.map((one) => `${one.mode} ${one.oid} ${one.stage}`).sort()).toEqual(
      rows.map((row) => row.slice(0, row.indexOf('\t'))).sort(),
    )
    expect(new Set(set.items.map((one) => one.id)).size).toBe(set.items.length)
  })

  it('says what a choice gives up', () => {
    const [, gone] = of('modifyDelete/gone.md').choices
    expect(gone).toMatchObject({ label: 'Delete it, as researcher did', result: [], side: 'theirs' })
    expect(gone?.notes).toEqual(['3 lines that planner changed are given up.'])
  })

  it('shows the sides that are no text', async () => {
    const get = (path: string) => opened.ask('conflicts.get', { source: set.source, item: of(path).id })
    const image = await get('image/logo.png')
    expect(image.sides.theirs?.image).toBe(
      `data:image/png;base64,${repo.show('infra/pg17', 'image/logo.png').toString('base64')}`,
    )
    expect(image.merge).toBeNull()
    const link = await get('symlinks/link')
    expect([link.sides.base?.text, link.sides.ours?.text, link.sides.theirs?.text]).toEqual(['one', 'ours', 'theirs'])
    const lfs = await get('lfs/big.psd')
    expect(lfs.sides.ours).toMatchObject({ shows: 'lfs', image: null })
    expect(lfs.sides.ours?.text).toContain('a file of 200 bytes')
    const wide = await get('utf16/wide.txt')
    expect(wide.sides.ours).toMatchObject({ shows: 'text', encoding: 'utf-16le', ending: 'lf', finalNewline: true })
    expect(wide.sides.ours?.text).toContain('ours ä\n')
    const module = await get('submodule/lib')
    expect(module.sides.theirs?.text).toBe('Commit 3333333333, which is not here.')
  })

  it('writes nothing, neither for the list nor for a page', async () => {
    const before = snapshot(repo.dir)
    const items = new Map((await onlySet(opened)).items.map((one) => [one.kind, one]))
    for (const item of items.values()) await opened.ask('conflicts.get', { source: set.source, item: item.id })
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
})

describe('conflicts of names', () => {
  const listed = async (kind: ConflictKindName) => {
    const opened = await openCore(buildConflict(kind))
    try {
      const set = await onlySet(opened)
      const item = set.items[0] as ConflictItem
      return {
        item,
        items: set.items.length,
        got: await opened.ask('conflicts.get', { source: set.source, item: item.id }),
      }
    } finally {
      await opened.close()
    }
  }

  it('puts the three paths of one file with two new names together, and merges what the sides really have', async () => {
    const { item, items, got } = await listed('renameRename')
    expect(items).toBe(1)
    expect(item.paths).toEqual(['ours-name.md', 'old.md', 'theirs-name.md'])
    expect(short(item)).toEqual([
      'rename-rename',
      'planner renamed old.md to ours-name.md; researcher renamed it to theirs-name.md. Both changed its lines: 1 conflict.',
      true,
      2,
      'ours-name theirs-name both base',
    ])
    expect(got.merge?.conflicts).toHaveLength(1)
    expect(got.merge?.ours).toContain('ours 5\n')
    expect(`${got.merge?.ours}${got.merge?.theirs}`).not.toContain('<<<<')
  })

  it.each([
    [
      'renameRenameSame',
      'rename-rename',
      'planner renamed old.md to ours-name.md; researcher renamed it to theirs-name.md.',
      false,
      1,
      'ours-name theirs-name both base',
    ],
    [
      'renameTwoToOne',
      'rename-rename',
      'planner renamed a.md to both.md; researcher renamed b.md to both.md.',
      true,
      2,
      'ours theirs both merged',
    ],
    [
      'renameDelete',
      'rename-delete',
      'planner renamed old.md to new.md; researcher deleted it.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'deleteRename',
      'rename-delete',
      'researcher renamed old.md to new.md; planner deleted it.',
      false,
      1,
      'ours theirs base',
    ],
    [
      'renameAdd',
      'rename-add',
      'planner renamed old.md to new.md; researcher created a file of that name.',
      true,
      2,
      'ours theirs both merged',
    ],
  ] as const)('tells %s', async (kind, ...expected) => {
    const { item, items } = await listed(kind)
    expect(items).toBe(1)
    expect(short(item)).toEqual(expected)
  })

  it('takes no names of another file, nor what lies in the way of one, for those of a file that both deleted', async () => {
    const { renameRenameSame, fileToSymlink } = conflictSides
    const link = fileToSymlink()
    const repo = buildConflict(
      joinSides({
        renameRenameSame: renameRenameSame(),
        link,
        'link-too': { base: link.base, ours: link.theirs, theirs: link.ours },
        a: { base: { 'lost.md': 'lost\n' }, ours: {}, theirs: {} },
      }),
    )
    const rows = `0 ${'0'.repeat(40)}\ta/lost.md\x00100644 ${repo.git('rev-parse', ':a/lost.md')} 1\ta/lost.md\0`
    repo.gitBytes(['update-index', '-z', '--index-info'], { input: rows })
    const opened = await openCore(repo)
    try {
      const { items } = await onlySet(opened)
      expect(items.map((one) => [one.kind, one.paths])).toEqual([
        ['both-deleted', ['a/lost.md']],
        ['type-change', ['link-too/thing', 'link-too/thing~infra_pg17']],
        ['type-change', ['link/thing', 'link/thing~HEAD']],
        [
          'rename-rename',
          ['renameRenameSame/ours-name.md', 'renameRenameSame/old.md', 'renameRenameSame/theirs-name.md'],
        ],
      ])
    } finally {
      await opened.close()
    }
  })

  it('names the commits of a submodule by their subjects', async () => {
    const opened = await openCore(buildSubmoduleConflict())
    try {
      const set = await onlySet(opened)
      const got = await opened.ask('conflicts.get', { source: set.source, item: set.items[0]?.id ?? '' })
      expect(got.sides.ours?.text).toMatch(/^Commit [0-9a-f]{10}: “Pool of 20” by planner$/)
      expect(got.sides.theirs?.text).toMatch(/“Pool of 40” by researcher$/)
    } finally {
      await opened.close()
    }
  })
})
