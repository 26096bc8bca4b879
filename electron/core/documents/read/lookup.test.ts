import { afterAll, describe, expect, it } from 'vitest'
import { buildRepo, copyRepo, type TestRepo } from '../../../../e2e/support/index.ts'
import { readTextState } from '../../store/textIndex.ts'
import { type OpenedVersions, openVersions } from '../../testing/openVersions.ts'
import { pause } from '../versions/pause.ts'
import { lookUp } from './lookup.ts'
import { readableText } from './title.ts'

const opened: OpenedVersions[] = []
afterAll(async () => {
  for (const one of opened) await one.close()
})

const NOTE = '---\ntitle: "A day"\ntags: [x]\n---\n\n# Heading\n\nThe pool waits for the quota.\n'

describe.each([
  ['here', false],
  ['in a thread of its own', true],
])('looking up, %s', (_, apart) => {
  const lookupBase = buildRepo(undefined, {
    commits: [
      {
        message: 'Notes',
        files: {
          'a.md': NOTE,
          'b.md': 'Intro\n=====\n\nNothing about quotas, but pools: the POOL.\n',
          'c.html':
            '<html><head><title>Caches &amp; shards</title><meta name="tag" content="lease"><style>hidden</style></head><body><p>The <b>cache</b> is cold.</body></html>',
          'd.txt': 'A text without a title.\n',
          'raw.bin': Buffer.from('pool\0pool'),
          'long.md': `# Long\n\n${'filler words here\n'.repeat(4000)}the needle is here\n`,
        },
      },
    ],
  })
  const open = async (repo: TestRepo) => {
    const one = await openVersions(repo)
    opened.push(one)
    return (query: string, limit = 10) => lookUp(one.context, query, limit, apart)
  }
  type Ask = Awaited<ReturnType<typeof open>>
  const look = async (ask: Ask, query: string) => (await ask(query)).map((one) => one.path)

  it('finds words in titles, names and text, the best first, with the place', async () => {
    const ask = await open(copyRepo(lookupBase))
    const [hit, ...rest] = await ask('quota pool')
    expect(hit).toMatchObject({ path: 'a.md', title: 'A day' })
    expect(hit?.snippet).toContain('The **pool** waits for the **quota**.')
    expect(rest).toEqual([])
    expect(await look(ask, 'pool')).toEqual(['b.md', 'a.md'])
    expect(await look(ask, 'shards')).toEqual(['c.html'])
    expect(await look(ask, 'lease')).toEqual(['c.html'])
    expect(await look(ask, 'hidden')).toEqual([])
    expect(await look(ask, 'needle')).toEqual(['long.md'])
    expect(await look(ask, '"waits for the"')).toEqual(['a.md'])
    expect((await ask('cold'))[0]?.title).toBe('Caches & shards')
    expect((await ask('intro'))[0]?.title).toBe('Intro')
    expect((await ask('without'))[0]?.title).toBe('d.txt')
  })

  it('widens the question where no document holds all of it, and reads nothing as syntax', async () => {
    const ask = await open(copyRepo(lookupBase))
    expect((await look(ask, 'quot')).sort()).toEqual(['a.md', 'b.md'])
    expect(await look(ask, 'needle elephant')).toEqual(['long.md'])
    for (const query of ['"', '*', 'AND', 'a OR', '(', 'NEAR(', 'title:', '^', '" OR "', "'; DROP", '-', 'x"y'])
      expect(Array.isArray(await look(ask, query))).toBe(true)
  })

  it('follows trunk: what is new, changed, deleted, renamed, made a link', async () => {
    const repo = copyRepo(lookupBase)
    const ask = await open(repo)
    expect(await look(ask, 'quota')).toEqual(['a.md'])
    repo.commit('Move on', { 'a.md': 'nothing\n', 'new.md': 'a quota\n', 'd.txt': null, 'b.md': { symlink: 'a.md' } })
    expect(await look(ask, 'quota')).toEqual(['new.md'])
    expect(await look(ask, 'intro')).toEqual([])
    expect(await look(ask, 'without')).toEqual([])
    repo.git('mv', 'new.md', 'renamed.md')
    repo.commit('Rename')
    expect(await look(ask, 'quota')).toEqual(['renamed.md'])
    repo.git('reset', '-q', '--hard', 'main~2')
    expect(await look(ask, 'quota')).toEqual(['a.md'])
    expect(await look(ask, 'without')).toEqual(['d.txt'])
  })
})

