import { beforeEach, describe, expect, test } from 'vitest'
import { buildRepo, copyRepo, type TestRepo } from '../../../e2e/support/index.ts'
import { commandLine } from '../testing/commandLine.ts'

const PAGE = '# Plan\n\nalpha\n\nbeta\n'
const built = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE } }] })
let repo: TestRepo
let line: ReturnType<typeof commandLine>
beforeEach(() => {
  repo = copyRepo(built)
  line = commandLine(repo.dir)
})

const publish = (body: string, version: number, actor: string, ...more: string[]) =>
  line.fed(body, 'publish', 'plan.md', '--expected-version', String(version), '--actor', actor, ...more)
/** A candidate of planner against researcher, both having changed the last line. */
async function met(): Promise<string> {
  await publish(PAGE.replace('beta', 'theirs'), 1, 'researcher')
  await publish(PAGE.replace('beta', 'ours'), 1, 'planner')
  const { envelope } = await line.json('candidate', 'list')
  return (envelope.data as unknown as { id: string }[])[0]?.id ?? ''
}

describe('documents on the command line', () => {
  test('the seed’s text forms: ok with 0, a candidate and a conflict with 1, all on stdout', async () => {
    expect((await line.daybreak('fetch', 'plan.md')).out).toMatch(
      /^status: ok\nversion: 1\nmodified: .*\ncontent-hash: sha256-\w{64}\nauthor: .*\n\n# Plan\n/,
    )
    expect(await publish(PAGE.replace('beta', 'theirs'), 1, 'researcher')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^status: ok\nversion: 2\n/),
    })
    const met = await publish(PAGE.replace('beta', 'ours'), 1, 'planner')
    expect(met).toMatchObject({ code: 1, err: '' })
    expect(met.out).toBe(
      `status: merge-candidate\nyour-version: 1\ncurrent-version: 2\npublish-at-version: 2\nhas-markers: true\nbase-version: 1\n\n${PAGE.replace('beta\n', '<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n')}\n`,
    )
    const fail = await publish('x\n', 1, 'planner', '--on-conflict', 'fail')
    expect(fail).toMatchObject({ code: 1, out: 'status: conflict\nserver-version: 2\nyour-version: 1\n' })
  })

  test('status lists candidates; each verb on one does what it says', async () => {
    const id = await met()
    expect((await line.daybreak('status')).out).toContain(`${id} plan.md: planner against researcher`)
    expect((await line.daybreak('candidate', 'show', id)).out).toContain('has-markers: true')
    const resolved = await line.daybreak('candidate', 'resolve', id, '--take', '*=both')
    expect(resolved).toMatchObject({ code: 0, out: expect.stringMatching(/^status: ok\nversion: 3\n/) })
    expect(repo.show('main', 'plan.md').toString()).toBe(PAGE.replace('beta', 'ours\ntheirs'))
    const again = await line.json('candidate', 'discard', id)
    expect(again).toMatchObject({ code: 1, envelope: { code: 'ERR_CANDIDATE_CLOSED' } })
  })

  test('a candidate is published as a text, handed over, discarded', async () => {
    const id = await met()
    expect((await line.daybreak('candidate', 'escalate', id, '--reason', 'Which?')).out).toContain('escalated')
    expect(await line.fed(`${PAGE}both\n`, 'candidate', 'publish', id)).toMatchObject({ code: 0 })
    const other = copyRepo(built)
    line = commandLine(other.dir)
    const second = await met()
    expect((await line.daybreak('candidate', 'discard', second)).out).toContain('given up: ours')
  })

  test('lines that an answer lost are told by status, and put back by number', async () => {
    await publish(PAGE.replace('alpha', 'alpha, as measured'), 1, 'researcher')
    await publish(`${PAGE}\nAsk Ines first.\n`, 1, 'planner')
    await publish(PAGE.replace('Plan', 'The plan'), 2, 'planner')
    const { envelope } = await line.json('candidate', 'losses')
    const [report] = envelope.data as unknown as { candidate: string; lines: { index: number; text: string }[] }[]
    const lost = report?.lines.find((one) => one.text === 'Ask Ines first.')
    expect((await line.daybreak('status')).out).toContain(`  ${lost?.index} (ours, line 7): Ask Ines first.`)
    const restored = await line.daybreak('candidate', 'restore', report?.candidate ?? '', String(lost?.index))
    expect(restored).toMatchObject({ code: 0, out: 'plan.md has that line again, as version 4\n' })
    expect(repo.show('main', 'plan.md').toString()).toBe(`${PAGE.replace('Plan', 'The plan')}\nAsk Ines first.\n`)
    expect((await line.daybreak('candidate', 'losses')).out).not.toContain('Ask Ines')
  })

  test('append, archive, versions and merge', async () => {
    expect(await line.fed('gamma\n', 'append', 'plan.md')).toMatchObject({ code: 0 })
    expect(repo.read('plan.md').toString()).toBe(`${PAGE}gamma\n`)
    expect(await line.daybreak('archive', 'plan.md')).toMatchObject({ code: 0 })
    expect((await line.daybreak('versions', 'plan.md')).out).toMatch(
      /^current: 3\narchived: true\n\nv3 .*\(archived\)\nv2 .*\nv1 /,
    )
    expect((await line.daybreak('fetch', 'plan.md')).out).toMatch(/^status: archived\nversion: 3\n/)
    repo.git('branch', 'other', 'main~2')
    expect((await line.daybreak('merge', 'other')).out).toContain('has it already')
    expect(await line.json('merge', 'nothing')).toMatchObject({ code: 1, envelope: { code: 'ERR_NO_SUCH_COMMIT' } })
  })

  test('what is called wrongly ends with 2 and writes nothing', async () => {
    const tip = repo.oid('main')
    for (const argv of [
      ['publish'],
      ['publish', 'a.md'],
      ['publish', 'a.md', '--expected-version', '-1'],
      ['publish', 'a.md', '--expected-version', '0', '--on-conflict', 'maybe'],
      ['publish', 'a.md', '--expected-version', '0', '--meta', 'x'],
      ['candidate', 'restore', 'c-12345678', 'x'],
      ['candidate', 'resolve', 'c-12345678', '--take', 'x'],
    ])
      expect((await line.daybreak(...argv)).code, argv.join(' ')).toBe(argv[1] === 'resolve' ? 1 : 2)
    expect(repo.oid('main')).toBe(tip)
  })
})
