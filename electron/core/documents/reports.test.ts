import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../e2e/support/core.ts'
import { buildRepo, copyRepo, type TestHome, type TestRepo, withHome } from '../../../e2e/support/index.ts'
import type { Caller } from '../../../shared/contract/index.ts'
import type { Candidate, PublishOutcome } from '../../../shared/model/index.ts'

/** What users of tools for agents' notes have reported as lost or damaged; none of it can happen here. */

const PAGE = '# Plan\n\nalpha\n\nbeta\n\ngamma\n'
const FIELDS = '---\nstatus: open\norder: [a, b]\n---\n\n# Task\n\nText.\n'
const planner: Caller = { via: 'mcp', actor: 'planner' }
const researcher: Caller = { via: 'mcp', actor: 'researcher' }

const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE, 'task.md': FIELDS } }] })
let repo: TestRepo
let home: TestHome
let core: OpenedCore

beforeEach(async () => {
  repo = copyRepo(built)
  home = withHome()
  core = await openCore(repo, { test: home })
})
afterEach(() => core.close())

const publish = (body: string, expectedVersion: number, by = planner, path = 'plan.md', more = {}) =>
  core.ask('documents.publish', { path, body, expectedVersion, ...more }, by) as Promise<PublishOutcome>
async function offered(...given: Parameters<typeof publish>): Promise<Candidate> {
  const outcome = await publish(...given)
  if (outcome.status !== 'merge-candidate') throw new Error(`not a candidate: ${JSON.stringify(outcome)}`)
  return outcome.candidate
}
const text = (path = 'plan.md') => repo.show('main', path).toString()
const edit = (from: string, to: string, page = PAGE) => page.replace(from, to)

describe('reports of lost updates', () => {
  it('1: of two agents with the same version the last one does not win in silence', async () => {
    await publish(edit('alpha', 'theirs'), 1, researcher)
    const met = await offered(edit('alpha', 'mine'), 1)
    expect(text()).toBe(edit('alpha', 'theirs'))
    expect(met).toMatchObject({ currentVersion: 2, theirs: { name: 'researcher' } })
  })

  it('2: a new note does not destroy a day of notes of the same name', async () => {
    const day = `${PAGE}\n${'noted\n'.repeat(40)}`
    await publish(day, 1, researcher)
    await offered('# Plan\n', 0)
    expect(text()).toBe(day)
  })

  it('3: a version from before a deletion does not bring the document back', async () => {
    await core.ask('documents.archive', { path: 'plan.md', expectedVersion: 1 }, researcher)
    expect(await publish(edit('alpha', 'late'), 1)).toMatchObject({ status: 'conflict', serverVersion: 2 })
    expect(repo.git('ls-tree', '-r', '--name-only', 'main').split('\n')).not.toContain('plan.md')
  })

  it('4: the losing side is kept, over a restart and further versions, until somebody has chosen', async () => {
    await publish(edit('beta', 'theirs'), 1, researcher)
    const { id } = await offered(edit('beta', 'mine, not to be lost'), 1)
    await publish(edit('beta', 'theirs again'), 2, researcher)
    await core.close()
    core = await openCore(repo, { test: home })
    const kept = await core.ask('candidates.show', { candidate: id })
    expect(kept).toMatchObject({ state: 'agent', publishAtVersion: 3 })
    expect(kept.structured.map((hunk) => hunk.ours.text)).toEqual(['mine, not to be lost\n'])
  })

  it('5: the answer to a conflict says what is there now, who wrote it, when and why', async () => {
    await publish(edit('beta', 'theirs'), 1, researcher, 'plan.md', { message: 'Measured anew' })
    const met = await offered(edit('beta', 'mine'), 1)
    expect(met.theirs).toMatchObject({ name: 'researcher', subject: 'Measured anew', at: expect.any(String) })
    expect(met.structured).toMatchObject([
      { kind: 'conflict', base: { text: 'beta\n' }, ours: { text: 'mine\n' }, theirs: { text: 'theirs\n' } },
    ])
  })
})

describe('reports of silent loss in merges', () => {
  it('6: of two insertions between the same lines neither is dropped', async () => {
    await publish(edit('alpha\n', 'alpha\nsecond by researcher\n'), 1, researcher)
    const met = await offered(edit('alpha\n', 'alpha\nsecond by planner\n'), 1)
    expect(met).toMatchObject({ conflicts: 1, hasMarkers: true })
    expect(met.body).toContain('second by researcher')
    expect(met.body).toContain('second by planner')
  })

  it('7: a merge never writes markers into the fields of a document; they are merged one by one', async () => {
    await publish(FIELDS.replace('status: open', 'status: done'), 1, researcher, 'task.md')
    const met = await offered(FIELDS.replace('[a, b]', '[a, b, c]'), 1, planner, 'task.md')
    expect(met.body).toBe(FIELDS.replace('status: open', 'status: done').replace('[a, b]', '[a, b, c]'))
  })

  it('8: markers cannot become content of the document', async () => {
    await publish(edit('beta', 'theirs'), 1, researcher)
    const met = await offered(edit('beta', 'mine'), 1)
    await expect(publish(met.body, met.publishAtVersion)).rejects.toMatchObject({ code: 'ERR_UNRESOLVED_MARKERS' })
    expect(text()).toBe(edit('beta', 'theirs'))
  })

  it('9: one fact added by both in different places is no clean merge without a word', async () => {
    const fact = '- The pool is limited to forty connections'
    await publish(edit('alpha\n', `alpha\n\n${fact}\n`), 1, researcher)
    const met = await offered(edit('gamma\n', `gamma\n\n${fact}\n`), 1)
    expect(met.warnings.map((one) => one.kind)).toContain('added-twice')
  })

  it('10: the same line added by both stays, once', async () => {
    await publish(edit('alpha\n', 'alpha\nthe same\n', edit('gamma', 'theirs')), 1, researcher)
    const met = await offered(edit('alpha\n', 'alpha\nthe same\n'), 1)
    expect(met.body.match(/the same/g)).toHaveLength(1)
  })

  it('11: a base that is not known is not taken for an empty one', async () => {
    await publish(edit('beta', 'theirs'), 1, researcher)
    expect(await publish(edit('beta', 'mine'), 7)).toMatchObject({ status: 'conflict', serverVersion: 2 })
  })
})

describe('reports of agents that resolve', () => {
  it('12: who writes over its peer to settle a conflict is told of, and the peer’s line can come back', async () => {
    await publish(edit('alpha', 'alpha\n\nMeasured peak: fifty-two'), 1, researcher)
    const met = await offered(edit('gamma', 'gamma\n\nRetry budget: five'), 1)
    const done = await publish(edit('gamma', 'gamma\n\nRetry budget: five'), met.publishAtVersion)
    expect(done).toMatchObject({ status: 'ok', loss: [{ side: 'theirs', text: 'Measured peak: fifty-two' }] })
    expect(await core.ask('candidates.losses', {})).toHaveLength(1)
  })

  it('13: choices for hunks cannot edit anything else on the way', async () => {
    await publish(edit('beta', 'theirs', edit('gamma', 'GAMMA')), 1, researcher)
    const met = await offered(edit('beta', 'mine', edit('alpha', 'ALPHA')), 1)
    const hunk = met.structured.findIndex((one) => one.kind === 'conflict')
    await core.ask('candidates.resolve', { candidate: met.id, choices: [{ hunk, text: 'decided\n' }] }, planner)
    expect(text()).toBe('# Plan\n\nALPHA\n\ndecided\n\nGAMMA\n')
  })
})
