import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildRepo,
  contents,
  memoryHtml,
  ODD_PATHS,
  PATHS,
  phaseCommit,
  RUN,
  snapshot,
  snapshotDiff,
  stores,
  type TestRepo,
  withHome,
} from '../../../e2e/support/index.ts'
import { dispatch, type Method, type Params, type Result } from '../../../shared/contract/index.ts'
import { AppError, type WireError } from '../../../shared/errors/index.ts'
import { type Core, createCore } from '../createCore.ts'

const caller = { via: 'test' } as const
const cores: Core[] = []
afterAll(async () => {
  for (const core of cores) await core.dispose()
})

/** A core of its own home with one repository open; calls go through the contract, as every door's do. */
async function open(repo: TestRepo, person = withHome()) {
  const { home, env } = person
  const core = createCore({
    home,
    env,
    clock: () => new Date('2026-11-30T08:00:00Z'),
    host: 'cli',
    version: '0',
    log: () => {},
  })
  cores.push(core)
  const faults: unknown[] = []
  const native = () => {
    throw new AppError('ERR_NOT_SUPPORTED_HERE', { method: 'native' })
  }
  const port = {
    handlers: { ...core.handlers, 'repo.pick': native, 'repo.reveal': native },
    report: (error: unknown) => {
      faults.push(error)
      return 'fault'
    },
  }
  const ask = async <M extends Method>(method: M, params: Params<M>) => {
    const reply = await dispatch(port as never, method, params, caller)
    if (faults.length > 0) throw faults[0]
    return reply
  }
  const call = async <M extends Method>(method: M, params: Params<M>): Promise<Result<M>> => {
    const reply = await ask(method, params)
    if (!reply.ok) throw new Error(`${reply.error.code}: ${reply.error.message}`)
    return reply.result as Result<M>
  }
  const refused = async <M extends Method>(method: M, params: Params<M>): Promise<WireError> => {
    const reply = await ask(method, params)
    if (reply.ok) throw new Error(`${method} was answered`)
    return reply.error
  }
  const { id: repoId } = await call('repo.open', { path: repo.dir })
  const at = { repoId, branch: RUN }
  return { core, call, refused, at, person, review: () => call('review.get', at) }
}

type Opened = Awaited<ReturnType<typeof open>>
const fileIn = async (one: Opened, path: string) => {
  const found = (await one.review()).files.find((file) => file.path === path)
  if (!found) throw new Error(`no ${path}`)
  return found
}

describe('review.get', () => {
  let one: Opened
  beforeAll(async () => {
    one = await open(stores.clean())
  })

  it('tells run, files, commits, ledger and report of a night', async () => {
    const review = await one.review()
    expect(review.run).toMatchObject({ branch: RUN, files: review.files.length, commits: 11, readiness: 'ready' })
    expect(review.commits).toHaveLength(11)
    expect(review.commits[0]?.phase).toBe('report')
    expect(review.ledger?.marks).toHaveLength(4)
    expect(review.reportPath).toBe('.memhtml/sleep/sleep-2026-11-30.html')
    expect(review.files.find((file) => file.path === PATHS.claim)).toMatchObject({
      kind: 'claim-changed',
      gist: '40 → 60',
      included: true,
    })
    expect(review.files.find((file) => file.path.endsWith('.pending.jsonl'))?.cannotLeaveOut).toBe('store-file')
  })

  it('agrees with the inbox on the number of files', async () => {
    const inbox = await one.call('inbox.get', { repoId: one.at.repoId })
    expect(inbox.sleepBranches[0]?.files).toBe((await one.review()).files.length)
  })

  it('is quick the second time and follows the branch', async () => {
    const repo = stores.clean()
    const other = await open(repo)
    const first = await other.review()
    expect(await other.review()).toEqual(first)
    repo.git('checkout', '-q', RUN)
    repo.commit('late', { 'areas/late.txt': 'late\n' })
    expect((await other.review()).files.some((file) => file.path === 'areas/late.txt')).toBe(true)
  })
})

