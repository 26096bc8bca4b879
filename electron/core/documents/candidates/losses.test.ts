import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../../e2e/support/core.ts'
import { buildRepo, copyRepo, type TestRepo } from '../../../../e2e/support/index.ts'
import type { Caller } from '../../../../shared/contract/index.ts'
import type { PublishOutcome } from '../../../../shared/model/index.ts'

const PAGE = '# Plan\n\nalpha\n\nbeta\n\ngamma\n'
const OURS = PAGE.replace('gamma', 'gamma\n\nAsk Ines before the switch.')
const THEIRS = PAGE.replace('alpha', 'alpha\n\nKeep twelve connections spare.')
const planner: Caller = { via: 'mcp', actor: 'planner' }
const researcher: Caller = { via: 'mcp', actor: 'researcher' }
const person: Caller = { via: 'test' }

const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE } }] })
let repo: TestRepo
let core: OpenedCore

beforeEach(async () => {
  repo = copyRepo(built)
  core = await openCore(repo)
})
afterEach(() => core.close())

const publish = (body: string, expectedVersion: number, by: Caller, more = {}) =>
  core.ask('documents.publish', { path: 'plan.md', body, expectedVersion, ...more }, by) as Promise<PublishOutcome>
const text = () => repo.show('main', 'plan.md').toString()

/** The planner answers its candidate with a text that has neither side's new line. */
async function lose(): Promise<string> {
  await publish(THEIRS, 1, researcher)
  const met = await publish(OURS, 1, planner)
  if (met.status !== 'merge-candidate') throw new Error(met.status)
  const done = await publish(PAGE.replace('# Plan', '# The plan'), met.candidate.publishAtVersion, planner)
  expect(done).toMatchObject({ status: 'ok', version: 3, answered: met.candidate.id })
  return met.candidate.id
}

describe('lines that an agent’s answer lost', () => {
  it('are reported until they are put back, one by one, where they stood', async () => {
    const candidate = await lose()
    const [report, ...others] = await core.ask('candidates.losses', {})
    expect(others).toEqual([])
    expect(report).toMatchObject({ candidate, path: 'plan.md', by: 'planner', version: 3, theirs: 'researcher' })
    expect(report?.lines.map(({ side, text }) => [side, text])).toEqual([
      ['ours', 'Ask Ines before the switch.'],
      ['theirs', 'Keep twelve connections spare.'],
    ])
    const [ask, keep] = report?.lines ?? []
    const restored = await core.ask('candidates.restoreLine', { candidate, index: keep?.index ?? -1 }, person)
    expect(restored).toEqual({ path: 'plan.md', version: 4, there: false })
    expect(text()).toBe('# The plan\n\nalpha\n\nKeep twelve connections spare.\n\nbeta\n\ngamma\n')
    expect(repo.git('show', '--format=%s', '--name-only', 'main').trim().split(/\n+/)).toEqual([
      'Restore a line of plan.md',
      'plan.md',
    ])
    expect((await core.ask('candidates.losses', {}))[0]?.lines).toEqual([ask])
    await core.ask('candidates.restoreLine', { candidate, index: ask?.index ?? -1 }, person)
    expect(text()).toContain('gamma\n\nAsk Ines before the switch.\n')
    expect(await core.ask('candidates.losses', {})).toEqual([])
    expect(repo.status()).toBe('')
  })

  it('are let go one by one or all at once, and nothing is written', async () => {
    const candidate = await lose()
    const tip = repo.oid('main')
    const index = (await core.ask('candidates.losses', {}))[0]?.lines[0]?.index ?? -1
    await core.ask('candidates.letGo', { candidate, index }, person)
    expect((await core.ask('candidates.losses', {}))[0]?.lines).toHaveLength(1)
    await core.ask('candidates.letGo', { candidate, index: null }, person)
    expect(await core.ask('candidates.losses', {})).toEqual([])
    expect(repo.oid('main')).toBe(tip)
    // What was offered and what was answered are kept all the same.
    expect((await core.ask('candidates.show', { candidate })).answer?.loss).toHaveLength(2)
  })

  it('are only noted where the document has them again', async () => {
    const candidate = await lose()
    const again = text().replace('beta', 'beta\nAsk Ines before the switch.')
    await publish(again, 3, researcher)
    const tip = repo.oid('main')
    const line = (await core.ask('candidates.losses', {}))[0]?.lines[0]
    expect(await core.ask('candidates.restoreLine', { candidate, index: line?.index ?? -1 }, person)).toEqual({
      path: 'plan.md',
      version: 4,
      there: true,
    })
    expect(repo.oid('main')).toBe(tip)
  })

  it('are not put back into a file with local changes, nor into one that is archived', async () => {
    const candidate = await lose()
    const restore = () => core.ask('candidates.restoreLine', { candidate, index: 0 }, person)
    repo.write('plan.md', 'mine\n')
    await expect(restore()).rejects.toMatchObject({ code: 'ERR_DIRTY_PATH' })
    expect(repo.read('plan.md').toString()).toBe('mine\n')
    repo.git('checkout', '-q', '--', 'plan.md')
    await core.ask('documents.archive', { path: 'plan.md', expectedVersion: 3 }, person)
    await expect(restore()).rejects.toMatchObject({ code: 'ERR_NO_SUCH_DOCUMENT' })
    expect(await core.ask('candidates.losses', {})).toHaveLength(1)
  })

  it('are no report where the person gave them up', async () => {
    await publish(THEIRS, 1, researcher)
    const met = await publish(OURS, 1, planner)
    if (met.status !== 'merge-candidate') throw new Error(met.status)
    await publish(PAGE.replace('# Plan', '# My plan'), 2, person, { candidate: met.candidate.id })
    expect(await core.ask('candidates.losses', {})).toEqual([])
  })

  it('are refused by a number that was not lost', async () => {
    const candidate = await lose()
    await expect(core.ask('candidates.restoreLine', { candidate, index: 9 }, person)).rejects.toMatchObject({
      code: 'ERR_BAD_REQUEST',
    })
    await expect(core.ask('candidates.letGo', { candidate, index: 9 }, person)).rejects.toMatchObject({
      code: 'ERR_BAD_REQUEST',
    })
  })
})
