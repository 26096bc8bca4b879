import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import type { Refusal } from '../../../shared/model/index.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { installIndex } from '../git/indexFile.ts'
import { indexInfo } from '../git/localChanges.ts'
import { writeProblem } from '../git/locks.ts'
import { withPrivateTree } from '../git/privateTree.ts'
import type { Git } from '../git/process.ts'
import type { TouchedPath } from '../git/touched.ts'
import { setPlan, setStage } from '../store/operations.ts'
import { type CheckedTree, type CheckSetup, checkTrees } from './checks.ts'
import { filtersOn } from './filters.ts'
import { moveHeads } from './heads.ts'
import { createHeld, type Held } from './held.ts'
import { writeIntent } from './intent.ts'
import type { Plan, TreeMove } from './plan.ts'
import { type RunningOperation, stopIfCancelled } from './running.ts'
import { settleTree } from './settle.ts'
import { readMarker, workFolder, writeMarker } from './work.ts'

export type MoveResult =
  | { readonly moved: true }
  /** `refusal` null: someone else moved a ref first; look again and begin anew. */
  | { readonly moved: false; readonly refusal: Refusal | null }

export interface MoveOptions extends Pick<CheckSetup, 'ignoreCase' | 'whole'> {
  readonly config: readonly ConfigEntry[]
  /**
   * Makes the plan anew once the indexes are locked, so that nobody commits in these worktrees meanwhile: for a plan
   * that is overtaken time and again. It must concern the same worktrees.
   */
  readonly planAgain?: () => Promise<Plan | { readonly refusal: Refusal }>
  /** Whether the plan still fits who holds which branch; asked under the locks. */
  readonly stillFits: () => Promise<boolean>
}

/**
 * Moves refs, indexes and files as the plan says, all or nothing. The intent is written first; index locks and ref
 * locks are held from before the last check until everything has moved, so that a commit of someone else fails
 * instead of sweeping. Filters that were not accepted are a refusal. Errors: ERR_LOCKED, ERR_READ_ONLY, ERR_DISK_FULL, ERR_GIT, ERR_CANCELLED; nothing has moved then.
 */
export async function moveByPlan(operation: RunningOperation, first: Plan, options: MoveOptions): Promise<MoveResult> {
  const { repo } = operation
  let plan = first
  const mayNotRun = await untrusted(operation, plan, options)
  if (mayNotRun) return { moved: false, refusal: mayNotRun }
  await writeIntent(operation, plan, { from: plan.refs[0]?.old ?? null, to: plan.refs[0]?.new ?? null })
  const folder = workFolder(repo, operation.id)
  const held = createHeld(operation)
  try {
    operation.progress('Locking the working tree', 0, 4)
    await held.takeIndexes(plan)
    if (options.planAgain) {
      const again = await options.planAgain()
      const refusal = 'refusal' in again ? again.refusal : await untrusted(operation, again, options)
      if (refusal || 'refusal' in again) return await end(operation, held, folder, 'refused', refusal)
      if (!sameWorktrees(plan, again)) return await end(operation, held, folder, 'rolled-back', null)
      plan = again
      const ends = plan.refs[0]
      setPlan(repo.state, operation.id, plan, { from: ends?.old ?? null, to: ends?.new ?? null })
      operation.fault('planned again')
    }
    if (!(await held.takeRefs(plan))) return await end(operation, held, folder, 'rolled-back', null)
    operation.fault('refs prepared')
    if (!(await options.stillFits())) return await end(operation, held, folder, 'rolled-back', null)
    stopIfCancelled(operation)
    operation.progress('Checking the working tree', 1, 4)
    const setup = { git: operation.git, folder, ...options }
    const checked = await checkTrees(setup, plan.trees)
    if (checked.refusal) return await end(operation, held, folder, 'refused', checked.refusal)
    operation.fault('checked')
    noteAdopted(operation, plan, checked.trees)
    operation.progress('Writing files', 2, 4)
    await writeTrees(operation, checked.trees, folder)
    operation.fault('trees written')
    stopIfCancelled(operation)
    operation.progress('Moving the branch', 3, 4)
    await held.commit()
    operation.fault('refs committed')
    for (const tree of checked.trees) if (changes(tree.move)) installIndex(tree.move.gitDir, tree.indexFile)
    operation.fault('indexes in place')
    setStage(repo.state, operation.id, 'moved')
    operation.fault('stage moved')
    await moveHeads(operation.git, plan.heads, `daybreak ${operation.verb}: ${operation.branch}`)
    operation.fault('heads moved')
    held.release()
    rmSync(folder, { recursive: true, force: true })
    return { moved: true }
  } catch (error) {
    if (held.committed()) {
      held.leave()
      throw error
    }
    // Asked before anything is put back: that frees what was missing.
    const reason = explain(error, operation, plan)
    await rollBack(operation, plan, folder, held)
    held.leave()
    throw reason
  }
}

