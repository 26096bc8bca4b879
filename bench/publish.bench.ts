import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rawGitEnvironment } from '../e2e/support/git.ts'
import { buildRepo, openTestRepo, type TestRepo, tempDir, withHome } from '../e2e/support/index.ts'
import { createCore } from '../electron/core/createCore.ts'
import { methods } from '../shared/contract/index.ts'
import { buildLongHistory, LONG, pathAt } from './longHistory.ts'

/**
 * Acknowledged publishes a second of one long-lived process against `git add P && git commit -q` in sequence for the
 * same writes, one write asked after the other and many asked at once; then one publish in a repository of 50,000 files
 * and 20,000 commits against `git commit` of one file there. What git does and what Daybreak does take turns.
 */
const ROUNDS = 5
const WRITES = 24
/** How many times as many as git where many are asked at once, as agents do; at least. */
const RATE = { 'main checked out': 1, 'a bare repository': 2 } as const
/** How much of the time of `git commit` one publish in a large repository may take, and the last writes of the first. */
const LARGE = 3
const GROWTH = 1.25
const SINGLES = 9

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const rows: { what: string; holds: boolean }[] = []
const row = (what: string, holds = true) => rows.push({ what, holds })

const env = rawGitEnvironment()
function git(repo: TestRepo, ...args: string[]): void {
  const run = spawnSync('git', args, { cwd: repo.dir, env })
  if (run.status !== 0) throw new Error(`git ${args.join(' ')} failed: ${run.stderr}`)
}

interface Write {
  readonly path: string
  readonly body: string
}
let made = 0
const writesOf = (count: number, folder: string): Write[] =>
  Array.from({ length: count }, () => ({ path: `${folder}/${made}.md`, body: `# Written ${made++}\n\nText.\n` }))

/** A core as an app or MCP server holds it, with nothing else in its process: a fork costs by the size of its parent. */
async function openCore(repo: TestRepo) {
  const test = withHome()
  const core = createCore({ ...test, clock: () => new Date(), host: 'serve', version: '0', log: () => {} })
  const caller = { via: 'mcp', actor: 'Agent' } as const
  const { id: repoId } = await core.handlers['repo.open']({ path: repo.dir, background: false }, caller)
  const publish = async (write: Write, expectedVersion = 0): Promise<void> => {
    const params = methods['documents.publish'].params.parse({ repoId, ...write, expectedVersion })
    const outcome = await core.handlers['documents.publish'](params, caller)
    if (outcome.status !== 'ok') throw new Error(`${write.path}: ${outcome.status}`)
  }
  return { publish, close: () => core.dispose() }
}
const add = (repo: TestRepo, { path, body }: Write) => {
  mkdirSync(dirname(join(repo.dir, path)), { recursive: true })
  writeFileSync(join(repo.dir, path), body)
  git(repo, 'add', path)
}
const commit = (repo: TestRepo, write: Write) => {
  add(repo, write)
  git(repo, 'commit', '-q', '-m', `Write ${write.path}`)
}
async function timed(work: () => unknown): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Writes a second: git's own, those of a process asked one by one, and those of one asked all at once. */
async function rates(name: keyof typeof RATE): Promise<void> {
  const begin = { commits: [{ message: 'Begin', files: { 'a.md': 'a\n' } }] }
  const peer = buildRepo(undefined, begin)
  const opened = await openCore(buildRepo(undefined, { ...begin, bare: name !== 'main checked out' }))
  for (const write of writesOf(3, 'warm')) await opened.publish(write)
  const taken = { peer: [] as number[], alone: [] as number[], together: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const [mine, one, many] = [0, 1, 2].map(() => writesOf(WRITES, `round-${round}`)) as [Write[], Write[], Write[]]
    taken.peer.push(
      await timed(() => {
        for (const write of mine) commit(peer, write)
      }),
    )
    taken.alone.push(
      await timed(async () => {
        for (const write of one) await opened.publish(write)
      }),
    )
    taken.together.push(await timed(() => Promise.all(many.map((write) => opened.publish(write)))))
  }
  await opened.close()
  const perSecond = (values: readonly number[]) => (WRITES * 1000) / median(values)
  const base = perSecond(taken.peer)
  const told = (how: string, values: readonly number[]) =>
    `${name}, ${how}: ${perSecond(values).toFixed(0)} publishes/s, git add && git commit ${base.toFixed(0)}/s, ratio ${(perSecond(values) / base).toFixed(2)}`
  const ratio = perSecond(taken.together) / base
  row(`${told(`${WRITES} asked at once`, taken.together)} (at least ${RATE[name]})`, ratio >= RATE[name])
  row(`${told('one after the other', taken.alone)} (no limit)`)
}

async function large(): Promise<void> {
  const given = process.env.DAYBREAK_BENCH_REPO
  const bare = given ? openTestRepo(given, true) : buildLongHistory()
  const dir = join(tempDir('large'), 'repo')
  spawnSync('git', ['clone', '-q', '--shared', bare.dir, dir], { env })
  const repo = openTestRepo(dir)
  const opened = await openCore(repo)
  const first = await timed(() => opened.publish({ path: 'notes/first.md', body: 'first\n' }))
  const peers: number[] = []
  const fresh: number[] = []
  const again: number[] = []
  const folder = dirname(pathAt(11))
  for (let round = 0; round < SINGLES; round++) {
    const [mine, own] = writesOf(2, folder) as [Write, Write]
    add(repo, mine)
    peers.push(await timed(() => git(repo, 'commit', '-q', '-m', 'One')))
    fresh.push(await timed(() => opened.publish(own)))
    again.push(await timed(() => opened.publish({ path: own.path, body: `${own.body}More.\n` }, 1)))
  }
  for (const [what, values] of [
    ['of a new document', fresh],
    ['of the next version', again],
  ] as const) {
    const ratio = median(values) / median(peers)
    row(
      `one publish ${what} among ${LONG.files} files and ${LONG.commits} commits: ${median(values).toFixed(0)} ms, git commit ${median(peers).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (at most ${LARGE})`,
      ratio <= LARGE,
    )
  }
  row(`the first publish after opening it: ${first.toFixed(0)} ms`)
  await opened.close()
}

/** Whether the last of many writes cost more than the first. */
async function growth(): Promise<void> {
  const opened = await openCore(
    buildRepo(undefined, { bare: true, commits: [{ message: 'Begin', files: { 'a.md': 'a\n' } }] }),
  )
  const taken: number[] = []
  for (const write of writesOf(300, 'grown').map((one, at) => ({ ...one, path: `grown/${at % 20}/${at}.md` })))
    taken.push(await timed(() => opened.publish(write)))
  const [early, late] = [median(taken.slice(20, 80)), median(taken.slice(-60))]
  row(
    `the last of 300 publishes: ${late.toFixed(1)} ms, the first ${early.toFixed(1)} ms, ratio ${(late / early).toFixed(2)} (at most ${GROWTH})`,
    late / early <= GROWTH,
  )
  await opened.close()
}

await rates('main checked out')
await rates('a bare repository')
await growth()
await large()
for (const { what, holds } of rows) console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
process.exitCode = rows.every((one) => one.holds) ? 0 : 1
