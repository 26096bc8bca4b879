import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { Refusal } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { readHoldingCheckouts } from '../../git/checkouts.ts'
import { type Person, writeCommit } from '../../git/commit.ts'
import type { ObjectWriter } from '../../git/objectWriter.ts'
import { knowTouched } from '../../git/touched.ts'
import { diffTrees } from '../../git/treeDiff.ts'
import { editTree, type TreeChange } from '../../git/treeEdit.ts'
import { followUp } from '../../operations/followUp.ts'
import { moveByPlan } from '../../operations/move.ts'
import { NO_FOLLOW, type Plan } from '../../operations/plan.ts'
import { recover } from '../../operations/recover.ts'
import { asOperation, type RunningOperation } from '../../operations/running.ts'
import { inTurn } from '../../operations/turns.ts'
import { mustBeWritable } from '../../operations/verb.ts'
import { holdersSignature, readSituation, type Situation, usableHolders } from '../../sleep/situation.ts'
import { dropOperation } from '../../store/operations.ts'
import { isAccepted } from '../../usecases/trust.ts'
import { versionsOf } from '../versions/versions.ts'
import { refuse } from './refuse.ts'
import { createView, type TrunkView } from './view.ts'

/** One commit on trunk that a write asks for. */
export interface WantedCommit {
  readonly changes: readonly TreeChange[]
  /** Default: the person. */
  readonly author?: Person
  readonly message: string
  /** The candidate it answers, and how; the commit is added. */
  readonly answered?: {
    readonly candidate: string
    readonly answer: Readonly<Record<string, unknown>>
    /** Lines of its loss that are to be looked at. */
    readonly lost: number
  }
}

export type Decision<T> =
  /** Nothing needs to be written. */
  { readonly answer: T } | { readonly wanted: WantedCommit; landed(commit: string): T | Promise<T> }

/** A write that waits for its turn. `decide` is asked anew for every head that it meets; it writes at most objects. */
export interface Write<T> {
  /** What it writes, the document first. Two writes of one path are never landed together. */
  readonly paths: readonly string[]
  readonly caller: Caller
  decide(view: TrunkView, tools: WriteTools): Promise<Decision<T>>
}

export interface WriteTools {
  readonly writer: ObjectWriter
  readonly situation: Situation
}

interface Waiting {
  readonly write: Write<unknown>
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/** Writes to trunk, each one commit. Those that wait at the same moment are landed together, in the order of asking. */
export interface TrunkWriter {
  write<T>(write: Write<T>): Promise<T>
}

/** Tries of a batch whose trunk someone else moved between the look and the lock. */
const ROUNDS = 50
/** Writes that one move of trunk may carry. */
const MOST = 64

const writers = new WeakMap<RepositoryContext, TrunkWriter>()

/** The one writer of a repository in this process. */
export function trunkWriterOf(core: CoreContext, repo: RepositoryContext): TrunkWriter {
  const known = writers.get(repo)
  if (known) return known
  const made = createTrunkWriter(core, repo)
  writers.set(repo, made)
  return made
}

function createTrunkWriter(core: CoreContext, repo: RepositoryContext): TrunkWriter {
  const waiting: Waiting[] = []
  let asked = false
  const serve = async (): Promise<void> => {
    asked = false
    const batch = takeBatch(waiting)
    if (batch.length === 0) return
    if (waiting.length > 0) ask()
    try {
      mustBeWritable(repo)
      await inTurn(repo, () => landBatch(core, repo, batch))
    } catch (error) {
      for (const one of batch) one.reject(error)
    }
  }
  const ask = () => {
    if (asked) return
    asked = true
    void repo.queue.run(serve)
  }
  return {
    write: <T>(write: Write<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ write, resolve: resolve as (answer: unknown) => void, reject })
        ask()
      }),
  }
}

