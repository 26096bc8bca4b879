import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedCore, openCore } from '../../../../e2e/support/core.ts'
import { buildRepo, copyRepo, type TestRepo } from '../../../../e2e/support/index.ts'
import type { Caller } from '../../../../shared/contract/index.ts'
import type { Candidate, PublishOutcome } from '../../../../shared/model/index.ts'

const PAGE = '# Plan\n\nalpha\n\nbeta\n\ngamma\n'
const planner: Caller = { via: 'mcp', actor: 'planner' }
const researcher: Caller = { via: 'mcp', actor: 'researcher' }
const person: Caller = { via: 'test' }
const TIME = '2026-11-30T12:00:00.000Z'

const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE } }] })
let repo: TestRepo
let core: OpenedCore
let now: Date

beforeEach(async () => {
  repo = copyRepo(built)
  now = new Date(TIME)
  core = await openCore(repo, { clock: () => now })
})
afterEach(() => core.close())

const publish = (body: string, expectedVersion: number, by = planner, more = {}) =>
  core.ask('documents.publish', { path: 'plan.md', body, expectedVersion, ...more }, by) as Promise<PublishOutcome>
const edit = (from: string, to: string, text = PAGE) => text.replace(from, to)
async function offered(body: string, expectedVersion: number, by = planner, more = {}): Promise<Candidate> {
  const outcome = await publish(body, expectedVersion, by, more)
  if (outcome.status !== 'merge-candidate') throw new Error(`not a candidate: ${JSON.stringify(outcome)}`)
  return outcome.candidate
}
const commits = () => Number(repo.git('rev-list', '--count', 'main'))

describe('a publish that meets another head', () => {
  it('C2: disjoint edits give a candidate with both, and write nothing', async () => {
    await publish(edit('gamma', 'GAMMA'), 1, researcher, { message: 'Shout' })
    const before = commits()
    const found = await offered(edit('alpha', 'ALPHA'), 1)
    expect(found).toMatchObject({
      yourVersion: 1,
      currentVersion: 2,
      publishAtVersion: 2,
      baseVersion: 1,
      hasMarkers: false,
      body: edit('gamma', 'GAMMA', edit('alpha', 'ALPHA')),
      state: 'agent',
      ours: { name: 'planner' },
      theirs: { name: 'researcher', subject: 'Shout' },
    })
    expect(found.structured.map((hunk) => [hunk.kind, hunk.base.text, hunk.ours.text, hunk.theirs.text])).toEqual([
      ['ours', 'alpha\n', 'ALPHA\n', 'alpha\n'],
      ['theirs', 'gamma\n', 'gamma\n', 'GAMMA\n'],
    ])
    expect(commits()).toBe(before)
    expect(repo.status()).toBe('')
  })

  it('C3: edits of one line give a block with markers', async () => {
    await publish(edit('beta', 'theirs'), 1, researcher)
    const found = await offered(edit('beta', 'ours'), 1)
    expect(found).toMatchObject({ hasMarkers: true, conflicts: 1 })
    expect(found.body).toBe(edit('beta\n', '<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n'))
  })

  it('C4: creating where a live file is merges against an empty base', async () => {
    const found = await offered(edit('beta', 'mine'), 0)
    expect(found).toMatchObject({ baseVersion: 0, publishAtVersion: 1, hasMarkers: true })
    // Common beginnings and ends are found without a base.
    expect(found.body).toBe(edit('beta\n', '<<<<<<< ours\nmine\n=======\nbeta\n>>>>>>> theirs\n'))
  })

  it('C10: the loop ends with the candidate published at its version, and answers it', async () => {
    await publish(edit('gamma', 'GAMMA'), 1, researcher)
    const found = await offered(edit('alpha', 'ALPHA'), 1)
    expect(await publish(found.body, found.publishAtVersion)).toMatchObject({
      status: 'ok',
      version: 3,
      answered: found.id,
      loss: [],
    })
    expect(repo.show('main', 'plan.md').toString()).toBe(found.body)
    expect(await core.ask('candidates.list', {})).toEqual([])
    expect(await core.ask('candidates.show', { candidate: found.id })).toMatchObject({
      state: 'published',
      answer: { by: 'planner', version: 3 },
    })
    expect(repo.git('log', '-1', '--format=%(trailers:key=Daybreak-Candidate,valueonly)', 'main').trim()).toBe(found.id)
  })

  it('C11: a base that never was, or C15 mode fail, is the plain conflict', async () => {
    const plain = { status: 'conflict', path: 'plan.md', serverVersion: 1 }
    expect(await publish('x\n', 9)).toEqual({ ...plain, yourVersion: 9 })
    expect(await publish('x\n', 0, planner, { onConflict: 'fail' })).toEqual({ ...plain, yourVersion: 0 })
    expect(await core.ask('candidates.list', { all: true })).toEqual([])
  })

  it('C12: the caller’s own write is known again, another’s is not', async () => {
    const body = edit('alpha', 'ALPHA')
    const first = await publish(body, 1)
    expect(await publish(body, 1)).toMatchObject({ status: 'ok', version: 2, reconciled: true, unchanged: true })
    await publish(edit('gamma', 'GAMMA', body), 2, researcher)
    const before = commits()
    expect(await publish(body, 1)).toMatchObject({
      status: 'ok',
      version: 2,
      reconciled: true,
      commit: (first as { commit: string }).commit,
    })
    expect(await publish(body, 1, { via: 'mcp', actor: 'someone' })).toMatchObject({ status: 'merge-candidate' })
    expect(await publish(body, 1, planner, { session: 'another' })).toMatchObject({ status: 'merge-candidate' })
    expect(commits()).toBe(before)
  })

  it('keeps both sides’ fields, one by one', async () => {
    const head = (lines: string) => `---\n${lines}---\n${PAGE}`
    await publish(head('title: Plan\ntags: [a]\nowner: nobody\n'), 1)
    await publish(head('title: Plan\ntags: [a, b]\nowner: nobody\n'), 2, researcher)
    const found = await offered(head('title: The plan\ntags: [a]\nowner: me\n'), 2)
    expect(found.hasMarkers).toBe(false)
    expect(found.body).toBe(head('title: The plan\ntags: [a, b]\nowner: me\n'))
    // A bare body keeps the fields that are there.
    const bare = await offered(edit('beta', 'B'), 2, { via: 'mcp', actor: 'third' })
    expect(bare.body).toBe(edit('beta', 'B', head('title: Plan\ntags: [a, b]\nowner: nobody\n')))
  })
})

