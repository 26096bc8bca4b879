import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../../shared/errors/index.ts'
import type { Refusal } from '../../../../shared/model/index.ts'
import { copyIndex, indexLockPath, installIndex, releaseIndexLock, takeIndexLock } from '../../git/indexFile.ts'
import { LOCK_PATIENCE, untilFree, writeProblem } from '../../git/locks.ts'
import type { Git } from '../../git/process.ts'
import { writeIntent } from '../../operations/intent.ts'
import { undoRef } from '../../operations/plan.ts'
import { type RunningOperation, stopIfCancelled } from '../../operations/running.ts'
import { workFolder } from '../../operations/work.ts'
import { setStage, setUndone } from '../../store/operations.ts'
import { bringTo, type Disk } from './diskForms.ts'
import { readEntries, writeEntries } from './indexEntries.ts'
import { quitOperation } from './mend.ts'
import { duringOf, type SettlePlace } from './place.ts'
import type { IndexEntry, PathStep, SettlePlan } from './plan.ts'

/** What a look under the lock comes to: the steps to make, or why not. */
export type Steps = { readonly steps: readonly PathStep[] } | { readonly refusal: Refusal }

/** The index while it is locked, and a private copy of it. */
export interface LockedIndex {
  readonly file: string
  readonly entries: ReadonlyMap<string, readonly IndexEntry[]>
}

type Begun = Omit<SettlePlan, 'steps' | 'kept'>

/** What a step begins with. `item`: null where it is about all of them. `undoes`: the operation that it takes back. */
export async function beginSteps(
  operation: RunningOperation,
  place: SettlePlace,
  item: SettlePlan['item'],
  undoes: string | null = null,
): Promise<Begun> {
  const { commonDir, worktree, gitDir } = place
  const during = await duringOf(place.reading, gitDir)
  return { kind: 'settle', commonDir, worktree, gitDir, during, item, quit: null, undoes, trusted: operation.trusted }
}

/**
 * Makes the steps that `look` finds, all or nothing: the intent first, then the index lock, then the look, then the
 * blobs of both ends under a ref of the operation, the files, and last the index, which decides. `outcome`: what the
 * history keeps. A refusal leaves everything as it was.
 * Errors: ERR_LOCKED, ERR_READ_ONLY, ERR_DISK_FULL, ERR_GIT, ERR_CANCELLED; all is as it was then.
 */
export async function runSteps(
  operation: RunningOperation,
  place: SettlePlace,
  begun: Begun,
  look: (index: LockedIndex) => Promise<Steps>,
  outcome: unknown,
): Promise<Refusal | null> {
  const { repo, id } = operation
  let plan: SettlePlan = { ...begun, steps: [], kept: null }
  await writeIntent(operation, plan)
  const folder = workFolder(repo, id)
  const file = join(folder, '0.index')
  try {
    operation.progress('Locking the index', 0, 3, { cancellable: true })
    await lockIndex(operation, place)
    stopIfCancelled(operation)
    const found = await look(await openIndex(place, file))
    if ('refusal' in found) return endRefused(operation, place, folder, found.refusal)
    plan = { ...plan, steps: found.steps, kept: await keepBlobs(place.git, found.steps) }
    setStage(repo.state, id, 'intent', { plan })
    operation.fault('plan written')
    stopIfCancelled(operation)
    if (plan.kept !== null) await place.reading.run(['update-ref', undoRef(id), plan.kept, zeroFor(plan.kept)])
    operation.fault('kept')
    operation.progress('Writing files', 1, 3)
    await writeEntries(place.git, file, wanted(plan, 'to'))
    // What was given up is nothing that could be taken back by its stages.
    if (plan.item === null)
      await place.git.run(['update-index', '--clear-resolve-undo'], { env: { GIT_INDEX_FILE: file } })
    operation.fault('files begin')
    const left = await bringTo(diskOf(operation, place), plan.steps, 'to', file)
    operation.fault('files written')
    if (left.length > 0) {
      await putBack(operation, place, plan, folder)
      return endRefused(operation, place, folder, { refusal: 'edited-on-disk', paths: left })
    }
    operation.progress('Writing the index', 2, 3)
    await place.git.run(['update-index', '-q', '--refresh'], { env: { GIT_INDEX_FILE: file }, ok: [0, 1] })
    operation.fault('before index')
    installIndex(place.gitDir, file)
  } catch (error) {
    const reason = explain(error, place)
    await rollBack(operation, place, plan, folder)
    throw reason
  }
  operation.fault('index in place')
  if (plan.quit) await quitOperation(place.git, place.gitDir, plan.quit)
  setStage(repo.state, id, 'moved')
  operation.fault('stage moved')
  releaseIndexLock(place.gitDir, id)
  rmSync(folder, { recursive: true, force: true })
  operation.fault('locks gone')
  if (plan.undoes) setUndone(repo.state, plan.undoes, id)
  setStage(repo.state, id, 'done', { endedAt: operation.ports.clock().toISOString(), outcome })
  operation.fault('done')
  return null
}