describe('case 36: an unknown run, a missing branch and an empty run', () => {
  it('are three distinct answers', async () => {
    const one = await open(stores.clean())
    expect(await one.refused('review.get', { ...one.at, branch: 'sleep/2020-01-01' })).toMatchObject({
      code: 'ERR_NO_SUCH_BRANCH',
    })
    const gone = stores.clean()
    gone.git('branch', '-D', RUN)
    const two = await open(gone)
    expect(await two.refused('review.get', two.at)).toMatchObject({
      code: 'ERR_BRANCH_GONE',
      data: { why: 'no-ref', status: 'review' },
    })
    const three = await open(stores.emptyRun())
    const empty = await three.review()
    expect(empty.files).toEqual([])
    expect(empty.run.status).toMatchObject({ state: 'blocked', blockers: [{ refusal: 'empty-run' }] })
  })

  it('a branch whose commits are gone is told as such', async () => {
    const repo = stores.clean()
    writeFileSync(`${repo.gitDir}/refs/heads/sleep/2026-11-28`, `${'1'.repeat(40)}\n`)
    const one = await open(repo)
    expect(await one.refused('review.get', { ...one.at, branch: 'sleep/2026-11-28' })).toMatchObject({
      code: 'ERR_BRANCH_GONE',
      data: { why: 'no-objects' },
    })
    expect((await one.review()).files.length).toBeGreaterThan(0)
  })
})