/** The first of those that wait, without a second write of a path. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const paths = new Set<string>()
  const batch: Waiting[] = []
  for (let at = 0; at < waiting.length && batch.length < MOST; ) {
    const one = waiting[at] as Waiting
    const meets = one.write.paths.some((path) => paths.has(path))
    // Whoever waits behind one that is left waits too, or two writes of a path could change places.
    for (const path of one.write.paths) paths.add(path)
    if (meets) at++
    else batch.push(...waiting.splice(at, 1))
  }
  return batch
}

async function landBatch(core: CoreContext, repo: RepositoryContext, batch: readonly Waiting[]): Promise<void> {
  await recover(repo, core.ports, () => isAccepted(core, repo))
  const trusted = await isAccepted(core, repo)
  const caller = batch[0]?.write.caller ?? { via: 'cli' }
  const setup = {
    repo,
    ports: core.ports,
    emit: core.emit,
    verb: 'publish' as const,
    branch: repo.repository.trunk.branch,
  }
  try {
    await asOperation({ ...setup, caller, trusted }, async (operation) => {
      try {
        await versionsOf(repo).keepRewritten(operation.git, core.ports.clock())
        await landRounds(operation, batch)
      } catch (error) {
        // Whoever mends it waits for its children.
        repo.mover.close()
        throw error
      } finally {
        // What is unfinished stays, to be mended; git's own history tells of the rest.
        dropOperation(repo.state, operation.id)
      }
    })
  } finally {
    core.emit('repo.changed', { repoId: repo.repository.id, what: ['refs', 'worktree', 'candidates'] })
  }
}

interface Landing {
  readonly one: Waiting
  readonly wanted: WantedCommit
  readonly commit: string
  landed(commit: string): unknown
}

async function landRounds(operation: RunningOperation, batch: readonly Waiting[]): Promise<void> {
  let left = [...batch]
  for (let round = 1; left.length > 0; round++) {
    const situation = await readSituation(operation.repo)
    const now = operation.ports.clock()
    const { landings, tip } = await decideAll(operation, situation, left, now)
    if (landings.length === 0) return
    left = landings.map((one) => one.one)
    const moved = await moveTrunk(operation, situation, landings, tip, now)
    if (moved === 'landed') return answer(landings)
    if (moved === null) {
      if (round < ROUNDS) continue
      const trunk = situation.trunk.ref
      throw new AppError('ERR_GIT', { verb: 'update-ref', exitCode: null, detail: `${trunk} kept moving` })
    }
    left = refuse(landings, moved)
  }
}

const WORDS = { file: 'a file', folder: 'a folder', link: 'a symbolic link', submodule: 'a submodule' } as const

/** Asks each write what it wants on the head before it; those that want nothing, or fail, are answered. */
async function decideAll(
  operation: RunningOperation,
  situation: Situation,
  left: readonly Waiting[],
  now: Date,
): Promise<{ readonly landings: readonly Landing[]; readonly tip: string }> {
  const { repo } = operation
  const { writer } = repo
  const view = createView(repo, situation.trunk)
  const landings: Landing[] = []
  let tip = situation.trunk.oid
  // Of a commit that is still being written the tree is known.
  let root = tip
  const commits = { git: operation.git, config: situation.config, now, trusted: operation.trusted, writer }
  for (const one of left) {
    try {
      const decision = await one.write.decide(view, { writer, situation })
      if ('answer' in decision) {
        one.resolve(decision.answer)
        continue
      }
      const { wanted, landed } = decision
      const edited = await editTree(repo.objects, writer, root, wanted.changes)
      if ('clash' in edited) {
        const { path, at, is } = edited.clash
        throw new AppError('ERR_BAD_PATH', { path, why: at === path ? `it is ${WORDS[is]}` : `${at} is ${WORDS[is]}` })
      }
      const { author, message } = wanted
      tip = await writeCommit(commits, { tree: edited.tree, parents: [tip], message, ...(author ? { author } : {}) })
      root = edited.tree
      landings.push({ one, wanted, commit: tip, landed })
    } catch (error) {
      one.reject(error)
    }
  }
  operation.fault('before flush')
  await writer.flush()
  operation.fault('commits written')
  return { landings, tip }
}

/** Moves trunk over all of them at once, and the worktrees that hold it. Null: trunk was moved by someone else. */
async function moveTrunk(
  operation: RunningOperation,
  situation: Situation,
  landings: readonly Landing[],
  tip: string,
  now: Date,
): Promise<'landed' | Refusal | null> {
  const { repo } = operation
  const { trunk, checkouts, config } = situation
  const usable = usableHolders(checkouts, trunk.branch)
  if (usable.refusal) return usable.refusal
  const answered = landings.flatMap(({ wanted, commit }) => {
    const { answered: one } = wanted
    return one ? [{ candidate: one.candidate, answer: JSON.stringify({ ...one.answer, commit }), lost: one.lost }] : []
  })
  const plan: Plan = {
    refs: [
      { ref: trunk.ref, old: trunk.oid, new: tip },
      // Held only, never made: a lock of this name is what proves whose the others are, should git be killed.
      { ref: `refs/daybreak/writing/${operation.id}`, old: null, new: null },
    ],
    trees: usable.holders.map(({ path, gitDir }) => ({
      worktree: path,
      gitDir,
      from: trunk.oid,
      to: tip,
      guard: null,
    })),
    heads: [],
    ...situation.home,
    trusted: operation.trusted,
    follow: { ...NO_FOLLOW, answered },
    facts: {},
  }
  if (usable.holders.length > 0)
    await knowTouched(operation.git, trunk.oid, tip, () => diffTrees(repo.objects, trunk.oid, tip))
  const before = holdersSignature(checkouts, [trunk.branch])
  const moved = await moveByPlan(operation, plan, {
    config,
    ignoreCase: situation.ignoreCase,
    stillFits: async () =>
      holdersSignature(await readHoldingCheckouts(repo.git, repo.repository, config), [trunk.branch]) === before,
  })
  if (!moved.moved) return moved.refusal
  await followUp({ repo, ports: operation.ports, git: operation.git, fault: operation.fault }, operation, plan)
  const writes = landings.flatMap(({ wanted, commit }) =>
    wanted.changes.map(({ path, entry }) => ({
      path,
      commit,
      oid: entry?.oid ?? null,
      mode: entry?.mode ?? null,
      at: now.toISOString(),
    })),
  )
  await versionsOf(repo).noteWritten(trunk.oid, writes)
  return 'landed'
}

async function answer(landings: readonly Landing[]): Promise<void> {
  for (const { one, commit, landed } of landings)
    try {
      one.resolve(await landed(commit))
    } catch (error) {
      one.reject(error)
    }
}
