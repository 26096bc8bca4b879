import { spawnSync } from 'node:child_process'
import { openCore } from '../e2e/support/core.ts'
import { buildLargeStore, copyRepo, RUN, rawGitEnvironment, type TestRepo } from '../e2e/support/index.ts'

/** Approving in a running core against `git merge --ff-only` of the same branch, in the same run. */
const ROUNDS = 7
const RATIO = 3

function git(repo: TestRepo, ...args: string[]): number {
  const began = performance.now()
  const run = spawnSync('git', args, { cwd: repo.dir, env: rawGitEnvironment(), maxBuffer: 1 << 30 })
  if (run.status !== 0) throw new Error(`git ${args[0]} failed: ${run.stderr}`)
  return performance.now() - began
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const repo = buildLargeStore()
const other = copyRepo(repo)
const [main, tip] = [repo.oid('main'), repo.oid(RUN)]
const { ask, close } = await openCore(repo)
const peers: number[] = []
const approvals: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  peers.push(git(other, 'merge', '-q', '--ff-only', RUN))
  git(other, 'reset', '-q', '--hard', main)
  const began = performance.now()
  const outcome = await ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false })
  approvals.push(performance.now() - began)
  if (!outcome.approved || outcome.alreadyMerged || outcome.to !== tip) throw new Error(JSON.stringify(outcome))
  git(repo, 'reset', '-q', '--hard', main)
  git(repo, 'branch', RUN, tip)
}
await close()

const [peer, approval] = [median(peers), median(approvals)]
const holds = approval <= RATIO * peer
console.log(
  `${holds ? 'ok  ' : 'FAIL'} approve in a running core: ${approval.toFixed(0)} ms, git merge --ff-only ${peer.toFixed(0)} ms, ratio ${(approval / peer).toFixed(2)} (at most ${RATIO})`,
)
process.exitCode = holds ? 0 : 1