async function untrusted(operation: RunningOperation, plan: Plan, options: MoveOptions): Promise<Refusal | null> {
  const items = operation.trusted ? [] : (await filtersOn(operation.repo.git, options.config, plan.trees)).items
  return items.length > 0 ? { refusal: 'not-trusted', items } : null
}

const sameWorktrees = (one: Plan, other: Plan): boolean =>
  one.trees.map((tree) => tree.gitDir).join('\0') === other.trees.map((tree) => tree.gitDir).join('\0')

const changes = (move: TreeMove) => move.from !== move.to

async function end(
  operation: RunningOperation,
  held: Held,
  folder: string,
  stage: 'rolled-back' | 'refused',
  refusal: Refusal | null,
): Promise<MoveResult> {
  await held.abort()
  operation.fault('refs let go')
  held.release()
  operation.fault('indexes let go')
  rmSync(folder, { recursive: true, force: true })
  const endedAt = operation.ports.clock().toISOString()
  setStage(operation.repo.state, operation.id, stage, { endedAt, outcome: refusal })
  operation.intent = false
  return { moved: false, refusal }
}

/** Keeps in the intent which files were there before, so that undoing this leaves them where they were. */
function noteAdopted(operation: RunningOperation, plan: Plan, trees: readonly CheckedTree[]): void {
  const adopted = trees.flatMap(({ move, changes: { identical } }) =>
    identical.length > 0 ? [{ gitDir: move.gitDir, paths: identical.map((one) => one.path) }] : [],
  )
  if (adopted.length > 0) setStage(operation.repo.state, operation.id, 'intent', { plan: { ...plan, adopted } })
}

async function writeTrees(operation: RunningOperation, trees: readonly CheckedTree[], folder: string): Promise<void> {
  for (const [at, tree] of trees.entries()) {
    if (!changes(tree.move)) continue
    const git = operation.git.at(tree.move.worktree)
    const env = { GIT_INDEX_FILE: tree.indexFile }
    const { identical, stale } = tree.changes
    if (identical.length > 0) {
      const entries = identical.map((one) => ({ path: one.path, entry: one.new }))
      await git.run(['update-index', '-z', '--index-info'], { env, input: indexInfo(entries, tree.move.to.length) })
    }
    const wanted = new Set(tree.move.keep)
    const kept = tree.touched.filter((one) => one.old !== null && one.new === null && wanted.has(one.path))
    if (stale || identical.length > 0) await git.run(['update-index', '-q', '--refresh'], { env, ok: [0, 1] })
    const from = kept.length > 0 ? await forget(git, env, tree.move.from, kept) : tree.move.from
    writeMarker(
      folder,
      at,
      [...identical, ...kept].map((one) => one.path),
    )
    operation.fault('files begin')
    await git.run(['read-tree', '-m', '-u', '--no-recurse-submodules', from, tree.move.to], { env })
    operation.fault('files written')
  }
}

/** Takes paths out of an index without their files. Returns a tree without them: git then sees nothing to remove. */
async function forget(
  git: Git,
  env: Readonly<Record<string, string>>,
  from: string,
  paths: readonly TouchedPath[],
): Promise<string> {
  const gone = paths.map(({ path }) => ({ path, entry: null }))
  await git.run(['update-index', '-z', '--index-info'], { env, input: indexInfo(gone, from.length) })
  return withPrivateTree(git, from, async (open) => {
    await open.set(gone)
    return open.write()
  })
}

async function rollBack(operation: RunningOperation, plan: Plan, folder: string, held: Held): Promise<void> {
  try {
    for (const [at, move] of plan.trees.entries()) {
      const keep = readMarker(folder, at)
      if (keep === null) continue
      const setup = { move, operation: operation.id, privateIndex: join(folder, `${at}.index`), keep }
      await settleTree(operation.git.at(move.worktree), setup, move.from)
    }
    await held.abort()
    held.release()
    rmSync(folder, { recursive: true, force: true })
    setStage(operation.repo.state, operation.id, 'failed', { endedAt: operation.ports.clock().toISOString() })
  } catch (cause) {
    // The intent stays: the next command mends what could not be put back now.
    await held.abort()
    operation.ports.log(`rolling back ${operation.id} failed: ${String(cause)}`)
  }
}

function explain(error: unknown, operation: RunningOperation, plan: Plan): unknown {
  if (!(error instanceof AppError) || error.code !== 'ERR_GIT') return storageProblem(error)
  const folders = [operation.repo.repository.commonDir, ...plan.trees.map((move) => move.worktree)]
  for (const folder of folders) {
    const problem = writeProblem(folder)
    if (problem) return problem
  }
  return error
}

function storageProblem(error: unknown): unknown {
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new AppError('ERR_READ_ONLY', { path: path ?? '' })
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('ERR_DISK_FULL', { path: path ?? '' })
  return error
}
