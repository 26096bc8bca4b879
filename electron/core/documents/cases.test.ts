import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../e2e/support/core.ts'
import { buildRepo, copyRepo, type TestRepo } from '../../../e2e/support/index.ts'
import type { Caller } from '../../../shared/contract/index.ts'
import { Candidate, type PublishOutcome } from '../../../shared/model/index.ts'
import { headOf } from './publish/common.ts'

/** Cases of the publish protocol that its other tests do not hold; C1 to C21 are named in their titles. */

const PAGE = '# Plan\n\nalpha\n\nbeta\n'
const planner: Caller = { via: 'mcp', actor: 'planner' }
const researcher: Caller = { via: 'mcp', actor: 'researcher' }
const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE } }] })
let repo: TestRepo
let core: OpenedCore

beforeEach(async () => {
  repo = copyRepo(built)
  core = await openCore(repo)
})
afterEach(() => core.close())

const publish = (body: string, expectedVersion: number, by = planner, more = {}) =>
  core.ask('documents.publish', { path: 'plan.md', body, expectedVersion, ...more }, by) as Promise<PublishOutcome>

/** Removes one loose object, as a damaged disk does. */
function lose(revision: string): string {
  const oid = repo.git('rev-parse', revision).trim()
  rmSync(join(repo.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)))
  return oid
}

describe('cases of publish', () => {
  it('C6: metadata goes with the publish, and with the candidate that it becomes', async () => {
    const metadata = { status: 'open', owner: 'planner' }
    await publish(PAGE, 1, planner, { metadata })
    expect(repo.show('main', 'plan.md').toString()).toBe(`---\nstatus: open\nowner: planner\n---\n${PAGE}`)
    const met = await publish(PAGE.replace('beta', 'B'), 1, researcher, { metadata: { status: 'done' } })
    expect(met).toMatchObject({ status: 'merge-candidate' })
    if (met.status === 'merge-candidate') expect(met.candidate.body).toContain('status: done')
  })

  it('C7: a head without a positive version is an error that says so, never a candidate', async () => {
    for (const version of [0, -1, Number.NaN]) {
      const view = { head: async () => ({ version }) as never, bytes: async () => Buffer.alloc(0) }
      await expect(headOf(view, 'plan.md')).rejects.toMatchObject({ code: 'ERR_NO_VERSION', data: { path: 'plan.md' } })
    }
  })

  it.each([
    ['C8: a base', 'main~1:plan.md'],
    ['C9: a head', 'main:plan.md'],
  ])('%s that cannot be read is named, and nothing is written', async (_, revision) => {
    await publish(PAGE.replace('alpha', 'theirs'), 1, researcher)
    await core.close()
    const tip = repo.oid('main')
    const missing = lose(revision)
    core = await openCore(repo)
    await expect(publish(PAGE.replace('beta', 'mine'), 1)).rejects.toMatchObject({
      code: 'ERR_REPOSITORY_DAMAGED',
      data: { missing },
    })
    expect(repo.oid('main')).toBe(tip)
    expect(await core.ask('candidates.list', { all: true })).toEqual([])
  })

  it('C13: an append is known again only by the whole document, an archive by the document that is gone', async () => {
    const append = (body: string, version: number) =>
      core.ask('documents.append', { path: 'plan.md', body, expectedVersion: version, session: 's' }, planner)
    expect(await append('gamma\n', 1)).toMatchObject({ version: 2, reconciled: false })
    expect(await append('gamma\n', 1)).toMatchObject({ version: 2, reconciled: true })
    // The same end of another document is no sign of it.
    await publish(PAGE.replace('alpha', 'other').concat('gamma\n'), 2, researcher)
    expect(await append('gamma\n', 3)).toMatchObject({ version: 4, reconciled: false })
    expect(repo.show('main', 'plan.md').toString().endsWith('gamma\ngamma\n')).toBe(true)
    const archive = { path: 'plan.md', expectedVersion: 4, session: 's' }
    expect(await core.ask('documents.archive', archive, planner)).toMatchObject({ status: 'ok', unchanged: false })
    const tip = repo.oid('main')
    expect(await core.ask('documents.archive', archive, planner)).toMatchObject({ status: 'ok', unchanged: true })
    expect(repo.oid('main')).toBe(tip)
  })

  it('C14, C18: what is refused for good says why in both modes, leaves no candidate and is not tried again', async () => {
    repo.write('plan.md', 'a person’s\n')
    const commits = repo.git('rev-list', '--count', 'main')
    for (const onConflict of ['merge', 'fail'])
      await expect(publish('x\n', 1, planner, { onConflict })).rejects.toMatchObject({
        code: 'ERR_DIRTY_PATH',
        data: { path: 'plan.md' },
      })
    expect(await core.ask('candidates.list', { all: true })).toEqual([])
    expect(repo.git('rev-list', '--count', 'main')).toBe(commits)
    expect(repo.read('plan.md').toString()).toBe('a person’s\n')
  })

  it('C19: metadata that is no object is refused, never read as none', async () => {
    const tip = repo.oid('main')
    for (const metadata of ['status: open', 3, ['open'], { status: { deep: 1 } }])
      await expect(publish('x\n', 1, planner, { metadata: metadata as never })).rejects.toMatchObject({
        name: 'ZodError',
      })
    expect(repo.oid('main')).toBe(tip)
  })

  it('C21: a candidate without a version to publish at is none', async () => {
    await publish(PAGE.replace('alpha', 'theirs'), 1, researcher)
    const met = await publish(PAGE.replace('beta', 'mine'), 1)
    if (met.status !== 'merge-candidate') throw new Error(met.status)
    for (const publishAtVersion of [0, -1, undefined])
      expect(Candidate.safeParse({ ...met.candidate, publishAtVersion }).success).toBe(false)
    expect(Candidate.safeParse(met.candidate).success).toBe(true)
  })
})
