import { join } from 'node:path'
import { decodePath } from '../git/bytes.ts'
import { untilFree } from '../git/locks.ts'
import type { Git } from '../git/process.ts'
import type { HeadMove } from './plan.ts'

/** Full ref that HEAD of the worktree where `git` runs is on; null when detached. */
export async function headRef(git: Git): Promise<string | null> {
  const answer = await git.run(['symbolic-ref', '-q', 'HEAD'], { ok: [0, 1] })
  return decodePath(answer.stdout).replace(/\n$/, '') || null
}

/**
 * Puts HEADs where the plan says. One that is not where the plan found it was moved by someone else, or by us before
 * a kill, and stays. Errors: ERR_LOCKED.
 */
export async function moveHeads(git: Git, heads: readonly HeadMove[], message: string): Promise<void> {
  for (const head of heads) {
    const there = git.at(head.worktree)
    if ((await headRef(there)) !== head.fromRef) continue
    const args =
      'ref' in head.to
        ? ['symbolic-ref', '-m', message, 'HEAD', head.to.ref]
        : ['update-ref', '--no-deref', '-m', message, 'HEAD', head.to.detachedAt]
    const lock = { path: join(head.gitDir, 'HEAD.lock'), what: `HEAD of ${head.worktree}` }
    await untilFree(async () => ((await there.run(args, { ok: [0, 1, 128] })).exitCode === 0 ? true : null), [lock])
  }
}
