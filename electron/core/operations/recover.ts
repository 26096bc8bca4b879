import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import { mendSettle } from '../conflicts/settle/mend.ts'
import { mendContinue } from '../conflicts/settle/mendContinue.ts'
import { isContinuePlan, isSettlePlan } from '../conflicts/settle/plan.ts'
import type { RepositoryContext } from '../context.ts'
import { readCheckouts } from '../git/checkouts.ts'
import { readConfig } from '../git/drivers.ts'
import { indexLockPath, ownsIndexLock, releaseIndexLock, takeIndexLock } from '../git/indexFile.ts'
import { untilFree } from '../git/locks.ts'
import { isAncestor } from '../git/mergeBase.ts'
import type { Git } from '../git/process.ts'
import { resolveCommit } from '../git/refs.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { prepareRefs } from '../git/refTransaction.ts'
import { readConfigWithFilters } from '../git/worktreeConfig.ts'
import type { Ports } from '../ports.ts'
import { claimOperation, type OperationRow, setStage, unfinishedOperations } from '../store/operations.ts'
import { filtersOn } from './filters.ts'
import { followUp } from './followUp.ts'
import { headRef, moveHeads } from './heads.ts'
import { endLeftGates } from './leftGates.ts'
import type { Plan, TreeMove } from './plan.ts'
import { isAlive, livingChildren, ownMark } from './processes.ts'
import { isRunningHere, tracked, trusting } from './running.ts'
import { settleTree } from './settle.ts'
import { removeStaleHeadLock, removeStaleRefLocks } from './staleLocks.ts'
import { dropLeftTickets } from './turns.ts'
import { readMarker, workFolder } from './work.ts'

/** How long an act of another Daybreak, or a child that outlived its parent, is waited for, in milliseconds. */
const PATIENCE = 30_000
const POLL = 25

const mending = new Map<string, Promise<void>>()

/** Whether the text of what the repository brings is accepted as it is now. */
export type AskTrust = () => Promise<boolean>

/**
 * Finishes or rolls back every operation of a repository that was cut off, and ends a gate that was left running; waits for one that another process is in
 * the middle of. Changes nothing where there is none. What the repository brings acts only where the operation had
 * leave for it and its text is still accepted. Errors: ERR_LOCKED, ERR_TORN_FILES.
 */
export function recover(repo: RepositoryContext, ports: Ports, trusted: AskTrust): Promise<void> {
  const key = repo.state.file
  const next = (mending.get(key) ?? Promise.resolve()).catch(() => {}).then(() => recoverAll(repo, ports, trusted))
  mending.set(key, next)
  return next.finally(() => {
    if (mending.get(key) === next) mending.delete(key)
  })
}

/**
 * As `recover`, when a repository is opened: what another living process is in the middle of is left to it, and what
 * cannot be mended is left for the next verb to tell, so that the repository can still be looked at.
 */
export async function recoverAtOpen(repo: RepositoryContext, ports: Ports, trusted: AskTrust): Promise<void> {
  endLeftGates(repo)
  dropLeftTickets(repo)
  if (repo.state.problem || !unfinishedOperations(repo.state).some((row) => !runs(row))) return
  try {
    await repo.queue.run(() => recover(repo, ports, trusted))
    await repo.refresh()
  } catch (error) {
    ports.log(`what was cut off could not be mended: ${String(error)}`)
  }
}

/** Whether a process, this one or another, is in the middle of it. */
function runs(row: OperationRow): boolean {
  const mine = row.owner.pid === ownMark().pid && row.owner.started === ownMark().started
  return mine ? isRunningHere(row.id) : isAlive(row.owner)
}

