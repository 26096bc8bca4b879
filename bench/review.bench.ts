import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildLargeStore, RUN, rawGitEnvironment, type TestRepo, tempDir, withHome } from '../e2e/support/index.ts'

/** A review as a whole process against the git work that no review can do without, in the same run. */
const ROUNDS = 11
const RATIO = 3
/** What a process and the reading of settings may cost on top where git has next to nothing to do. */
const PACKED_EXTRA_MS = 120
const MEMORY_MB = 200

const cli = join(import.meta.dirname, '../dist/electron/cli.js')
const { env } = withHome()

function timed<T>(work: () => T): { ms: number; value: T } {
  const began = performance.now()
  const value = work()
  return { ms: performance.now() - began, value }
}

function git(repo: TestRepo, args: readonly string[], input?: string): Buffer {
  const run = spawnSync('git', args, { cwd: repo.dir, env: rawGitEnvironment(), input, maxBuffer: 1 << 30 })
  if (run.status !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr}`)
  return run.stdout
}

/** `git diff --raw -z -M base tip`, then one `cat-file --batch` of the blobs it names. */
function peer(repo: TestRepo, base: string, tip: string): number {
  const diff = timed(() => git(repo, ['diff', '--raw', '-z', '-M', '--no-abbrev', base, tip]))
  const oids = [...diff.value.toString('latin1').matchAll(/:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) /g)]
    .flatMap((match) => [match[1], match[2]])
    .filter((oid) => !/^0+$/.test(oid ?? ''))
  return diff.ms + timed(() => git(repo, ['cat-file', '--batch'], `${oids.join('\n')}\n`)).ms
}

function review(repo: TestRepo, more: NodeJS.ProcessEnv = {}) {
  const args = [cli, 'sleep', 'review', RUN, '--json', '--repo', repo.dir]
  const run = timed(() => spawnSync(process.execPath, args, { env: { ...env, ...more }, maxBuffer: 1 << 30 }))
  if (run.value.status !== 0) throw new Error(`the review failed: ${run.value.stdout} ${run.value.stderr}`)
  return { ms: run.ms, stdout: run.value.stdout, stderr: run.value.stderr.toString() }
}

/** The most memory that a review holds at once, in megabytes. */
function memory(repo: TestRepo): number {
  // Linux counts what the parent held into `maxRSS`; the high-water mark of the process itself does not.
  const probe = `process.on('exit', () => {
    let kb = process.resourceUsage().maxRSS
    try { kb = Number(/VmHWM:\\s+(\\d+)/.exec(require('node:fs').readFileSync('/proc/self/status', 'utf8'))[1]) } catch {}
    process.stderr.write('held ' + kb + '\\n')
  })`
  const file = join(tempDir('probe'), 'probe.cjs')
  writeFileSync(file, probe)
  const { stderr } = review(repo, { NODE_OPTIONS: `--require ${JSON.stringify(file)}` })
  return Number(/held (\d+)/.exec(stderr)?.[1]) / 1024
}

let held = true
const say = (holds: boolean, what: string) => {
  held &&= holds
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`)
}

for (const packed of [false, true]) {
  const repo = buildLargeStore(undefined, { packed })
  const [base, tip] = [repo.oid('main'), repo.oid(RUN)]
  const found = JSON.parse(review(repo).stdout.toString()).data
  if (found.files.length !== 2000 || found.commits.length !== 17) throw new Error('the night is not what it should be')
  const peers: number[] = []
  const reviews: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    peers.push(peer(repo, base, tip))
    reviews.push(review(repo).ms)
  }
  const [theirs, ours] = [Math.min(...peers), Math.min(...reviews)]
  const limit = RATIO * theirs + (packed ? PACKED_EXTRA_MS : 0)
  const middle = (list: number[]) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
  say(
    ours <= limit,
    `review of 2,000 of 20,000 files, ${packed ? 'packed' : 'loose'}: ${Math.round(ours)} ms, at most ${Math.round(limit)} (git alone ${Math.round(theirs)} ms, ratio ${(ours / theirs).toFixed(2)}; medians ${Math.round(middle(reviews))} and ${Math.round(middle(peers))})`,
  )
  const most = memory(repo)
  say(
    most < MEMORY_MB,
    `memory of that review, ${packed ? 'packed' : 'loose'}: ${Math.round(most)} MB, less than ${MEMORY_MB}`,
  )
  rmSync(repo.dir, { recursive: true, force: true })
}
process.exitCode = held ? 0 : 1