describe('viewed marks', () => {
  it('are kept per file and per change, and a file is whole when all of its parts are', async () => {
    const one = await open(stores.clean())
    const file = await one.call('review.file', { ...one.at, path: PATHS.claim })
    const keys = file.memory.map((part) => part.key)
    expect(keys.length).toBeGreaterThan(1)
    const tick = (marks: Params<'review.setViewed'>['marks']) => one.call('review.setViewed', { ...one.at, marks })
    const { path } = file.file
    expect(await tick([{ path, keys: keys.slice(0, 1), viewed: true }])).toEqual({
      files: [{ path, viewed: 'some' }],
      viewed: 0,
    })
    const some = await one.call('review.file', { ...one.at, path })
    expect(some.memory.map((part) => part.viewed)).toEqual(keys.map((_, at) => at === 0))
    expect((await fileIn(one, path)).viewed).toBe('some')
    expect(await tick([{ path, keys: keys.slice(1), viewed: true }])).toEqual({
      files: [{ path, viewed: 'yes' }],
      viewed: 1,
    })
    expect(await tick([{ path, keys: keys.slice(0, 1), viewed: false }])).toEqual({
      files: [{ path, viewed: 'some' }],
      viewed: 0,
    })
    const after = await one.call('review.file', { ...one.at, path })
    expect(after.memory.map((part) => part.viewed)).toEqual(keys.map((_, at) => at !== 0))
    expect(await tick([{ path, viewed: true }])).toEqual({ files: [{ path, viewed: 'yes' }], viewed: 1 })
    expect((await one.call('review.file', { ...one.at, path })).raw.every((part) => part.viewed)).toBe(true)
    expect(await tick([{ path, viewed: false }])).toEqual({ files: [{ path, viewed: 'no' }], viewed: 0 })
  })

  it('count for a pair by either of its paths, many at once, and in the inbox', async () => {
    const one = await open(stores.clean())
    const marks = [PATHS.evicted, PATHS.foldedTo, PATHS.body].map((path) => ({ path, viewed: true }))
    const done = await one.call('review.setViewed', { ...one.at, marks })
    expect(done.viewed).toBe(3)
    expect(done.files.map((file) => file.path)).toEqual([PATHS.evictedTo, PATHS.foldedTo, PATHS.body])
    const review = await one.review()
    expect([review.viewed, review.run.viewed, review.run.left]).toEqual([3, 3, review.files.length - 3])
    const inbox = await one.call('inbox.get', { repoId: one.at.repoId })
    expect(inbox.sleepBranches[0]).toMatchObject({ viewed: 3, left: review.files.length - 3 })
  })

  it('survive a restart and a re-run that makes the same change, and fall when the content differs', async () => {
    const repo = stores.clean()
    const one = await open(repo)
    const claim = await one.call('review.file', { ...one.at, path: PATHS.claim })
    await one.call('review.setViewed', {
      ...one.at,
      marks: [
        { path: PATHS.body, viewed: true },
        { path: PATHS.evictedTo, viewed: true },
        { path: PATHS.claim, keys: [claim.memory[0]?.key ?? ''], viewed: true },
      ],
    })
    await one.core.dispose()
    // The same tree from other commits, as a run that was made again leaves it.
    const tree = repo.git('rev-parse', `${RUN}^{tree}`)
    repo.git('update-ref', `refs/heads/${RUN}`, repo.git('commit-tree', tree, '-p', 'main', '-m', 'again'))
    const two = await open(repo, one.person)
    expect((await fileIn(two, PATHS.body)).viewed).toBe('yes')
    expect((await fileIn(two, PATHS.evictedTo)).viewed).toBe('yes')
    expect((await fileIn(two, PATHS.claim)).viewed).toBe('some')
    repo.git('checkout', '-q', RUN)
    const text = repo.read(PATHS.body).toString()
    const more = repo.read(PATHS.claim).toString()
    repo.commit('differs', {
      [PATHS.body]: text.replace('at once', 'soon'),
      [PATHS.claim]: more.replace('</article>', '<p>More.</p>\n</article>'),
    })
    expect((await fileIn(two, PATHS.body)).viewed).toBe('no')
    expect((await fileIn(two, PATHS.evictedTo)).viewed).toBe('yes')
    // One change of the file is as it was, so its tick stays.
    expect((await fileIn(two, PATHS.claim)).viewed).toBe('some')
  })

  it('make a file whole when what is left of it was ticked', async () => {
    const text = (first: string, second: string) => `${first}\n1\n2\n3\n4\n5\n6\n${second}\n`
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { 'a.txt': text('a', 'b') } },
        { on: RUN, message: 'Night', files: { 'a.txt': text('A', 'B') } },
      ],
    })
    const one = await open(repo)
    const file = await one.call('review.file', { ...one.at, path: 'a.txt' })
    const marks = [{ path: 'a.txt', keys: [file.raw[0]?.key ?? ''], viewed: true }]
    expect((await one.call('review.setViewed', { ...one.at, marks })).files[0]?.viewed).toBe('some')
    repo.git('checkout', '-q', RUN)
    repo.commit('again, and less of it', { 'a.txt': text('A', 'b') })
    expect((await fileIn(one, 'a.txt')).viewed).toBe('yes')
  })

  it('are refused for a file that the night does not change', async () => {
    const one = await open(stores.clean())
    const marks = [{ path: PATHS.untouched, viewed: true }]
    expect(await one.refused('review.setViewed', { ...one.at, marks })).toMatchObject({ code: 'ERR_NO_SUCH_FILE' })
  })
})