describe('the full text', () => {
  it('ends with the repository, whatever it is doing', async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`${at}.md`, `word ${at}\n`.repeat(50)]))
    const repo = buildRepo(undefined, { commits: [{ message: 'many', files }] })
    const one = await openVersions(repo)
    const asked = lookUp(one.context, 'word', 10, true).then(
      () => 'answered',
      (error: { code?: string }) => error.code,
    )
    while (readTextState(one.context.index).writer === 0) await pause()
    await one.close()
    expect(await asked).toBe('ERR_CANCELLED')
    // What was cut off is made whole by the next.
    const next = await openVersions(repo)
    opened.push(next)
    expect(await lookUp(next.context, 'word', 500, false)).toHaveLength(400)
    expect((await lookUp(next.context, '399', 500, false)).map((hit) => hit.path)).toEqual(['399.md'])
  })

  it('is complete for each of several processes that make it at once', async () => {
    const repo = buildRepo(undefined, {
      commits: [
        {
          message: 'one',
          files: Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${at}.md`, `old ${at}\n`])),
        },
        {
          message: 'two',
          files: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${at}.md`, `new ${at}\n`])),
        },
      ],
    })
    const all = await Promise.all([0, 1, 2].map(() => openVersions(repo)))
    opened.push(...all)
    const counts = await Promise.all(all.map((one) => lookUp(one.context, 'new', 300, false)))
    expect(counts.map((found) => found.length)).toEqual([150, 150, 150])
    expect(await lookUp((all[0] as OpenedVersions).context, 'old', 300, false)).toHaveLength(150)
  })
})

describe('the title', () => {
  it.each([
    ['a.md', '---\ntitle: Front\n---\n# Heading\n', 'Front'],
    ['a.md', '---\ntitle: >\n  Folded\n  text\n---\n', 'Folded text'],
    ['a.md', '---\ntitle: [broken\n---\n# Heading\n', 'Heading'],
    ['a.md', '---\ntags: x\n---\ntext\n\n## Two ##\n', 'Two'],
    ['a.md', '```sh\n# a comment\n```\n# Real\n', 'Real'],
    ['a.md', 'Under\n-----\n', 'Under'],
    ['a.md', '#no heading\n\ntext\n', 'a.md'],
    ['a.md', '', 'a.md'],
    ['deep/run.sh', '#!/bin/sh\n# comment\n', 'run.sh'],
    ['a.txt', '---\ntitle: Front\n---\n', 'Front'],
    ['a.html', '<!doctype html><TITLE>\n One &lt;two&gt; &#233;&#x1F600;\n</TITLE><h1>x</h1>', 'One <two> é😀'],
    ['a.html', '<p>no title', 'a.html'],
    ['a.html', '<title>open', 'open'],
  ])('of %s %j', (path, text, title) => {
    expect(readableText(path, text).title).toBe(title)
  })

  it('is found in time that follows the length, whatever the text', () => {
    const began = performance.now()
    for (const text of [
      '<'.repeat(500_000),
      '<a'.repeat(250_000),
      `---\ntitle: x${'\n '.repeat(250_000)}`,
      `---${'\n---x'.repeat(100_000)}`,
      `<meta ${'content="'.repeat(50_000)}`,
      ' '.repeat(500_000),
      '# '.repeat(200_000),
      `# ${' #'.repeat(200_000)}x`,
      `#${' '.repeat(300_000)}x`,
    ])
      for (const path of ['a.md', 'a.html']) readableText(path, text)
    expect(performance.now() - began).toBeLessThan(3000)
  })
})
