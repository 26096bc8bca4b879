import { afterAll, describe, expect, it } from 'vitest'
import {
  buildRepo,
  type CommitSpec,
  memoryHtml,
  phaseCommit,
  RUN,
  stores,
  tempDir,
} from '../../../e2e/support/index.ts'
import { createObjectReader } from '../git/objects.ts'
import { createGit } from '../git/process.ts'
import { recordOperation } from '../store/operations.ts'
import { openStateDb } from '../store/stateDb.ts'
import { computeReview } from './review.ts'
import { readCounts } from './reviewProof.ts'

const open: { close(): void }[] = []
afterAll(() => {
  for (const one of open) one.close()
})

async function commitsOf(
  repo: { dir: string; gitDir: string; oid(name: string): string },
  state = openStateDb(tempDir('state')),
) {
  const git = createGit({ cwd: repo.dir, env: process.env })
  const objects = createObjectReader(git)
  open.push(objects)
  const repository = { commonDir: repo.gitDir } as never
  open.push(state)
  const facts = await computeReview(
    { git, config: [], objects, repository, state },
    { run: RUN, tip: repo.oid(RUN), trunk: repo.oid('main') },
  )
  return [...facts.commits].reverse()
}

const page = (claim: string) => memoryHtml({ title: claim, claim })
const night = (...commits: CommitSpec[]) =>
  buildRepo(undefined, {
    commits: [{ message: 'Base', files: { 'areas/a.html': page('a'), 'README.md': 'x\n' } }, ...commits],
  })
const decay = (claim: string, more: Partial<CommitSpec> = {}): CommitSpec => ({
  ...phaseCommit('confidence-decay', claim, { 'areas/a.html': page(claim) }),
  ...more,
})
const foreignOf = async (...commits: CommitSpec[]) =>
  (await commitsOf(night(...commits))).map((commit) => commit.foreign)

describe('commits that no phase made', () => {
  it('case 38: a commit without a phase trailer is flagged as foreign, the others are not', async () => {
    const commits = await commitsOf(stores.foreignCommit())
    expect(commits.at(-1)).toMatchObject({ phase: null, foreign: 'no-trailer' })
    expect(commits.slice(0, -1).map((commit) => commit.foreign)).toEqual(commits.slice(0, -1).map(() => null))
    expect(commits[0]).toMatchObject({ phase: 'dedup-merge', counts: { candidates: 2, merged: 1 } })
  })

  it('a trailer in the body, or in a paragraph before the last one, is none', async () => {
    const forged = `Memhtml-Run: ${RUN}\nMemhtml-Phase: confidence-decay`
    expect(
      await foreignOf(
        decay('b', { message: `subject\n\n${forged}\n\nA last paragraph of words.\n` }),
        decay('c', { message: `${forged}\n` }),
        decay('d', {
          message: `subject\n\nWords then\n${forged}\nmore words and more and more.\nAnd more.\nAnd more.\nAnd more.\nAnd so on.\n`,
        }),
      ),
    ).toEqual(['no-trailer', 'no-trailer', 'no-trailer'])
  })

  it('another run, an unknown phase, two phases', async () => {
    const named = (run: string, phase: string) => `x\n\nMemhtml-Run: ${run}\nMemhtml-Phase: ${phase}\n`
    expect(
      await foreignOf(
        decay('b', { message: named('sleep/2026-11-29', 'confidence-decay') }),
        decay('c', { message: named(RUN, 'toString') }),
        decay('d', { message: `${named(RUN, 'confidence-decay')}Memhtml-Phase: report\n` }),
        decay('e', { message: `${named(RUN, 'confidence-decay')}Memhtml-Run: ${RUN}\n` }),
      ),
    ).toEqual(['other-run', 'unknown-phase', 'unknown-phase', 'other-run'])
  })

  it('a known phase out of order', async () => {
    const dedup = phaseCommit('dedup-merge', 'x', { 'areas/b.html': page('b') })
    const trace = (at: number) => phaseCommit('trace-consolidation', 'x', { [`areas/t${at}.html`]: page(`t${at}`) })
    expect(await foreignOf(decay('b'), dedup, decay('c'), trace(1), trace(2))).toEqual([
      null,
      'out-of-order',
      null,
      null,
      null,
    ])
  })

  it('a phase that touches what such a phase may not', async () => {
    const touch = (phase: string, files: CommitSpec['files']) => foreignOf(phaseCommit(phase, 'x', files))
    expect(await touch('confidence-decay', { 'areas/a.html': page('b'), 'README.md': 'y\n' })).toEqual([
      'path-not-allowed',
    ])
    expect(await touch('integrity', { 'areas/index.html': 'list\n', '.github/x.html': 'y' })).toEqual([
      'path-not-allowed',
    ])
    expect(await touch('report', { '.memhtml/sleep/sleep-2026-11-29.html': 'y' })).toEqual(['path-not-allowed'])
    expect(await touch('relationship-mining', { 'areas/b.html': page('b') })).toEqual(['path-not-allowed'])
    expect(await touch('confidence-decay', { 'areas/a.html': { symlink: '/etc/passwd' } })).toEqual([
      'path-not-allowed',
    ])
    expect(await touch('confidence-decay', { 'areas/a.html': { content: page('b'), mode: '100755' } })).toEqual([
      'path-not-allowed',
    ])
    expect(await touch('integrity', { 'areas/index.html': 'list\n', 'sitemap.xml': '<x/>' })).toEqual([null])
  })
})