describe('what is left out', () => {
  it('is remembered per branch, a pair as one, across a restart', async () => {
    const repo = stores.clean()
    const one = await open(repo)
    const set = (paths: string[], included: boolean) => one.call('review.setIncluded', { ...one.at, paths, included })
    expect(await set([PATHS.evicted, PATHS.claim], false)).toEqual({ leftOut: [PATHS.evictedTo, PATHS.claim].sort() })
    await one.core.dispose()
    const two = await open(repo, one.person)
    expect((await fileIn(two, PATHS.claim)).included).toBe(false)
    expect((await fileIn(two, PATHS.evictedTo)).included).toBe(false)
    expect(await two.call('review.setIncluded', { ...two.at, paths: [PATHS.evictedTo], included: true })).toEqual({
      leftOut: [PATHS.claim],
    })
  })

  it("cannot be the store's own files", async () => {
    const one = await open(stores.clean())
    const path = '.memhtml/state/access.jsonl'
    expect(await one.call('review.setIncluded', { ...one.at, paths: [path], included: false })).toEqual({ leftOut: [] })
    expect((await fileIn(one, path)).included).toBe(true)
  })

  it('arrives unticked when it comes again, with new stamps, on another night', async () => {
    const note = (more: object) => memoryHtml({ title: 'N', claim: 'A note.', ...more })
    const night = (run: string, at: string) => ({
      ...phaseCommit(
        'confidence-decay',
        'x',
        { 'areas/n.html': note({ metas: { confidence: '0.920' }, updated: at }) },
        {},
        run,
      ),
      from: 'base',
    })
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { 'areas/n.html': note({}), 'areas/m.html': note({ claim: 'm' }) }, label: 'base' },
        night('sleep/2026-11-29', '2026-11-29T00:00:00Z'),
        night('sleep/2026-11-30', '2026-11-30T00:00:00Z'),
      ],
    })
    const one = await open(repo)
    const { declinable } = await import('../sleep/declined.ts')
    const { rememberDeclined } = await import('../store/declined.ts')
    const { openRepository } = await import('./openRepository.ts')
    const context = await openRepository(
      {
        ports: {
          home: one.person.home,
          env: one.person.env,
          clock: () => new Date(),
          host: 'cli',
          version: '0',
          log: () => {},
        },
        keepByDefault: () => false,
      },
      repo.dir,
    )
    const target = { run: 'sleep/2026-11-29', tip: repo.oid('sleep/2026-11-29'), trunk: repo.oid('main') }
    rememberDeclined(
      context.state,
      target.run,
      await declinable(context, target, ['areas/n.html']),
      '2026-11-29T08:00:00Z',
    )
    await context.dispose()
    expect(await fileIn(one, 'areas/n.html')).toMatchObject({ declinedBefore: true, included: false })
    await one.call('review.setIncluded', { ...one.at, paths: ['areas/n.html'], included: true })
    expect(await fileIn(one, 'areas/n.html')).toMatchObject({ declinedBefore: false, included: true })
  })
})

describe('walking commit by commit', () => {
  it('shows what one commit did and no more', async () => {
    const one = await open(stores.foreignCommit())
    const { commits } = await one.review()
    const dedup = commits.at(-1)?.oid ?? ''
    const walked = await one.call('review.commit', { ...one.at, commit: dedup })
    expect(walked.commit.phase).toBe('dedup-merge')
    expect(walked.files.map((file) => [file.path, file.kind])).toEqual([
      [PATHS.foldedTo, 'archived'],
      [PATHS.body, 'body-changed'],
      [PATHS.claim, 'claim-changed'],
    ])
    const foreign = await one.call('review.commit', { ...one.at, commit: commits[0]?.oid ?? '' })
    expect(foreign.files).toMatchObject([{ path: 'areas/inbox/late-note.html', kind: 'created', foreign: true }])
    const file = await one.call('review.file', { ...one.at, path: PATHS.claim, commit: dedup })
    expect(file.why).toEqual([{ oid: dedup, phase: 'dedup-merge', text: 'fold 1 near-duplicate into its canonical' }])
    const other = { ...one.at, path: PATHS.claim, commit: commits[0]?.oid ?? '' }
    expect(await one.refused('review.file', other)).toMatchObject({ code: 'ERR_NO_SUCH_FILE' })
  })

  it('refuses a commit that is not of the run', async () => {
    const repo = stores.clean()
    const one = await open(repo)
    expect(await one.refused('review.commit', { ...one.at, commit: repo.oid('main') })).toMatchObject({
      code: 'ERR_NO_SUCH_COMMIT',
    })
  })
})

describe('what a review leaves behind', () => {
  it('nothing in the repository, and every odd path comes through', async () => {
    const repo = contents.oddPathsChanged()
    const before = snapshot(repo.dir)
    const one = await open(repo)
    const review = await one.review()
    expect(review.files.map((file) => file.path)).toEqual(expect.arrayContaining([...ODD_PATHS]))
    for (const path of ODD_PATHS) {
      expect((await one.call('review.file', { ...one.at, path })).file.path).toBe(path)
      await one.call('review.setViewed', { ...one.at, marks: [{ path, viewed: true }] })
      expect((await fileIn(one, path)).viewed).toBe('yes')
    }
    await one.core.dispose()
    expect(snapshotDiff(before, snapshot(repo.dir))).toEqual([])
  })
})
