import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRepo, type TestRepo, withHome } from '../../e2e/support/index.ts'
import { TOOLS } from './tools.ts'

const PAGE = '# Plan\n\nalpha\n\nbeta\n\ngamma\n'
const home = withHome()
let repo: TestRepo
const clients: Client[] = []

/** A client of its own process, as an agent's host starts one. */
async function connect(name: string): Promise<Client> {
  const client = new Client({ name, version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--no-warnings', 'electron/cli/main.ts', 'mcp', '--repo', repo.dir],
    env: Object.fromEntries(
      Object.entries(home.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    ),
    stderr: 'inherit',
  })
  await client.connect(transport)
  clients.push(client)
  return client
}

interface Answered {
  readonly isError?: boolean
  readonly text: string
  readonly structured: Record<string, unknown>
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Answered> {
  const answer = await client.callTool({ name, arguments: args })
  const [first] = answer.content as { text: string }[]
  const structured = answer.structuredContent as Record<string, unknown>
  return { text: first?.text ?? '', structured, ...(answer.isError ? { isError: true } : {}) }
}

describe('two agents over stdio', () => {
  let planner: Client
  let researcher: Client
  beforeAll(async () => {
    repo = buildRepo(undefined, { commits: [{ message: 'Begin', files: { 'plan.md': PAGE } }] })
    ;[planner, researcher] = (await Promise.all([connect('planner'), connect('researcher')])) as [Client, Client]
  })
  afterAll(() => Promise.all(clients.map((client) => client.close())))

  it('the tools are listed in less than 8 KB, with the right hints', async () => {
    const { tools } = await planner.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(TOOLS.map((tool) => tool.name))
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThan(8192)
    const writes = tools.filter((tool) => !tool.annotations?.readOnlyHint).map((tool) => tool.name)
    expect(writes).toEqual([
      'mark_publish',
      'mark_append',
      'mark_archive',
      'candidate_resolve',
      'candidate_discard',
      'candidate_escalate',
    ])
  })

  it('C20: fetch, publish, conflict: the candidate in its text form and as hunks', async () => {
    expect((await call(planner, 'mark_fetch', { url: '/plan.md' })).text).toMatch(
      /^status: ok\nversion: 1\nmodified: \S+\ncontent-hash: sha256-[0-9a-f]{64}\nauthor: .*\n\n# Plan/,
    )
    const theirs = PAGE.replace('gamma', 'GAMMA')
    const done = await call(researcher, 'mark_publish', {
      url: '/plan.md',
      body: theirs,
      expected_version: 1,
      message: 'Shout',
    })
    expect(done.text).toMatch(/^status: ok\nversion: 2\nmodified: \S+\ncontent-hash: sha256-[0-9a-f]{64}$/)
    const ours = PAGE.replace('alpha', 'ALPHA')
    const met = await call(planner, 'mark_publish', { url: '/plan.md', body: ours, expected_version: 1 })
    const merged = theirs.replace('alpha', 'ALPHA')
    expect(met.isError).toBeUndefined()
    expect(met.text).toBe(
      `status: merge-candidate\nyour-version: 1\ncurrent-version: 2\npublish-at-version: 2\nhas-markers: false\nbase-version: 1\n\n${merged}`,
    )
    expect(met.structured).toMatchObject({
      status: 'merge-candidate',
      candidate: {
        theirs: { name: 'researcher', subject: 'Shout' },
        structured: [{ kind: 'ours' }, { kind: 'theirs' }],
      },
    })
    const answered = await call(planner, 'mark_publish', { url: '/plan.md', body: merged, expected_version: 2 })
    expect(answered.text).toMatch(/^status: ok\nversion: 3\n/)
    expect((await call(planner, 'mark_fetch', { url: '/plan.md/v2' })).text.endsWith(`\n\n${theirs}`)).toBe(true)
    const fail = { url: '/plan.md', body: 'x\n', expected_version: 1, on_conflict: 'fail' }
    expect((await call(planner, 'mark_publish', fail)).text).toBe(
      'status: conflict\nserver-version: 3\nyour-version: 1',
    )
  })

  it('a failure is a result with code, message and what to do', async () => {
    const bad = await call(planner, 'mark_publish', { url: '.git/config', body: 'x', expected_version: 0 })
    expect(bad).toMatchObject({ isError: true, structured: { code: 'ERR_BAD_PATH' } })
    expect(bad.text).toMatch(/^code: ERR_BAD_PATH\n.*\nNothing was changed\.\n- /)
    for (const args of [
      {},
      { url: 'a.md', body: 'x' },
      { url: 'a.md', body: 'x', expected_version: -1 },
      { url: 'a.md', body: 'x', expected_version: 0, metadata: [] },
    ])
      expect(await call(planner, 'mark_publish', args)).toMatchObject({
        isError: true,
        structured: { code: 'ERR_BAD_REQUEST' },
      })
    const mode = await call(planner, 'mark_publish', {
      url: 'a.md',
      body: 'x',
      expected_version: 0,
      on_conflict: 'maybe',
    })
    expect(mode.text).toMatch(/merge.*fail/s)
    expect(repo.code('cat-file', '-e', 'main:a.md')).not.toBe(0)
  })

  it('resources list documents, and changes by another process are announced', async () => {
    const changed = new Promise<void>((resolve) =>
      planner.setNotificationHandler(ResourceListChangedNotificationSchema, () => resolve()),
    )
    const { resources } = await planner.listResources()
    const plan = resources.find((one) => one.name === 'plan.md')
    expect(plan?.mimeType).toBe('text/markdown')
    const updated = new Promise<string>((resolve) =>
      planner.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri)),
    )
    await planner.subscribeResource({ uri: plan?.uri ?? '' })
    await call(researcher, 'mark_append', { url: 'plan.md', body: 'delta\n' })
    await changed
    expect(await updated).toBe(plan?.uri)
    const { contents } = await planner.readResource({ uri: plan?.uri ?? '' })
    expect(contents[0]).toMatchObject({ text: expect.stringMatching(/gamma\ndelta\n$/i) })
  })

  it('per hunk, escalate and discard', async () => {
    const page = (await call(planner, 'mark_fetch', { url: 'plan.md' })).structured as { body: string; version: number }
    const write = (client: Client, line: string) =>
      call(client, 'mark_publish', {
        url: 'plan.md',
        body: page.body.replace('beta', line),
        expected_version: page.version,
      })
    await write(researcher, 'theirs')
    const met = await write(planner, 'ours')
    const { id, structured } = met.structured.candidate as { id: string; structured: { index: number; kind: string }[] }
    const hunk = structured.find((one) => one.kind === 'conflict')?.index
    expect((await call(planner, 'candidate_list', {})).text).toContain(id)
    expect(await call(researcher, 'candidate_discard', { candidate_id: id })).toMatchObject({
      structured: { code: 'ERR_NO_SUCH_CANDIDATE' },
    })
    expect((await call(planner, 'candidate_escalate', { candidate_id: id, reason: 'Which?' })).text).toContain(
      'escalated',
    )
    const done = await call(planner, 'candidate_resolve', {
      candidate_id: id,
      choices: [{ hunk, text: 'both of them\n' }],
    })
    expect(done.text).toMatch(/^status: ok/)
    expect((await call(planner, 'mark_fetch', { url: 'plan.md' })).text).toContain('both of them\n')
  })
})