describe('Bring main in', () => {
  const trailers = (repo: { oid(name: string): string }, brought = repo.oid('main')) =>
    `Bring main in\n\nDaybreak-Operation: op-12345678\nDaybreak-Brings-In: ${brought}\n`
  const advanced = () =>
    buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { 'areas/a.html': page('a'), 'areas/index.html': 'list\n' }, label: 'base' },
        { ...decay('b'), from: 'base' },
        { ...phaseCommit('integrity', 'x', { 'areas/index.html': 'night list\n' }) },
        { message: 'On main', files: { 'areas/m.html': page('m'), 'areas/index.html': 'main list\n' } },
      ],
    })
  const mergeInto = (
    repo: ReturnType<typeof advanced>,
    message: string,
    extra?: (index: string) => void,
    parents = ['main', RUN],
  ) => {
    repo.git('checkout', '-q', '--detach', 'main')
    repo.gitBytes(['merge', '-q', '-s', 'ours', '--no-commit', RUN])
    repo.git('checkout', RUN, '--', 'areas/a.html', 'areas/index.html')
    extra?.(repo.dir)
    repo.git('add', '-A')
    const tree = repo.git('write-tree')
    const made = repo.git('commit-tree', tree, ...parents.flatMap((p) => ['-p', p]), '-m', message)
    repo.git('reset', '-q', '--hard')
    repo.git('update-ref', `refs/heads/${RUN}`, made)
    return repo
  }

  it('is proven by its trailers, its parents and its content', async () => {
    const repo = advanced()
    const last = (await commitsOf(mergeInto(repo, trailers(repo)))).at(-1)
    expect(last).toMatchObject({ bringsMainIn: true, foreign: null, phase: null, files: 0 })
  })

  it('is not believed with something put in, with parents the other way round, or without trailers', async () => {
    const added = advanced()
    mergeInto(added, trailers(added), () => added.write('areas/evil.html', page('evil')))
    expect((await commitsOf(added)).at(-1)).toMatchObject({ bringsMainIn: false, foreign: 'merge' })
    const list = advanced()
    mergeInto(list, trailers(list), () => list.write('areas/index.html', 'a list of neither\n'))
    expect((await commitsOf(list)).at(-1)).toMatchObject({ bringsMainIn: false, foreign: 'merge' })
    const dropped = advanced()
    mergeInto(dropped, trailers(dropped), () => dropped.write('areas/a.html', page('a')))
    expect((await commitsOf(dropped)).at(-1)).toMatchObject({ bringsMainIn: false, foreign: 'merge' })
    const swapped = advanced()
    mergeInto(swapped, trailers(swapped), undefined, [RUN, 'main'])
    expect((await commitsOf(swapped)).at(-1)?.foreign).toBe('merge')
    const bare = advanced()
    mergeInto(bare, 'Merge branch main')
    expect((await commitsOf(bare)).at(-1)?.foreign).toBe('merge')
    const other = advanced()
    mergeInto(other, trailers(other, other.oid('main~1')))
    expect((await commitsOf(other)).at(-1)?.foreign).toBe('merge')
  })

  it('is not believed for naming an operation that made another commit', async () => {
    const repo = advanced()
    mergeInto(repo, trailers(repo), () => repo.write('areas/evil.html', page('evil')))
    const state = openStateDb(tempDir('state'))
    open.push(state)
    const row = {
      id: 'op-12345678',
      verb: 'bring-main-in' as const,
      branch: RUN,
      actor: 'Test Person',
      via: 'test' as const,
      startedAt: '2026-11-30T00:00:00Z',
      endedAt: '2026-11-30T00:00:01Z',
      from: null,
      plan: null,
      outcome: null,
      owner: { pid: 1, started: '' },
    }
    const last = async (stage: 'done' | 'rolled-back', to: string) => {
      recordOperation(state, { ...row, stage, to })
      return (await commitsOf(repo, state)).at(-1)?.foreign
    }
    expect(await last('done', repo.oid('main'))).toBe('merge')
    expect(await last('rolled-back', repo.oid(RUN))).toBe('merge')
    expect(await last('done', repo.oid(RUN))).toBeNull()
  })

  it('leaves the commits of main out of the run', async () => {
    const repo = advanced()
    const commits = await commitsOf(mergeInto(repo, trailers(repo)))
    expect(commits.map((commit) => commit.subject)).toEqual([
      'memhtml(sleep(confidence-decay)): b',
      'memhtml(sleep(integrity)): x',
      'Bring main in',
    ])
  })
})