export async function lockIndex(operation: RunningOperation, place: SettlePlace): Promise<void> {
  const lock = { path: indexLockPath(place.gitDir), what: `The index of ${place.worktree}` }
  operation.fault('before index lock')
  await untilFree(
    async () => {
      stopIfCancelled(operation)
      return takeIndexLock(place.gitDir, operation.id) ? true : null
    },
    [lock],
    operation.ports.lockPatience ?? LOCK_PATIENCE,
  )
  operation.fault('index locked')
}

async function openIndex(place: SettlePlace, file: string): Promise<LockedIndex> {
  copyIndex(place.gitDir, file)
  return { file, entries: await readEntries(place.reading, file) }
}

const diskOf = (operation: RunningOperation, place: SettlePlace): Disk => ({
  git: place.git,
  objects: operation.repo.objects,
})

export const wanted = (plan: Pick<SettlePlan, 'steps'>, end: 'from' | 'to') =>
  plan.steps.map((step) => ({ path: step.path, entries: step.index[end] }))

/** A tree that holds every blob of both ends, so that no clean-up of git's takes one away. */
async function keepBlobs(git: Git, steps: readonly PathStep[]): Promise<string | null> {
  const blobs = new Set<string>()
  for (const { index, disk } of steps) {
    for (const entry of [...index.from, ...index.to]) if (entry.mode !== '160000') blobs.add(entry.oid)
    for (const form of [disk.from, disk.to])
      if ('oid' in form && !(form.is === 'checkout' && form.mode === '160000')) blobs.add(form.oid)
  }
  if (blobs.size === 0) return null
  const rows = [...blobs].sort().map((oid, at) => `100644 blob ${oid}\t${String(at).padStart(6, '0')}\0`)
  return git.text(['mktree', '-z'], { input: rows.join('') })
}

const zeroFor = (oid: string) => '0'.repeat(oid.length)

function endRefused(operation: RunningOperation, place: SettlePlace, folder: string, refusal: Refusal): Refusal {
  releaseIndexLock(place.gitDir, operation.id)
  rmSync(folder, { recursive: true, force: true })
  const endedAt = operation.ports.clock().toISOString()
  setStage(operation.repo.state, operation.id, 'refused', { endedAt, outcome: refusal })
  operation.intent = false
  return refusal
}

async function putBack(
  operation: RunningOperation,
  place: SettlePlace,
  plan: SettlePlan,
  folder: string,
): Promise<readonly string[]> {
  const file = join(folder, '0.index')
  // Files are written out of the private index, which holds the other end by now.
  if (plan.steps.length > 0) await writeEntries(place.git, file, wanted(plan, 'from'))
  return bringTo(diskOf(operation, place), plan.steps, 'from', file)
}

async function rollBack(
  operation: RunningOperation,
  place: SettlePlace,
  plan: SettlePlan,
  folder: string,
): Promise<void> {
  try {
    operation.fault('rolling back')
    await putBack(operation, place, plan, folder)
    releaseIndexLock(place.gitDir, operation.id)
    rmSync(folder, { recursive: true, force: true })
    setStage(operation.repo.state, operation.id, 'failed', { endedAt: operation.ports.clock().toISOString() })
  } catch (cause) {
    // The intent stays: the next command mends what could not be put back now.
    operation.ports.log(`rolling back ${operation.id} failed: ${String(cause)}`)
  }
}

function explain(error: unknown, place: SettlePlace): unknown {
  if (error instanceof AppError)
    return error.code === 'ERR_GIT' ? (writeProblem(place.commonDir) ?? writeProblem(place.worktree) ?? error) : error
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new AppError('ERR_READ_ONLY', { path: path ?? '' })
  if (code === 'ENOSPC' || code === 'EDQUOT') return new AppError('ERR_DISK_FULL', { path: path ?? '' })
  return error
}
