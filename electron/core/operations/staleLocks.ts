import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryContext } from '../context.ts'
import type { RefUpdate } from '../git/refTransaction.ts'
import type { HeadMove, Plan } from './plan.ts'

/** How far apart the locks of one transaction may have been made, in milliseconds. */
const TOGETHER = 2000
/** A living git lets go of a lock within this time, in milliseconds. */
const SETTLED = 1500

interface Lock {
  readonly path: string
  readonly inode: bigint
  readonly at: number
}

function look(path: string): Lock | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? { path, inode: stat.ino, at: Number(stat.mtimeMs) } : null
}

function holds(path: string, content: string): boolean {
  try {
    return readFileSync(path, 'latin1') === content
  } catch {
    return false
  }
}

/**
 * Removes the ref locks that a killed `update-ref` of an operation left. That they are ours is proven by a lock that
 * nobody else makes: on a ref named after the operation, or one that holds the very id that the plan moves to. The
 * others of that transaction (HEAD, a ref that was only held) go with it if they were made at the same moment and
 * nobody lets go of them. Call only when no child of the operation lives.
 */
export async function removeStaleRefLocks(repo: RepositoryContext, operation: string, plan: Plan): Promise<void> {
  const { commonDir } = repo.repository
  const lockOf = (ref: string) => join(commonDir, `${ref}.lock`)
  const proven: Lock[] = []
  const likely: Lock[] = []
  for (const one of [...plan.refs, ...removalOf(plan)]) {
    const lock = look(lockOf(one.ref))
    if (!lock) continue
    const named = one.ref.endsWith(`/${operation}`)
    const sure = named || (one.new !== null && one.new !== one.old && holds(lock.path, `${one.new}\n`))
    ;(sure ? proven : likely).push(lock)
  }
  if (proven.length === 0) return
  for (const path of [join(repo.gitDir, 'HEAD.lock'), join(commonDir, 'packed-refs.lock')]) {
    const lock = look(path)
    if (lock) likely.push(lock)
  }
  const moment = proven[0]?.at ?? 0
  const together = likely.filter((lock) => Math.abs(lock.at - moment) <= TOGETHER)
  if (together.length > 0) await new Promise((resolve) => setTimeout(resolve, SETTLED))
  for (const lock of [...together, ...proven])
    if (look(lock.path)?.inode === lock.inode) rmSync(lock.path, { force: true })
}

/** The branch whose removal follows is locked in a transaction of its own. */
function removalOf(plan: Plan): RefUpdate[] {
  const { removeBranch } = plan.follow
  return removeBranch ? [{ ref: removeBranch.ref, old: removeBranch.oid, new: null }] : []
}

/**
 * Removes the lock on HEAD that a git killed while it put HEAD elsewhere left. Call only while the operation holds
 * the worktree's index lock and no child of it lives: every other git that moves HEAD takes the index lock first.
 */
export async function removeStaleHeadLock(head: HeadMove): Promise<void> {
  const lock = look(join(head.gitDir, 'HEAD.lock'))
  if (!lock) return
  await new Promise((resolve) => setTimeout(resolve, SETTLED))
  if (look(lock.path)?.inode === lock.inode) rmSync(lock.path, { force: true })
}