async function recoverAll(repo: RepositoryContext, ports: Ports, trusted: AskTrust): Promise<void> {
  endLeftGates(repo)
  if (repo.state.problem) return
  let deadline = Date.now() + PATIENCE
  let waitingFor: string | null = null
  for (;;) {
    const row = unfinishedOperations(repo.state)[0]
    if (!row) return
    // Many writers take turns: each one is waited for anew.
    if (row.id !== waitingFor) deadline = Date.now() + PATIENCE
    waitingFor = row.id
    if (!runs(row) && claimOperation(repo.state, row, ownMark())) {
      await mend(repo, ports, row, trusted)
      continue
    }
    if (Date.now() > deadline)
      throw new AppError('ERR_LOCKED', {
        path: repo.state.file,
        ageSeconds: (ports.clock().getTime() - Date.parse(row.startedAt)) / 1000,
        what: `The repository (${row.verb} of ${row.branch})`,
      })
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}

async function mend(repo: RepositoryContext, ports: Ports, row: OperationRow, trusted: AskTrust): Promise<void> {
  const fault = (point: string) => ports.fault?.(`recover-${row.verb}:${point}`)
  if (isSettlePlan(row.plan) || isContinuePlan(row.plan)) return mendConflict(repo, ports, row, trusted, fault)
  const plan = await relocated(repo, row.plan as Plan)
  const mayRun = plan.trusted && (await trusted())
  const git = tracked(mayRun ? trusting(repo.git) : repo.git, { id: row.id, fault, onSpawn: () => {} })
  await childrenEnd(row)
  fault('children ended')
  await removeStaleRefLocks(repo, row.id, plan)
  const moved = row.stage === 'moved' || (await settleRefs(repo, git, row, plan))
  fault('refs settled')
  if (row.stage === 'intent') {
    if (plan.trusted && !mayRun) await needNoFilter(repo, row, plan)
    await settleTrees(repo, git, row, plan, moved)
  }
  fault('trees settled')
  const endedAt = ports.clock().toISOString()
  if (moved) {
    if (row.stage === 'intent') setStage(repo.state, row.id, 'moved')
    fault('stage moved')
    const heads = plan.heads.filter((head) => existsSync(head.worktree))
    for (const head of heads) if (ownsIndexLock(head.gitDir, row.id)) await removeStaleHeadLock(head)
    await moveHeads(git, heads, `daybreak ${row.verb}: ${row.branch}`)
    fault('heads moved')
  }
  for (const move of plan.trees) releaseIndexLock(move.gitDir, row.id)
  rmSync(workFolder(repo, row.id), { recursive: true, force: true })
  fault('locks gone')
  if (moved) await followUp({ repo, ports, git, fault }, row, plan)
  else setStage(repo.state, row.id, 'rolled-back', { endedAt })
  fault('mended')
}

async function mendConflict(
  repo: RepositoryContext,
  ports: Ports,
  row: OperationRow,
  trusted: AskTrust,
  fault: (point: string) => void,
): Promise<void> {
  const { plan } = row
  const mayRun = isSettlePlan(plan) && plan.trusted && (await trusted())
  const git = tracked(mayRun ? trusting(repo.git) : repo.git, { id: row.id, fault, onSpawn: () => {} })
  await childrenEnd(row)
  fault('children ended')
  const setup = { repo, ports, git, trusted: mayRun, fault }
  if (isSettlePlan(plan)) await mendSettle(setup, row, plan)
  else if (isContinuePlan(plan)) await mendContinue(setup, row, plan)
}

/** A plan with the folders as they are now: the repository may have been moved, or be a copy, since it was made. */
async function relocated(repo: RepositoryContext, plan: Plan): Promise<Plan> {
  const { commonDir } = repo.repository
  const checkouts = await readCheckouts(repo.git, repo.repository, await readConfig(repo.git))
  const gitDirNow = (gitDir: string) => join(commonDir, relative(plan.commonDir, gitDir))
  const worktreeNow = (gitDir: string, then: string) =>
    checkouts.find((one) => one.gitDir === gitDirNow(gitDir))?.path ?? (commonDir === plan.commonDir ? then : '')
  const place = <T extends { readonly worktree: string; readonly gitDir: string }>(one: T): T => ({
    ...one,
    gitDir: gitDirNow(one.gitDir),
    worktree: worktreeNow(one.gitDir, one.worktree),
  })
  const store =
    plan.store === null || plan.storeGitDir === null ? null : worktreeNow(plan.storeGitDir, plan.store) || null
  return { ...plan, trees: plan.trees.map(place), heads: plan.heads.map(place), store }
}

async function childrenEnd(row: OperationRow): Promise<void> {
  const deadline = Date.now() + PATIENCE
  for (;;) {
    const [pid] = livingChildren(row.id, row.children)
    if (pid === undefined) return
    if (Date.now() > deadline)
      throw new AppError('ERR_LOCKED', {
        path: `process ${pid}`,
        ageSeconds: (Date.now() - Date.parse(row.startedAt)) / 1000,
        what: `A git of an earlier ${row.verb} still runs; the repository`,
      })
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}

/**
 * Says whether the refs of a plan have moved, after making it all or nothing: git moves them one by one, so a killed
 * git may have left some behind.
 */
async function settleRefs(repo: RepositoryContext, git: Git, row: OperationRow, plan: Plan): Promise<boolean> {
  const moving = plan.refs.filter((one) => one.old !== one.new)
  const now = await readRefsNow(
    git,
    moving.map((one) => one.ref),
  )
  const first = moving[0]
  if (!first) return false
  const own = moving.filter((one) => one.ref.endsWith(`/${row.id}`))
  const at = now.get(first.ref) ?? null
  const ownThere = own.some((one) => now.get(one.ref) === one.new)
  // Neither old nor new: someone moved it since. It had moved with us if what is there descends from what we put.
  const moved =
    at === first.new ||
    (at !== first.old &&
      (ownThere || own.length === 0) &&
      (first.new === null || at === null || (await isAncestor(git, first.new, at))))
  const behind = moving.filter(
    (one) => now.get(one.ref) === (moved ? one.old : one.new) && (moved || own.includes(one)),
  )
  if (behind.length > 0) {
    const updates = behind.map((one) => (moved ? one : { ref: one.ref, old: one.new, new: one.old }))
    const locks = updates.map((one) => ({ path: join(repo.repository.commonDir, `${one.ref}.lock`), what: one.ref }))
    const prepared = await untilFree(async () => {
      const answer = await prepareRefs(git, updates, `daybreak ${row.verb}: mended`)
      return answer.prepared ? answer.refs : null
    }, locks)
    await prepared.commit()
  }
  return moved
}

async function settleTrees(
  repo: RepositoryContext,
  git: Git,
  row: OperationRow,
  plan: Plan,
  moved: boolean,
): Promise<void> {
  const folder = workFolder(repo, row.id)
  for (const [at, move] of plan.trees.entries()) {
    const keep = readMarker(folder, at)
    if (keep === null || !existsSync(move.worktree)) continue
    if (!ownsIndexLock(move.gitDir, row.id)) {
      const lock = { path: indexLockPath(move.gitDir), what: `The index of ${move.worktree}` }
      await untilFree(async () => (takeIndexLock(move.gitDir, row.id) ? true : null), [lock])
    }
    const there = git.at(move.worktree)
    const setup = { move, operation: row.id, privateIndex: join(folder, `${at}.index`), keep }
    await settleTree(there, setup, await targetOf(there, plan, move, moved))
  }
}

/** Without their filter the files can neither be told whole from torn nor written out. Errors: ERR_TORN_FILES. */
async function needNoFilter(repo: RepositoryContext, row: OperationRow, plan: Plan): Promise<void> {
  const begun = plan.trees.filter(
    (move, at) => readMarker(workFolder(repo, row.id), at) !== null && existsSync(move.worktree),
  )
  const { paths } = await filtersOn(repo.git, await readConfigWithFilters(repo.git, repo.repository.commonDir), begun)
  if (paths.length > 0) throw new AppError('ERR_TORN_FILES', { paths: [...paths], operationId: row.id })
}

/** The tree that a worktree's HEAD has, or will have once its HEAD is moved. */
async function targetOf(git: Git, plan: Plan, move: TreeMove, moved: boolean): Promise<string> {
  const head = plan.heads.find((one) => one.gitDir === move.gitDir)
  if (moved && head && (await headRef(git)) === head.fromRef) return move.to
  return (await resolveCommit(git, 'HEAD')) ?? (moved ? move.to : move.from)
}