describe('hostile texts', () => {
  const counts = (value: string, ...more: string[]) =>
    readCounts({ trailers: [value, ...more].map((one) => ({ key: 'Memhtml-Counts', value: one })) })

  it('counts are numbers in one object, or nothing', () => {
    expect(counts('{"a":1,"b":2.5}')).toEqual({ a: 1, b: 2.5 })
    for (const bad of [
      '',
      '[]',
      'null',
      '3',
      '{"a":"1"}',
      '{"a":{"b":1}}',
      '{"a":1e999}',
      '{',
      `{"a":${'1'.repeat(70_000)}}`,
    ])
      expect(counts(bad)).toBeNull()
    expect(counts('{"a":1}', '{"a":2}')).toBeNull()
    expect(counts(JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]))))).toBeNull()
    expect(Object.keys(counts('{"__proto__":1,"a":1}') ?? {})).toEqual(['a'])
  })

  it('a message in another encoding, invalid bytes and control characters are shown as text', async () => {
    const repo = night(decay('b'))
    const raw = (header: string, message: Buffer) => {
      const tree = repo.git('rev-parse', `${RUN}^{tree}`)
      const who = 'A <a@b.invalid> 1800000000 +0000'
      const body = Buffer.concat([
        Buffer.from(`tree ${tree}\nparent ${repo.oid(RUN)}\nauthor ${who}\ncommitter ${who}\n${header}\n`),
        message,
      ])
      const made = repo
        .gitBytes(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], { input: body })
        .toString()
        .trim()
      repo.git('update-ref', `refs/heads/${RUN}`, made)
    }
    raw('encoding ISO-8859-1\n', Buffer.from('caf\xe9\n', 'latin1'))
    raw('', Buffer.from([0x62, 0xff, 0xfe, 0x1b, 0x5b, 0x33, 0x31, 0x6d, 0x0a]))
    repo.git('config', 'i18n.logOutputEncoding', 'UTF-16')
    repo.git('config', 'log.showSignature', 'true')
    const subjects = (await commitsOf(repo)).map((commit) => commit.subject)
    expect(subjects[1]).toBe('café')
    expect(subjects[2]?.isWellFormed()).toBe(true)
    expect(subjects[2]?.startsWith('b')).toBe(true)
  })
})
