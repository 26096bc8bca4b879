import { describe, expect, it } from 'vitest'
import { openCore } from '../../../../e2e/support/core.ts'
import {
  buildConflict,
  type ConflictKindName,
  type ConflictRepo,
  type Files,
  type Sides,
} from '../../../../e2e/support/index.ts'
import type { ConflictItem, ConflictSet } from '../../../../shared/model/index.ts'

const body = (word: string) => Array.from({ length: 20 }, (_, at) => `${word} ${at}\n`).join('')

async function setOf(repo: ConflictRepo): Promise<ConflictSet> {
  const { ask, close } = await openCore(repo)
  const { sets } = await ask('conflicts.list', {})
  await close()
  return sets[0] as ConflictSet
}

const told = ({ kind, sentence, paths, choices }: ConflictItem) => [
  kind,
  sentence,
  paths,
  choices.map((one) => one.id).join(' '),
]

describe('a series of patches, which knows no commit of its side', () => {
  it.each<[ConflictKindName, string, string, string[], string]>([
    [
      'renameDelete',
      'rename-delete',
      'main renamed old.md to new.md; the patch deleted it.',
      ['new.md', 'old.md'],
      'ours theirs base',
    ],
    [
      'deleteRename',
      'rename-delete',
      'The patch renamed old.md to new.md; main deleted it.',
      ['new.md', 'old.md'],
      'ours theirs base',
    ],
    [
      'renameTwoToOne',
      'rename-add',
      'The patch renamed b.md to both.md; main created a file of that name.',
      ['both.md', 'b.md'],
      'ours theirs both merged',
    ],
    [
      'renameRename',
      'rename-rename',
      'main renamed old.md to ours-name.md; the patch renamed it to theirs-name.md. Both changed its lines: 1 conflict.',
      ['ours-name.md', 'old.md', 'theirs-name.md'],
      'ours-name theirs-name both base',
    ],
  ])('tells %s as one conflict with its old name', async (kind, ...expected) => {
    const { items } = await setOf(buildConflict(kind, { operation: 'am' }))
    expect(items.map(told)).toEqual([expected])
  })
})

describe('a file in a folder that the other side renamed', () => {
  const sides: Sides = {
    base: { 'docs/a.md': body('a'), 'docs/b.md': body('b') },
    ours: { 'docs/a.md': null, 'docs/b.md': null, 'papers/a.md': body('a'), 'papers/b.md': body('b') },
    theirs: { 'docs/new.md': body('new') },
  }

  it.each(['ours', 'theirs'] as const)('is told by what was done, and put where the choice says (%s)', async (side) => {
    const repo = buildConflict(sides)
    const { ask, close } = await openCore(repo)
    const [set] = (await ask('conflicts.list', {})).sets
    const [item] = set?.items ?? []
    if (!set || !item) throw new Error('no conflict')
    expect(told(item)).toEqual([
      'rename-add',
      'researcher added docs/new.md; planner renamed docs/ to papers/.',
      ['papers/new.md'],
      'ours theirs',
    ])
    expect(item.choices.map((one) => one.label)).toEqual([
      'Move it along to papers/new.md, where planner has the folder',
      'Keep it as docs/new.md, as researcher has it',
    ])
    const draft = { version: 1 as const, lines: [], edits: [], choice: side, dropped: [] }
    const given = { source: set.source, item: item.id, fingerprint: item.fingerprint, draft, overDisk: null }
    const path = side === 'ours' ? 'papers/new.md' : 'docs/new.md'
    expect(await ask('conflicts.resolve', given)).toMatchObject({ resolved: true, result: [{ path }] })
    await close()
    expect(repo.git('ls-files', '-u')).toBe('')
    expect(repo.read(path).toString()).toBe(body('new'))
    expect(repo.git('ls-files', 'docs', 'papers').split('\n').sort()).toEqual(
      ['papers/a.md', 'papers/b.md', path].sort(),
    )
    expect(
      repo
        .git('status', '--porcelain', '-uall')
        .split('\n')
        .filter((line) => line.includes('new.md')),
    ).toEqual([`A  ${path}`])
  })
})

describe('many equal files, each with two new names', () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const gone = Object.fromEntries(names.map((name) => [`${name}.md`, null]))
  const moved = (folder: string, order: string): Files =>
    Object.fromEntries([...order].map((name) => [`${folder}/${name}.md`, body('same')]))
  const sides: Sides = {
    base: Object.fromEntries(names.map((name) => [`${name}.md`, body('same')])),
    ours: { ...gone, ...moved('x', 'pqrst') },
    theirs: { ...gone, ...moved('y', 'zywvu') },
  }

  it.each(['merge', 'am'] as const)(
    'stay grouped as they were while their neighbours are resolved (%s)',
    async (operation) => {
      const repo = buildConflict(sides, { operation })
      const { ask, close } = await openCore(repo)
      const groups = async () => {
        const [set] = (await ask('conflicts.list', {})).sets
        return (set as ConflictSet).items.map((one) => `${one.id} ${one.paths.join(' ')}`)
      }
      const first = await groups()
      expect(first).toHaveLength(5)
      for (const at of [2, 0, 3]) {
        const [set] = (await ask('conflicts.list', {})).sets
        const item = set?.items[at]
        if (!set || !item) throw new Error('no conflict')
        const choice = at === 2 ? 'theirs-name' : at === 0 ? 'base' : 'both'
        const draft = { version: 1 as const, lines: [], edits: [], choice, dropped: [] }
        const given = { source: set.source, item: item.id, fingerprint: item.fingerprint, draft, overDisk: null }
        expect(await ask('conflicts.resolve', given)).toMatchObject({ resolved: true })
        expect(await groups()).toEqual(first)
      }
      // Another tool settles one as well, path by path.
      repo.git('rm', '-q', '--cached', '--', 'b.md')
      expect(await groups()).toEqual(first)
      const [set] = (await ask('conflicts.list', {})).sets
      const paths = (set?.items[4]?.paths ?? []).filter((path) => path !== 'e.md')
      repo.git('rm', '-q', '--cached', '--', 'e.md')
      expect(await groups()).toEqual(first)
      repo.git('rm', '-q', '--cached', '--', ...paths)
      expect(await groups()).toEqual(first)
      expect((await ask('conflicts.list', {})).sets[0]?.items.map((one) => one.state)).toEqual([
        'resolved',
        'open',
        'resolved',
        'resolved',
        'resolved',
      ])
      await close()
    },
  )
})
