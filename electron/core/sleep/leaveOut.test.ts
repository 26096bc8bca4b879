import { beforeAll, describe, expect, it } from 'vitest'
import { expectUntouched, openCore, remember } from '../../../e2e/support/core.ts'
import {
  buildRepo,
  copyRepo,
  dumpStoreDbs,
  LEDGER_PATH,
  MARK_LINES,
  PATHS,
  RUN,
  SESSION_ID,
  storeSql,
  stores,
  type TestRepo,
} from '../../../e2e/support/index.ts'

let clean: TestRepo
beforeAll(() => {
  clean = stores.clean()
})

const params = (except: readonly string[]) => ({ branch: RUN, except: [...except], bringMainIn: false })
const preview = (except: readonly string[]) => ({ branch: RUN, except: [...except] })
const trailers = (repo: TestRepo, key: string) =>
  repo.git('log', '-1', `--format=%(trailers:key=${key},valueonly)`, 'main').split('\n').filter(Boolean)

describe('leave out', () => {
  it('lands one commit above the tip in which the paths are as the merge base has them; the branch does not move', async () => {
    for (const head of ['main', RUN]) {
      const repo = copyRepo(clean)
      repo.git('checkout', '-q', head)
      repo.write(PATHS.untouched, 'mine\n')
      const [main, tip, before] = [repo.oid('main'), repo.oid(RUN), remember(repo)]
      const { ask, close } = await openCore(repo)
      const outcome = await ask('sleep.approve', params([PATHS.claim, PATHS.session]))
      expect(outcome).toMatchObject({ approved: true, leftOut: [PATHS.claim, PATHS.session] })
      const to = repo.oid('main')
      expect(repo.git('rev-list', '--parents', '-n1', 'main')).toBe(`${to} ${tip}`)
      expect(repo.git('diff', '--no-renames', '--name-only', tip, to).split('\n').sort()).toEqual(
        [LEDGER_PATH, PATHS.claim, PATHS.session].sort(),
      )
      expect(repo.git('diff', '--name-only', main, to, '--', PATHS.claim, PATHS.session)).toBe('')
      expect(trailers(repo, 'Daybreak-Left-Out').map((value) => JSON.parse(value))).toEqual([
        PATHS.claim,
        PATHS.session,
      ])
      expect(repo.git('log', '-1', '--format=%B', 'main')).toMatch(/stale until the next night[\s\S]*sitemap\.xml/)
      expect(outcome).toMatchObject({ stale: expect.arrayContaining(['sitemap.xml', 'resources/infra/index.html']) })
      expectUntouched(repo, before, {
        moved: [head === 'main' ? main : tip, to],
        status: [expect.stringContaining(PATHS.untouched)],
      })
      expect(repo.git('for-each-ref', '--format=%(objectname)', 'refs/daybreak/kept')).toBe(tip)
      await close()
    }
  })

  it('takes an archive pair as one item, whichever half is named', async () => {
    for (const path of [PATHS.evicted, PATHS.evictedTo]) {
      const repo = copyRepo(clean)
      const { ask, close } = await openCore(repo)
      expect(await ask('sleep.approve', params([path]))).toMatchObject({ approved: true, leftOut: [PATHS.evictedTo] })
      expect(repo.git('ls-tree', '--name-only', 'main', PATHS.evicted, PATHS.evictedTo)).toBe(PATHS.evicted)
      expect(trailers(repo, 'Daybreak-Left-Out').map((value) => JSON.parse(value))).toEqual([
        PATHS.evicted,
        PATHS.evictedTo,
      ])
      await close()
    }
  })

  it('holds the marks of what is left out, and they are absent from the ledger that lands', async () => {
    const cases: readonly (readonly [path: string, held: string, line: number])[] = [
      [PATHS.link, 'edge-promoted', 1],
      [PATHS.entity, 'entity-promoted', 0],
      [PATHS.session, 'session-consolidated', 2],
    ]
    for (const [path, kind, line] of cases) {
      const repo = copyRepo(clean)
      const { ask, close } = await openCore(repo)
      expect((await ask('sleep.preview', preview([path]))).heldMarks).toMatchObject([{ kind }])
      const outcome = await ask('sleep.approve', params([path]))
      expect(outcome).toMatchObject({ approved: true, marks: { pending: 3, applied: 3, held: [{ kind }] } })
      const lines = repo.show('main', LEDGER_PATH).toString().trimEnd().split('\n')
      expect(lines).toEqual(MARK_LINES.filter((_, at) => at !== line))
      const rows = {
        'edge-promoted': storeSql(repo.dir, 'state', 'SELECT promoted AS n FROM edge_corroboration'),
        'entity-promoted': storeSql(repo.dir, 'state', 'SELECT promoted AS n FROM entity_corroboration'),
        'session-consolidated': storeSql(repo.dir, 'index', 'SELECT count(*) AS n FROM trace_consolidations'),
      }
      for (const [mark, found] of Object.entries(rows)) expect(found).toEqual([{ n: mark === kind ? 0 : 1 }])
      await close()
    }
    expect(SESSION_ID).toBeTruthy()
  })

  it('names links that would dangle first, and leaving both out settles them', async () => {
    const { ask, close } = await openCore(copyRepo(clean))
    const dangling = [{ path: PATHS.claim, target: PATHS.foldedTo }]
    expect(await ask('sleep.preview', preview([PATHS.folded]))).toMatchObject({ dangling, blockers: [] })
    expect(await ask('sleep.preview', preview([PATHS.folded, PATHS.claim]))).toMatchObject({ dangling: [] })
    await close()
  })

  it('refuses what cannot be left out and names why', async () => {
    const repo = copyRepo(clean)
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    const refused = async (paths: readonly string[], refusal: object) =>
      expect(await ask('sleep.approve', params(paths))).toEqual({ approved: false, refusal })
    await refused([LEDGER_PATH, PATHS.untouched], {
      refusal: 'cannot-leave-out',
      paths: [
        { path: LEDGER_PATH, why: 'store-file' },
        { path: PATHS.untouched, why: 'not-changed' },
      ],
    })
    const all = [PATHS.claim, PATHS.folded, PATHS.body, PATHS.entity, PATHS.person, PATHS.link, PATHS.confidence]
    const every = [...all, PATHS.evicted, PATHS.session, PATHS.moved]
    expect(await ask('sleep.approve', params(every))).toMatchObject({
      refusal: {
        refusal: 'cannot-leave-out',
        paths: expect.arrayContaining([{ path: PATHS.claim, why: 'everything' }]),
      },
    })
    expectUntouched(repo, before)
    expect(repo.refs()).toEqual(before.refs)
    await close()
  })

  it('refuses a file and a folder of one name, naming both', async () => {
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { 'dir/x': 'x\n', 'b.md': 'b\n' } },
        { on: RUN, message: 'Night', files: { 'dir/x': null, dir: 'now a file\n', 'b.md': 'c\n' } },
      ],
    })
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    const refusal = { refusal: 'path-clash', clashes: [{ file: 'dir', inside: 'dir/x' }] }
    expect(await ask('sleep.approve', params(['dir/x']))).toEqual({ approved: false, refusal })
    expect((await ask('sleep.preview', preview(['dir/x']))).blockers).toEqual([refusal])
    expectUntouched(repo, before)
    const main = repo.oid('main')
    expect(await ask('sleep.approve', params(['dir/x', 'dir']))).toMatchObject({ approved: true })
    expectUntouched(repo, before, { moved: [main, repo.oid('main')], status: [] })
    await close()
  })

  it('quotes odd paths in trailers so that they come back', async () => {
    const odd = ['a\nb \u{1f600} -> c.md', '-dash "quoted".md', 'caf\udce9.md']
    const repo = buildRepo(undefined, {
      commits: [
        { message: 'Base', files: { ...Object.fromEntries(odd.map((path) => [path, 'old\n'])), 'z.md': 'z\n' } },
        {
          on: RUN,
          message: 'Night',
          files: { ...Object.fromEntries(odd.map((path) => [path, 'new\n'])), 'z.md': 'y\n' },
        },
      ],
    })
    const before = remember(repo)
    const { ask, close } = await openCore(repo)
    expect(await ask('sleep.approve', params(odd))).toMatchObject({ approved: true, leftOut: odd })
    for (const path of odd) expect(repo.read(path).toString()).toBe('old\n')
    expect(repo.read('z.md').toString()).toBe('y\n')
    expect(trailers(repo, 'Daybreak-Left-Out').map((value) => JSON.parse(value))).toEqual(odd)
    expectUntouched(repo, before, { moved: ['main~2', 'main'], status: [] })
    await close()
  })

  it('a left-out change is remembered by content, and forgotten when the approval is undone', async () => {
    const repo = copyRepo(clean)
    const planes = dumpStoreDbs(repo.dir)
    const { ask, close } = await openCore(repo)
    const outcome = await ask('sleep.approve', params([PATHS.claim]))
    const operationId = (outcome as { operationId: string }).operationId
    repo.git('branch', 'sleep/2026-12-01', 'main')
    repo.git('checkout', '-q', 'sleep/2026-12-01')
    repo.commit('Night', { [PATHS.claim]: repo.show(`main^`, PATHS.claim) })
    repo.git('checkout', '-q', 'main')
    const review = await ask('review.get', { branch: 'sleep/2026-12-01' })
    expect(review.files.find((file) => file.path === PATHS.claim)).toMatchObject({
      declinedBefore: true,
      included: false,
    })
    expect(await ask('sleep.undo', { operationId, revert: false })).toMatchObject({ undone: true })
    expect(dumpStoreDbs(repo.dir)).toEqual(planes)
    const again = await ask('review.get', { branch: 'sleep/2026-12-01' })
    expect(again.files.find((file) => file.path === PATHS.claim)).toMatchObject({ declinedBefore: false })
    await close()
  })
})
