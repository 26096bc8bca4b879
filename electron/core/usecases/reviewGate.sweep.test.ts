import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../e2e/support/core.ts'
import { PATHS, RUN, stores, type TestRepo } from '../../../e2e/support/index.ts'
import type { FileChange } from '../../../shared/model/index.ts'

const cores: OpenedCore[] = []
afterAll(async () => {
  for (const core of cores) await core.close()
})

async function opened(repo: TestRepo): Promise<OpenedCore> {
  const core = await openCore(repo, { clock: () => new Date('2026-11-30T08:00:00Z') })
  cores.push(core)
  return core
}

describe('the gate', () => {
  it('is told with what would run, whether it may, and that it failed', async () => {
    const repo = stores.clean()
    repo.commit('gate', { '.daybreak.yml': 'gate: { run: "exit 3" }\n' })
    repo.git('checkout', '-q', RUN)
    repo.git('rebase', '-q', 'main')
    repo.git('checkout', '-q', 'main')
    const one = await opened(repo)
    expect((await one.ask('review.get', { branch: RUN })).gate).toEqual({
      command: 'exit 3',
      trusted: false,
      last: null,
    })
    const { hash } = await one.ask('trust.get', {})
    await one.ask('trust.accept', { hash })
    const outcome = await one.ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false })
    expect(outcome).toMatchObject({ approved: false, refusal: { refusal: 'gate-failed' } })
    expect((await one.ask('review.get', { branch: RUN })).gate).toEqual({
      command: 'exit 3',
      trusted: true,
      last: { passed: false, at: '2026-11-30T08:00:00.000Z' },
    })
  })

  it('is known to have passed only for the tree that would land: until a tick, the tip or main is another', async () => {
    const repo = stores.clean()
    repo.commit('gate', { '.daybreak.yml': 'gate: { run: "exit 0" }\n' })
    repo.git('checkout', '-q', RUN)
    repo.git('rebase', '-q', 'main')
    repo.git('checkout', '-q', 'main')
    const one = await opened(repo)
    const { hash } = await one.ask('trust.get', {})
    await one.ask('trust.accept', { hash })
    const last = async () => (await one.ask('review.get', { branch: RUN })).gate?.last ?? null
    const outcome = await one.ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false })
    if (!outcome.approved) expect.unreachable()
    const undone = await one.ask('sleep.undo', { operationId: outcome.operationId, revert: false })
    expect(undone).toMatchObject({ undone: true, restoredAs: RUN })
    const passed = { passed: true, at: '2026-11-30T08:00:00.000Z' }
    expect(await last()).toEqual(passed)
    const tick = (included: boolean) => one.ask('review.setIncluded', { branch: RUN, paths: [PATHS.body], included })
    await tick(false)
    expect(await last()).toBeNull()
    await tick(true)
    expect(await last()).toEqual(passed)
    repo.git('checkout', '-q', RUN)
    repo.commit('late', { 'areas/late.txt': 'late\n' })
    expect(await last()).toBeNull()
    repo.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await last()).toEqual(passed)
    repo.git('checkout', '-q', 'main')
    repo.commit('agent', { 'areas/agent.txt': 'agent\n' })
    expect(await last()).toBeNull()
  })
})

describe('objects that are gone', () => {
  /** A night of which the blob of one changed file is gone, or damaged, or of one created file beside a deleted one. */
  const without = (path: string, how: 'gone' | 'damaged') => {
    const repo = stores.clean()
    const blob = repo.git('rev-parse', `${RUN}:${path}`)
    const file = `${repo.gitDir}/objects/${blob.slice(0, 2)}/${blob.slice(2)}`
    rmSync(file)
    if (how === 'damaged') writeFileSync(file, 'no object')
    return { repo, blob }
  }

  it('make an error of their own file only: the rest is reviewed, ticked and counted as ever', async () => {
    for (const [path, how] of [
      [PATHS.claim, 'gone'],
      [PATHS.claim, 'damaged'],
      [PATHS.foldedTo, 'gone'],
    ] as const) {
      const whole = await opened(stores.clean())
      const { repo, blob } = without(path, how)
      const one = await opened(repo)
      const { files } = await one.ask('review.get', { branch: RUN })
      expect(files.filter((file) => file.missing !== null)).toMatchObject([{ path, missing: blob }])
      const others = (list: FileChange[]) => list.filter((file) => file.path !== path)
      expect(others(files)).toEqual(others((await whole.ask('review.get', { branch: RUN })).files))
      await expect(one.ask('review.file', { branch: RUN, path })).rejects.toMatchObject({
        code: 'ERR_REPOSITORY_DAMAGED',
        data: { missing: blob },
      })
      expect((await one.ask('review.file', { branch: RUN, path: PATHS.body })).memory.length).toBeGreaterThan(0)
      const ticks = { branch: RUN, marks: [PATHS.body, path].map((at) => ({ path: at, viewed: true })) }
      expect((await one.ask('review.setViewed', ticks)).viewed).toBe(2)
      expect((await one.ask('review.get', { branch: RUN })).viewed).toBe(2)
      expect((await one.ask('inbox.get', {})).sleepBranches).toHaveLength(1)
    }
  })

  it('are looked for again: what was fetched meanwhile is shown', async () => {
    const { repo, blob } = without(PATHS.claim, 'gone')
    const one = await opened(repo)
    expect(
      (await one.ask('review.get', { branch: RUN })).files.find((file) => file.path === PATHS.claim)?.missing,
    ).toBe(blob)
    const bytes = stores.clean().gitBytes(['cat-file', 'blob', blob])
    repo.gitBytes(['hash-object', '-w', '--stdin', '--no-filters'], { input: bytes })
    expect(
      (await one.ask('review.get', { branch: RUN })).files.find((file) => file.path === PATHS.claim),
    ).toMatchObject({
      missing: null,
      kind: 'claim-changed',
    })
  })
})
