import { spawnSync } from 'node:child_process'
import { openCore } from '../e2e/support/core.ts'
import { git, rawGitEnvironment } from '../e2e/support/git.ts'
import { openTestRepo, type TestRepo } from '../e2e/support/index.ts'
import { buildLongHistory, LONG, OFTEN, pathAt } from './longHistory.ts'

/**
 * Version look-ups in a repository of 50,000 files and 20,000 commits against `git log --first-parent -- PATH` of the
 * same path in the same run; then how the full text is built and asked, and how long the event loop is held up by it.
 */
const ROUNDS = 7
const RATIO = 2
/** Later look-ups, as parts of the same. */
const LATER = 0.15
const AFTER_COMMIT = 0.3
/** What one turn of the event loop may take while the full text is built, in milliseconds of processor time. */
const TURN_MS = { usual: 10, longest: 50 }

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const rows: { what: string; holds: boolean }[] = []
const row = (what: string, holds = true) => rows.push({ what, holds })

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const began = performance.now()
  const value = await work()
  return { ms: performance.now() - began, value }
}

function logOf(repo: TestRepo, path: string): { ms: number; commits: number } {
  const began = performance.now()
  const args = ['log', '--first-parent', 'main', '--', path]
  const run = spawnSync('git', args, { cwd: repo.dir, env: rawGitEnvironment(), maxBuffer: 1 << 30 })
  if (run.status !== 0) throw new Error(`git log failed: ${run.stderr}`)
  return { ms: performance.now() - began, commits: run.stdout.toString().split('\ncommit ').length }
}

const given = process.env.DAYBREAK_BENCH_REPO
const repo = given ? openTestRepo(given, true) : buildLongHistory()
const { ask, close } = await openCore(repo, { host: 'serve' })
const versionsOf = (path: string) => timed(() => ask('documents.versions', { path, limit: 1 }))

const paths = [OFTEN, ...Array.from({ length: ROUNDS - 1 }, (_, at) => pathAt((at * 9973 + 11) % LONG.files))]
logOf(repo, paths[0] as string)
const peers: number[] = []
const first: number[] = []
const later: number[] = []
for (const path of paths) {
  const peer = logOf(repo, path)
  const look = await versionsOf(path)
  if (look.value.current !== peer.commits)
    throw new Error(`${path}: ${look.value.current} versions, not ${peer.commits}`)
  peers.push(peer.ms)
  first.push(look.ms)
}
for (const path of paths) later.push((await versionsOf(path)).ms)
const ratio = median(first) / median(peers)
row(
  `first version look-up of a document: ${median(first).toFixed(0)} ms, git log --first-parent -- PATH ${median(peers).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (at most ${RATIO})`,
  ratio <= RATIO,
)
const part = (values: readonly number[]) => median(values) / median(peers)
row(
  `later look-ups: ${median(later).toFixed(1)} ms, ${part(later).toFixed(3)} of it (at most ${LATER})`,
  part(later) <= LATER,
)

const commit = () => {
  const blob = git(repo.dir, ['hash-object', '-w', '--stdin'], { input: `${Math.random()}\n` })
  git(repo.dir, ['fast-import', '--quiet', '--done', '--force'], {
    input: `commit refs/heads/main\ncommitter A <a@example.invalid> 1800000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 100644 ${blob} ${OFTEN}\ndone\n`,
  })
}
const old = repo.oid('main')
const after: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  commit()
  after.push((await versionsOf(OFTEN)).ms)
}
row(
  `look-up after another commit on trunk: ${median(after).toFixed(1)} ms, ${part(after).toFixed(3)} of it (at most ${AFTER_COMMIT})`,
  part(after) <= AFTER_COMMIT,
)

/** Processor time of every turn of the event loop that took some, in milliseconds, while `work` runs. */
async function turnsOf(work: () => Promise<unknown>): Promise<number[]> {
  const turns: number[] = []
  let running = true
  const spent = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const watching = (async () => {
    for (let before = spent(); running; ) {
      await new Promise((resolve) => setImmediate(resolve))
      const now = spent()
      turns.push(now - before)
      before = now
    }
  })()
  await work()
  running = false
  await watching
  return turns.filter((ms) => ms > 0.5).sort((a, b) => a - b)
}

const began = performance.now()
const turns = await turnsOf(() => ask('documents.lookup', { query: 'river 19999' }))
row(`full text of ${LONG.files} documents built in ${((performance.now() - began) / 1000).toFixed(1)} s`)
const usual = turns[Math.floor(turns.length * 0.99)] ?? 0
const longest = turns.at(-1) ?? 0
row(
  `the event loop was busy for ${usual.toFixed(1)} ms at a time in 99 % of its turns (at most ${TURN_MS.usual}), ${longest.toFixed(0)} ms once (at most ${TURN_MS.longest})`,
  usual <= TURN_MS.usual && longest <= TURN_MS.longest,
)
for (const query of ['river 19999', 'pool', 'pool cache retry', 'note 7', '"queue shard"']) {
  const asked = await timed(() => ask('documents.lookup', { query }))
  row(`look-up of ${query}: ${asked.ms.toFixed(0)} ms, ${asked.value.length} found`)
}
git(repo.dir, ['update-ref', 'refs/heads/main', old])
await close()

for (const { what, holds } of rows) console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
process.exitCode = rows.every((one) => one.holds) ? 0 : 1
