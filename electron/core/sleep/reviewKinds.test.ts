import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildRepo,
  type Files,
  LEDGER_PATH,
  type MemorySpec,
  memoryHtml,
  PATHS,
  png,
  RUN,
  stores,
  tempDir,
} from '../../../e2e/support/index.ts'
import { createObjectReader } from '../git/objects.ts'
import { createGit } from '../git/process.ts'
import { openStateDb } from '../store/stateDb.ts'
import { computeReview, type ReviewedFile, type ReviewFacts } from './review.ts'

const open: { close(): void }[] = []
afterAll(() => {
  for (const one of open) one.close()
})

async function review(
  repo: { dir: string; gitDir: string; oid(name: string): string },
  run = RUN,
): Promise<ReviewFacts> {
  const git = createGit({ cwd: repo.dir, env: process.env })
  const objects = createObjectReader(git)
  open.push(objects)
  const repository = { commonDir: repo.gitDir } as never
  const state = openStateDb(tempDir('state'))
  open.push(state)
  return computeReview({ git, objects, repository, state }, { run, tip: repo.oid(run), trunk: repo.oid('main') })
}

const memory = (more: Partial<MemorySpec> = {}) =>
  memoryHtml({ title: 'Pool', claim: 'The pool ceiling of the orders database is 40.', body: ['One.'], ...more })
