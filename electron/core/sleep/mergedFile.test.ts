import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../e2e/support/core.ts'
import { buildRepo, RUN, type TestRepo } from '../../../e2e/support/index.ts'

const lines = (change: Record<number, string | null> = {}) =>
  Array.from({ length: 12 }, (_, i) => i + 1)
    .flatMap((n) => (change[n] === null ? [] : [change[n] ?? `line ${n}`]))
    .map((line) => `${line}\n`)
    .join('')

const NUL = Buffer.from([0, 1, 2])

describe('a file with the night’s change and main’s own', () => {
  let repo: TestRepo
  let opened: OpenedCore
  beforeAll(async () => {
    const files = {
      'a.md': lines(),
      'b.md': lines(),
      'c.md': lines(),
      'd.md': lines(),
      'e.bin': NUL,
      'old/m.md': lines(),
    }
    repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files },
        {
          on: RUN,
          message: 'Night',
          files: {
            'a.md': lines({ 2: 'night', 11: null }),
            'b.md': lines({ 3: 'night' }),
            'c.md': lines({ 3: 'night' }),
            'd.md': lines({ 3: 'night' }),
            'e.bin': Buffer.from([0, 3]),
            'old/m.md': null,
            'new/m.md': lines({ 2: 'night' }),
          },
        },
        {
          on: 'main',
          message: 'Day',
          author: { name: 'planner', email: 'planner@agent.invalid' },
          files: {
            'a.md': lines({ 6: 'day\nday too' }),
            'b.md': lines({ 3: 'day' }),
            'd.md': null,
            'e.bin': Buffer.from([0, 4]),
            'old/m.md': lines({ 12: 'day' }),
          },
        },
      ],
    })
    opened = await openCore(repo)
    return () => opened.close()
  })
  const ask = (path: string) => opened.ask('review.merged', { branch: RUN, path })

  it('is what bringing main in makes of it, with the lines of each', async () => {
    const made = await ask('a.md')
    expect(made).toMatchObject({
      state: 'merged',
      trunk: repo.oid('main'),
      from: [
        { who: 'branch', start: 2, lines: 1, removed: 0 },
        { who: 'trunk', start: 6, lines: 2, removed: 0 },
        { who: 'branch', start: 12, lines: 0, removed: 1 },
      ],
    })
    expect(made).toHaveProperty('text', lines({ 2: 'night', 6: 'day\nday too', 11: null }))
    expect(made.state === 'merged' && made.authors).toEqual(['planner'])
    // Other files are in conflict, which git says by its exit code.
    const tree = spawnSync('git', ['merge-tree', '--write-tree', 'main', RUN], {
      cwd: repo.dir,
      encoding: 'utf8',
    }).stdout
    expect(made).toHaveProperty('text', repo.show(tree.slice(0, tree.indexOf('\n')), 'a.md').toString())
  })

  it('is under its new name where the night moved it', async () => {
    expect(await ask('new/m.md')).toHaveProperty('text', lines({ 2: 'night', 12: 'day' }))
  })

  it('says where both meet, and why there is nothing to show', async () => {
    expect(await ask('b.md')).toEqual({ state: 'conflict', conflicts: 1 })
    expect(await ask('c.md')).toEqual({ state: 'none', why: 'not-on-trunk' })
    expect(await ask('d.md')).toEqual({ state: 'none', why: 'one-sided' })
    expect(await ask('e.bin')).toEqual({ state: 'none', why: 'no-text' })
  })
})
