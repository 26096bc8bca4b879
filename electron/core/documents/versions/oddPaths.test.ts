import { afterAll, describe, expect, it } from 'vitest'
import { openCore } from '../../../../e2e/support/core.ts'
import { addCommits, buildRepo, ODD_PATHS } from '../../../../e2e/support/index.ts'
import type { DocumentList } from '../../../../shared/model/index.ts'
import { openVersions } from '../../testing/openVersions.ts'

/** Names that only differ in bytes that are no UTF-8, and one that is another's pattern. */
const ALIKE = ['x-\udcff.md', 'x-\udcfe.md', 'x-?.md', 'a\udcff\n*b', 'a\udcfe\n*b', '"a\\udcff"']
const PATHS = [...ODD_PATHS, ...ALIKE]

const files = (text: string) => Object.fromEntries(PATHS.map((path, at) => [path, `${text} ${at}\n`]))
const repo = buildRepo(undefined, {
  bare: true,
  commits: [
    { message: 'one', files: files('one') },
    ...PATHS.filter((_, at) => at % 2 === 0).map((path) => ({
      message: 'alone',
      files: { [path]: `alone ${path.length}\n` },
    })),
  ],
})
const earlier = (at: number) => (at % 2 === 0 ? '2' : '1')
const later = (at: number) => (at % 2 === 0 ? '3' : '2')
const opened = await openVersions(repo)
afterAll(() => opened.close())

describe('paths of any bytes', () => {
  it('have versions of their own, from git and from the index', async () => {
    const heads = () => Promise.all(PATHS.map((path) => opened.head(path)))
    expect(await heads()).toEqual(PATHS.map((_, at) => earlier(at)))
    addCommits(repo, [{ message: 'two', files: files('two') }])
    expect(await heads()).toEqual(PATHS.map((_, at) => later(at)))
    opened.context.index.discard()
    expect(await heads()).toEqual(PATHS.map((_, at) => later(at)))
  })

  it('can be fetched, listed and looked up', async () => {
    const core = await openCore(repo)
    const listed = await core.ask('documents.list', { recursive: true, limit: 1000 })
    expect(listed.entries.map((one) => one.path).sort()).toEqual([...PATHS].sort())
    for (const [at, path] of PATHS.entries()) {
      const found = await core.ask('documents.fetch', { path })
      expect([found.path, found.body]).toEqual([path, `two ${at}\n`])
    }
    const pages = []
    for (let cursor: string | null = null; ; ) {
      const page: DocumentList = await core.ask('documents.list', { recursive: true, limit: 4, cursor })
      pages.push(...page.entries)
      cursor = page.nextCursor
      if (cursor === null) break
    }
    expect(pages).toEqual(listed.entries)
    const hits = await core.ask('documents.lookup', { query: 'two', limit: 100 })
    expect(hits.map((one) => one.path).sort()).toEqual([...PATHS].sort())
    await core.close()
  })
})
