import { afterEach, describe, expect, it } from 'vitest'
import { buildRepo, copyRepo, type TestRepo, withHome } from '../../../../e2e/support/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { openRepository } from '../../usecases/openRepository.ts'
import { type Versions, versionsOf } from './versions.ts'

const opened: RepositoryContext[] = []
afterEach(async () => {
  for (const repo of opened.splice(0)) await repo.dispose()
})

interface Open {
  readonly repo: RepositoryContext
  readonly versions: Versions
  /** Arguments of every git process. */
  readonly calls: (readonly string[])[]
}

async function open(repo: TestRepo, env = withHome()): Promise<Open> {
  const calls: (readonly string[])[] = []
  const context = await openRepository(
    {
      ports: { home: env.home, env: env.env, clock: () => new Date(), host: 'cli', version: '0', log: () => {} },
      keepByDefault: () => false,
      onCall: (args) => calls.push(args),
    },
    repo.dir,
  )
  opened.push(context)
  return { repo: context, versions: versionsOf(context), calls }
}

/** `version commit-subject` of the head, or null. */
async function headOf({ versions }: Open, path: string) {
  const head = await versions.head(path)
  return head && { version: head.version, live: head.live, commit: head.commit }
}

async function numbersOf({ versions }: Open, path: string) {
  return (await versions.all(path)).map(
    (one) => `${one.version}${one.oid ? '' : ' gone'}${one.rewritten ? ' rewritten' : ''}`,
  )
}

const base = buildRepo(undefined, {
  commits: [
    { message: 'one', files: { 'a.md': 'one\n', 'b.md': 'b\n' } },
    { message: 'two', files: { 'a.md': 'two\n' } },
    { message: 'other', files: { 'b.md': 'bb\n' } },
  ],
})

describe('numbering', () => {
  it('counts the commits of anyone, from before and after the first look', async () => {
    const repo = copyRepo(base)
    const it = await open(repo)
    expect(await headOf(it, 'a.md')).toEqual({ version: 2, live: true, commit: repo.oid('main~1') })
    expect(await headOf(it, 'b.md')).toEqual({ version: 2, live: true, commit: repo.oid('main') })
    expect(await headOf(it, 'c.md')).toBeNull()
    const three = repo.commit('three', { 'a.md': 'three\n', 'c.md': 'c\n' })
    expect(await headOf(it, 'a.md')).toEqual({ version: 3, live: true, commit: three })
    expect(await headOf(it, 'c.md')).toEqual({ version: 1, live: true, commit: three })
    expect(await numbersOf(it, 'a.md')).toEqual(['1', '2', '3'])
    expect(await it.versions.at('a.md', 1)).toEqual({
      version: 1,
      commit: repo.oid('main~3'),
      oid: repo.git('rev-parse', 'main~3:a.md'),
    })
    expect(await it.versions.at('a.md', 4)).toBeNull()
  })
})
