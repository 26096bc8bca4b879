import { AppError } from '../../../shared/errors/index.ts'
import { indexLockPath, releaseIndexLock, takeIndexLock } from '../git/indexFile.ts'
import { heldLock, LOCK_PATIENCE, refLocks, untilFree } from '../git/locks.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { type PreparedRefs, prepareRefs } from '../git/refTransaction.ts'
import type { Plan } from './plan.ts'
import type { RunningOperation } from './running.ts'
import { removeSeen, type SeenLock, seeLocks } from './seenLocks.ts'

/** The locks of an operation. */
export interface Held {
  /** Locks the index of every worktree that the plan touches. Errors: ERR_LOCKED. */
  takeIndexes(plan: Plan): Promise<void>
  /** Locks every ref of the plan. False where someone else has moved one. Errors: ERR_LOCKED, ERR_GIT. */
  takeRefs(plan: Plan): Promise<boolean>
  /** Moves the refs. Errors: ERR_GIT, and then `committed` says true, since nobody knows. */
  commit(): Promise<void>
  committed(): boolean
  /** Lets go of the refs. */
  abort(): Promise<void>
  /** Ends the git that moved the refs: an operation that is to be mended has no living child. */
  leave(): void
  /** Lets go of the indexes. */
  release(): void
}

/** Tries without a lock or a moved ref to blame, before git's own words are passed on. */
const BLIND_TRIES = 5

export function createHeld(operation: RunningOperation): Held {
  const { repo, git, id } = operation
  const indexes: string[] = []
  let refs: PreparedRefs | null = null
  let committed = false
  const patience = operation.ports.lockPatience ?? LOCK_PATIENCE

  let locks: readonly SeenLock[] = []

  const prepare = async (plan: Plan): Promise<boolean> => {
    const names = plan.refs.map((one) => one.ref)
    const inTheWay = refLocks(repo.repository.commonDir, repo.gitDir, names)
    let blind = 0
    return untilFree(
      async () => {
        operation.fault('before refs prepare')
        const message = `daybreak ${operation.verb}: ${operation.branch}`
        // A publish is soon followed by another; hooks of a trusted repository get a git of the operation's own.
        const shared = operation.verb === 'publish' && !operation.trusted
        const answer = shared
          ? await repo.mover.prepare(plan.refs, message, JSON.stringify(repo.config), operation.child)
          : await prepareRefs(git, plan.refs, message)
        if (answer.prepared) {
          refs = answer.refs
          locks = seeLocks(refLocks(repo.repository.commonDir, repo.gitDir, names).map((one) => one.path))
          return true
        }
        const now = await readRefsNow(git, names)
        if (plan.refs.some((one) => now.get(one.ref) !== one.old)) return false
        if (!heldLock(inTheWay)) blind += 1
        if (blind >= BLIND_TRIES || answer.exitCode === null)
          throw new AppError('ERR_GIT', { verb: 'update-ref', exitCode: answer.exitCode, detail: answer.detail })
        return null
      },
      inTheWay,
      patience,
    )
  }

  return {
    async takeIndexes(plan) {
      for (const move of plan.trees) {
        if (indexes.includes(move.gitDir)) continue
        const lock = { path: indexLockPath(move.gitDir), what: `The index of ${move.worktree}` }
        operation.fault('before index lock')
        await untilFree(async () => (takeIndexLock(move.gitDir, id) ? true : null), [lock], patience)
        indexes.push(move.gitDir)
        operation.fault('index locked')
      }
    },
    takeRefs: prepare,
    async commit() {
      operation.fault('before refs commit')
      const open = refs
      refs = null
      committed = true
      if (!open || !(await open.commit()))
        throw new AppError('ERR_GIT', { verb: 'update-ref', exitCode: null, detail: 'the refs could not be moved' })
    },
    committed: () => committed,
    async abort() {
      const open = refs
      refs = null
      if (open && !(await open.abort())) await removeSeen(locks)
    },
    leave: () => repo.mover.close(),
    release() {
      for (const gitDir of indexes.splice(0)) releaseIndexLock(gitDir, id)
    },
  }
}
