import { existsSync } from 'node:fs'
import { type OperationRow, setStage } from '../../store/operations.ts'
import { removeGitsLocks } from './gitsLocks.ts'
import { gitsOperation, headOf } from './gitsOperation.ts'
import { type MendSetup, placeNow } from './mend.ts'
import type { ContinuePlan } from './plan.ts'

/**
 * Settles what a git command that was cut off left: its stale locks go, and a merge whose commit stands is ended.
 * Everything else is git's own state, from which it can be gone on with or given up again.
 * Errors: ERR_LOCKED where a lock may be a living git's.
 */
export async function mendContinue(setup: MendSetup, row: Pick<OperationRow, 'id'>, plan: ContinuePlan): Promise<void> {
  const { repo, ports } = setup
  const { gitDir, worktree } = await placeNow(repo, plan)
  const endedAt = ports.clock().toISOString()
  if (!existsSync(worktree)) {
    setStage(repo.state, row.id, 'rolled-back', { endedAt })
    return
  }
  await removeGitsLocks({ commonDir: repo.repository.commonDir, gitDir, worktree, since: Date.parse(plan.startedAt) })
  setup.fault('locks gone')
  const git = setup.git.at(worktree)
  const head = await headOf(git)
  const moved = head !== plan.head
  if (moved && plan.act === 'continue' && gitsOperation(gitDir) === 'merge' && head !== null) {
    const out = await git.text(['rev-list', '--parents', '-n', '1', head])
    if (out === [head, plan.head, ...plan.merging].join(' ')) await git.run(['merge', '--quit'])
  }
  setup.fault('merge ended')
  const ended = gitsOperation(gitDir) === null
  if (moved || ended)
    setStage(repo.state, row.id, 'done', { endedAt, outcome: { operation: plan.operation, act: plan.act, ended } })
  else setStage(repo.state, row.id, 'rolled-back', { endedAt })
  setup.fault('mended')
}