const LONG = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} keeps the two files alike.`)
const deep = (claim: string) => `${memory({ claim }).replace('</article>', `${'<div>'.repeat(20_000)}</article>`)}`
const note = (front: string, body = 'Body.\n') => `---\n${front}\n---\n${body}`

const before: Files = {
  '.gitattributes':
    'vendor/** linguist-generated\nmade/*.txt linguist-generated=true\nmade/kept.txt -linguist-generated\n',
  'a/claim.html': memory(),
  'a/body.html': memory(),
  'a/meta.html': memory(),
  'a/indent.html': memory(),
  'a/pre.html': memory({ pre: 'a b' }),
  'a/deep.html': deep('one'),
  'a/move.html': memory(),
  'a/move-and-claim.html': memory({
    body: LONG,
  }),
  'a/short.html': memory({ claim: 'x', body: [] }),
  'a/gone.html': memory({ claim: 'A memory that goes away for good, with words of its own.' }),
  'a/no-memory.html': '<p>plain page</p>\n',
  'a/index.html': 'list 1\n',
  'n/front.md': note('tags: [a]\nscore: 1'),
  'n/front-body.md': note('tags: [a]'),
  'n/front-comment.md': note('tags: [a] # why'),
  'n/bad-front.md': note('tags: [a'),
  'n/plain.txt': 'one\n',
  'n/run.sh': '#!/bin/sh\n',
  'n/bytes.bin': Buffer.from([0, 1, 2, 3]),
  'n/shot.png': png(4, [255, 0, 0]),
  'n/link': { symlink: 'plain.txt' },
  'n/typed': 'a file\n',
  'n/sub': { submodule: '1111111111111111111111111111111111111111' },
  'vendor/lib.js': 'var a\n',
  'made/kept.txt': '1\n',
  'made/out.txt': '1\n',
}
const after: Files = {
  'a/claim.html': memory({ claim: 'The pool ceiling of the orders database is 60.', metas: { confidence: '0.920' } }),
  'a/body.html': memory({ body: ['Two.'] }),
  'a/meta.html': memory({ metas: { confidence: '0.920' }, updated: '2026-11-30T00:00:00Z' }),
  'a/indent.html': memory().replaceAll('<p>', '\n  <p>'),
  'a/pre.html': memory({ pre: 'a  b' }),
  'a/deep.html': deep('two'),
  'a/move.html': null,
  'b/move.html': memory(),
  'a/move-and-claim.html': null,
  'b/move-and-claim.html': memory({
    claim: 'Something else is so.',
    body: LONG,
  }),
  'a/short.html': null,
  'archive/2026/a/short.html':
    memory({ claim: 'x', body: [], status: 'archived', metas: { archived: '2026-11-30' } }) + '\n'.repeat(4000),
  'a/gone.html': null,
  'a/no-memory.html': '<p>plain page, changed</p>\n',
  'a/index.html': 'list 2\n',
  'a/new.html': memory({
    claim: 'A new claim, with words that no other file has: zebra, quartz, violin.',
    title: 'Fresh',
  }),
  'n/front.md': note('tags: [a, b]\nscore: 1'),
  'n/front-body.md': note('tags: [b]', 'Other.\n'),
  'n/front-comment.md': note('tags: [a]'),
  'n/bad-front.md': note('tags: [b'),
  'n/plain.txt': 'two\n',
  'n/run.sh': { content: '#!/bin/sh\n', mode: '100755' },
  'n/bytes.bin': Buffer.from([0, 1, 2, 4]),
  'n/shot.png': png(4, [0, 255, 0]),
  'n/link': { symlink: 'run.sh' },
  'n/typed': { symlink: 'plain.txt' },
  'n/sub': { submodule: '2222222222222222222222222222222222222222' },
  'vendor/lib.js': 'var b\n',
  'made/kept.txt': '2\n',
  'made/out.txt': '2\n',
  '.memhtml/state/access.jsonl': '',
  'sitemap.xml': '<urlset/>\n',
}

describe('kinds of change', () => {
  let facts: ReviewFacts
  beforeAll(async () => {
    facts = await review(
      buildRepo(undefined, {
        commits: [
          { message: 'Base', files: before },
          { on: RUN, message: 'Night', files: after },
        ],
      }),
    )
  })
  const file = (path: string): ReviewedFile => {
    const found = facts.files.find((one) => one.item.path === path)
    if (!found) throw new Error(`no ${path}`)
    return found
  }
  const kind = (path: string) => [file(path).kind, file(path).format]

  it.each([
    ['a/claim.html', 'claim-changed', 'memory'],
    ['a/body.html', 'body-changed', 'memory'],
    ['a/meta.html', 'metadata-only', 'memory'],
    ['a/gone.html', 'deleted', 'memory'],
    ['a/new.html', 'created', 'memory'],
    ['a/no-memory.html', 'changed', 'text'],
    ['a/deep.html', 'changed', 'text'],
    ['n/front.md', 'metadata-only', 'front-matter'],
    ['n/front-body.md', 'changed', 'front-matter'],
    ['n/front-comment.md', 'metadata-only', 'front-matter'],
    ['n/bad-front.md', 'changed', 'front-matter'],
    ['n/plain.txt', 'changed', 'text'],
    ['n/run.sh', 'mode-only', 'text'],
    ['n/bytes.bin', 'binary', 'binary'],
    ['n/shot.png', 'binary', 'image'],
    ['n/link', 'changed', 'symlink'],
    ['n/typed', 'changed', 'symlink'],
    ['n/sub', 'submodule', 'submodule'],
    ['made/kept.txt', 'changed', 'text'],
  ])('%s is %s', (path, wanted, format) => {
    expect(kind(path)).toEqual([wanted, format])
  })

  it('case 34: head-only and re-indented are metadata only; changed claim and whitespace in pre are not', () => {
    expect(file('a/meta.html').kind).toBe('metadata-only')
    expect(file('a/indent.html').kind).toBe('metadata-only')
    expect(file('a/indent.html').fields).toEqual(['formatting'])
    expect(file('a/claim.html').kind).toBe('claim-changed')
    expect(file('a/pre.html').kind).toBe('body-changed')
  })

  it('case 35: archived at any similarity, moved elsewhere is moved', () => {
    expect(file('archive/2026/a/short.html')).toMatchObject({ kind: 'archived', item: { fromPath: 'a/short.html' } })
    expect(file('b/move.html')).toMatchObject({ kind: 'moved', fields: [], item: { fromPath: 'a/move.html' } })
    expect(facts.files.some((one) => one.item.path === 'a/move.html')).toBe(false)
  })

  it('says of a move or an archiving that the text changed too', () => {
    expect(file('b/move-and-claim.html')).toMatchObject({
      kind: 'moved',
      gist: 'claim changed too: Something else is so.',
    })
  })

  it('case 39: names the fields that changed', () => {
    expect(file('a/meta.html').fields).toEqual(['confidence', 'updated'])
    expect(file('n/front.md').fields).toEqual(['tags'])
    expect(file('n/front-comment.md').fields).toEqual(['formatting'])
    expect(file('archive/2026/a/short.html').fields).toEqual(['archived', 'status'])
  })

  it('counts lists, store files and what attributes mark as generated', () => {
    for (const path of ['a/index.html', 'sitemap.xml', '.memhtml/state/access.jsonl', 'vendor/lib.js', 'made/out.txt'])
      expect(file(path).kind).toBe('generated')
  })

  it('gives a few words for the list', () => {
    const gists = [
      'a/claim.html',
      'a/meta.html',
      'a/new.html',
      'n/front.md',
      'n/run.sh',
      'n/link',
      'n/sub',
      'b/move.html',
    ]
    expect(gists.map((path) => file(path).gist)).toEqual([
      '40 → 60',
      '1.000 → 0.920',
      'A new claim, with words that no other file has: zebra, quartz, violin.',
      '+ b',
      'executable now',
      'plain.txt → run.sh',
      '1111111 → 2222222',
      'a → b',
    ])
  })
})

describe('the review of a store', () => {
  it('case 37: is base to tip whatever HEAD is', async () => {
    const files = (facts: ReviewFacts) => facts.files.map((file) => ({ ...file, changeKey: file.changeKey() }))
    const plain = files(await review(stores.clean()))
    const moved = stores.clean()
    moved.git('checkout', '-q', RUN)
    expect(files(await review(moved))).toEqual(plain)
    moved.git('checkout', '-q', '--detach', 'main~2')
    expect(files(await review(moved))).toEqual(plain)
    expect(files(await review(stores.bare()))).toEqual(plain)
  })

  it('names commits and phases of each file', async () => {
    const facts = await review(stores.foreignCommit())
    const phases = (path: string) => facts.byPath.get(path)?.phases
    expect(phases(PATHS.claim)).toEqual(['dedup-merge'])
    expect(phases(PATHS.foldedTo)).toEqual(['dedup-merge'])
    expect(phases(PATHS.folded)).toEqual(['dedup-merge'])
    expect(phases(PATHS.movedTo)).toEqual(['placement-triage'])
    expect(facts.byPath.get('areas/inbox/late-note.html')).toMatchObject({ phases: [], foreign: true })
    expect(facts.byPath.get(PATHS.claim)?.commits).toEqual([facts.commits.at(-1)?.oid])
  })

  it('follows a file that one phase changed and a later one archived', async () => {
    const path = 'areas/inbox/old.html'
    const trailers = (phase: string) => `x\n\nMemhtml-Run: ${RUN}\nMemhtml-Phase: ${phase}\nMemhtml-Counts: {}\n`
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { [path]: memory(), 'areas/a.html': memory({ claim: 'y' }) } },
        {
          on: RUN,
          message: trailers('confidence-decay'),
          files: { [path]: memory({ metas: { confidence: '0.900' } }) },
        },
        {
          on: RUN,
          message: trailers('retention-triage'),
          files: { [path]: null, [`archive/2026/${path}`]: memory({ status: 'archived' }) },
        },
      ],
    })
    const facts = await review(repo)
    expect(facts.files).toHaveLength(1)
    expect(facts.files[0]?.phases).toEqual(['confidence-decay', 'retention-triage'])
  })

  it('follows a file through a name that it had only during the run', async () => {
    const at = (body: string[]) => memory({ body: [...LONG, ...body] })
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { 'areas/inbox/x.html': at([]), 'areas/a.html': memory({ claim: 'y' }) } },
        { on: RUN, message: 'move', files: { 'areas/inbox/x.html': null, 'resources/x.html': at([]) } },
        { on: RUN, message: 'change', files: { 'resources/x.html': at(['More.']) } },
        {
          on: RUN,
          message: 'archive',
          files: { 'resources/x.html': null, 'archive/2026/resources/x.html': at(['More.']) },
        },
      ],
    })
    const facts = await review(repo)
    expect(facts.files).toMatchObject([{ kind: 'archived', item: { fromPath: 'areas/inbox/x.html' } }])
    expect(facts.files[0]?.commits).toEqual([...facts.commits].reverse().map((commit) => commit.oid))
  })

  it('reads the ledger from the blob at the tip, never from disk, and shows malformed lines', async () => {
    const repo = stores.malformedLedger()
    repo.write(LEDGER_PATH, 'stale\n')
    const facts = await review(repo)
    expect(facts.ledger?.path).toBe('.memhtml/sleep/sleep-2026-11-30.pending.jsonl')
    expect(facts.ledger?.marks.map((mark) => mark.kind)).toEqual([
      'entity-promoted',
      'edge-promoted',
      'session-consolidated',
      'commitment-below-floor',
      'malformed',
      'malformed',
    ])
    expect((await review(stores.noLedger())).ledger).toBeNull()
    expect(facts.reportPath).toBe('.memhtml/sleep/sleep-2026-11-30.html')
  })

  it('names what trunk changed too', async () => {
    const facts = await review(stores.mainAdvancedConflicting())
    expect(facts.byPath.get(PATHS.claim)?.alsoOnTrunk).toBe(true)
    expect(facts.byPath.get(PATHS.body)?.alsoOnTrunk).toBe(false)
    expect(facts.onTrunk).toMatchObject([{ subject: 'memhtml(correct): Connection pool', shared: [PATHS.claim] }])
    expect((await review(stores.mainAdvancedOverlapping())).byPath.get(PATHS.movedTo)?.alsoOnTrunk).toBe(true)
    expect((await review(stores.clean())).onTrunk).toEqual([])
  })

  it('keeps the same key for the same change on another night, whatever is stamped anew', async () => {
    const night = (at: string) =>
      buildRepo(undefined, {
        commits: [
          { message: 'Base', files: { 'a/x.html': memory(), 'a/y.html': memory({ claim: 'gone by' }) } },
          {
            on: RUN,
            message: 'Night',
            files: {
              'a/x.html': memory({ metas: { confidence: '0.920' }, updated: at }),
              'a/y.html': null,
              'archive/2026/a/y.html': memory({
                claim: 'gone by',
                status: 'archived',
                updated: at,
                metas: { archived: at },
              }),
            },
          },
        ],
      })
    const one = await review(night('2026-11-30T00:00:00Z'))
    const two = await review(night('2026-12-01T00:00:00Z'))
    for (const path of ['a/x.html', 'archive/2026/a/y.html']) {
      expect(one.byPath.get(path)?.changeKey()).toBe(two.byPath.get(path)?.changeKey())
      expect(one.byPath.get(path)?.item.contentKey).not.toBe(two.byPath.get(path)?.item.contentKey)
    }
  })
})