describe('answering a candidate', () => {
  const conflict = async () => {
    await publish(edit('beta', 'their line'), 1, researcher)
    return offered(edit('beta', 'our line'), 1)
  }

  it('refuses its own markers and names their lines', async () => {
    const found = await conflict()
    await expect(publish(found.body, 2)).rejects.toMatchObject({
      code: 'ERR_UNRESOLVED_MARKERS',
      data: { path: 'plan.md', candidate: found.id, lines: [5, 7, 9] },
    })
    await expect(publish(edit('beta', 'our line\n=======\ntheir line'), 2)).rejects.toMatchObject({
      code: 'ERR_UNRESOLVED_MARKERS',
      data: { lines: [6] },
    })
  })

  it('takes a heading underline and a text about git for what they are', async () => {
    const found = await conflict()
    const about = edit('beta', 'our line, their line\n\nTitle\n=======\n\n    <<<<<<< HEAD\n')
    expect(await publish(about, 2)).toMatchObject({ status: 'ok', answered: found.id })
  })

  it('reports the lines that are lost, and with strict refuses them', async () => {
    const found = await conflict()
    const outcome = await publish(edit('beta', 'their line'), 2, planner, { message: 'Take theirs' })
    // Nothing was written: these are the bytes of the head.
    const loss = [{ side: 'ours', text: 'our line' }]
    expect(outcome).toMatchObject({ unchanged: true, answered: found.id, loss })
    expect(await core.ask('candidates.show', { candidate: found.id })).toMatchObject({
      state: 'published',
      answer: { loss },
    })
    const strict = buildRepo(undefined, {
      commits: [{ message: 'Begin', files: { 'plan.md': PAGE, '.daybreak.yml': 'loss: strict\n' } }],
    })
    const other = await openCore(strict)
    const ask = (body: string, at: number, by: Caller) =>
      other.ask('documents.publish', { path: 'plan.md', body, expectedVersion: at }, by)
    await ask(edit('beta', 'their line'), 1, researcher)
    await ask(edit('beta', 'our line'), 1, planner)
    await expect(ask(`${edit('beta', 'their line')}more\n`, 2, planner)).rejects.toMatchObject({
      code: 'ERR_LOSES_LINES',
      data: { lines: ['our line'] },
    })
    expect(await ask(edit('beta', 'one line for both'), 2, planner)).toMatchObject({ status: 'ok', loss: [] })
    await other.close()
  })

  it('per hunk: the engine applies the choices, nothing else can change', async () => {
    const found = await conflict()
    const [hunk] = found.structured
    await expect(core.ask('candidates.resolve', { candidate: found.id, choices: [] }, planner)).rejects.toMatchObject({
      code: 'ERR_HUNKS_OPEN',
      data: { hunks: [hunk?.index] },
    })
    const choices = [{ hunk: hunk?.index ?? 0, take: 'both' as const }]
    expect(await core.ask('candidates.resolve', { candidate: found.id, choices }, planner)).toMatchObject({
      status: 'ok',
      version: 3,
      answered: found.id,
    })
    expect(repo.show('main', 'plan.md').toString()).toBe(edit('beta', 'our line\ntheir line'))
    await expect(core.ask('candidates.resolve', { candidate: found.id, choices }, planner)).rejects.toMatchObject({
      code: 'ERR_CANDIDATE_CLOSED',
    })
  })

  it('a newer candidate of the same actor, session and path supersedes the older one', async () => {
    const first = await conflict()
    const second = await offered(edit('beta', 'our second line'), 1)
    const other = await offered(edit('beta', 'our third line'), 1, planner, { session: 's2' })
    const rows = await core.ask('candidates.list', { all: true })
    expect(Object.fromEntries(rows.map((row) => [row.id, row.state]))).toEqual({
      [first.id]: 'superseded',
      [second.id]: 'agent',
      [other.id]: 'agent',
    })
  })

  it('becomes the person’s after its time, or when it is handed over', async () => {
    const found = await conflict()
    now = new Date(now.getTime() + 14 * 60_000)
    expect(await core.ask('candidates.list', {})).toMatchObject([{ id: found.id, state: 'agent' }])
    now = new Date(now.getTime() + 60_000)
    expect(await core.ask('candidates.list', {})).toMatchObject([{ id: found.id, state: 'person' }])
    await core.ask('config.set', { key: 'wait', value: '1h' })
    expect(await core.ask('candidates.list', {})).toMatchObject([{ state: 'agent' }])
    await core.ask('candidates.escalate', { candidate: found.id, reason: 'I cannot tell which is right.' }, planner)
    expect(await core.ask('candidates.list', {})).toMatchObject([
      { state: 'person', escalated: { reason: 'I cannot tell which is right.' } },
    ])
  })

  it('discarding keeps theirs and records what of ours was dropped', async () => {
    const found = await conflict()
    const tip = repo.oid('main')
    expect(await core.ask('candidates.discard', { candidate: found.id }, person)).toMatchObject({
      state: 'discarded',
      answer: { loss: [{ side: 'ours', text: 'our line' }] },
    })
    expect(repo.oid('main')).toBe(tip)
  })

  it('is merged anew when the document moves on, and the person settles it in the resolver', async () => {
    const found = await conflict()
    await publish(edit('gamma', 'Gamma', edit('beta', 'their line')), 2, researcher)
    expect(await core.ask('candidates.list', {})).toMatchObject([{ id: found.id, stale: true }])
    const source = { from: 'candidate' as const, candidate: found.id }
    const set = await core.ask('candidates.show', { candidate: found.id })
    expect(set).toMatchObject({ stale: false, publishAtVersion: 3 })
    const id = found.item
    const page = await core.ask('conflicts.get', { source, item: id })
    const { fingerprint } = page.item
    expect(page).toMatchObject({ ours: { name: 'planner' }, theirs: { name: 'researcher' } })
    const draft = { ...page.draft, lines: [{ take: 'ours-then-theirs' as const, by: 'mine' as const }] }
    expect(
      await core.ask('conflicts.resolve', { source, item: id, fingerprint, draft, overDisk: null }, person),
    ).toMatchObject({ resolved: true })
    expect(repo.show('main', 'plan.md').toString()).toBe(edit('gamma', 'Gamma', edit('beta', 'our line\ntheir line')))
    expect(repo.git('log', '-1', '--format=%an', 'main').trim()).not.toBe('planner')
    expect(await core.ask('candidates.show', { candidate: found.id })).toMatchObject({
      state: 'published',
      answer: { version: 4 },
    })
    // The agent that comes late learns that it is over.
    await expect(core.ask('candidates.resolve', { candidate: found.id, choices: [] }, planner)).rejects.toMatchObject({
      code: 'ERR_CANDIDATE_CLOSED',
    })
  })
})
