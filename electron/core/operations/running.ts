import { randomBytes } from 'node:crypto'
import type { Caller, Emit } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { OperationProgress, Verb } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import type { Git, GitOptions } from '../git/process.ts'
import type { Ports } from '../ports.ts'
import { addChild } from '../store/operations.ts'
import { markOf, OPERATION_VARIABLE } from './processes.ts'

/** An act of a verb while it runs. */
export interface RunningOperation {
  readonly id: string
  readonly verb: Verb
  readonly branch: string
  readonly startedAt: string
  readonly caller: Caller
  readonly repo: RepositoryContext
  readonly ports: Ports
  readonly signal: AbortSignal
  /** The person accepted what the repository itself would run: its filters, hooks and signing may act. */
  readonly trusted: boolean
  /**
   * The repository's git for the verb's own steps; its children carry the operation's id and, once there is an
   * intent, are noted in it. Where the repository is trusted its filters and hooks act.
   */
  readonly git: Git
  /** The same with everything of the repository's own out of force: for merging in memory. */
  readonly reading: Git
  /** Whether an intent row is there to note children in. */
  intent: boolean
  /** Notes a process that works for it though it was started before. */
  child(pid: number): void
  /** Announces the step that begins. `cancellable`: nothing has moved yet. */
  progress(step: string, done: number, total: number, more?: { output?: string; cancellable?: boolean }): void
  /** A point that a kill may fall on. */
  fault(point: string): void
}

const running = new Map<string, AbortController>()

/** Asks a running operation of this process to stop. False where there is none of that id. */
export function cancelOperation(id: string): boolean {
  const found = running.get(id)
  found?.abort()
  return found !== undefined
}

export const isRunningHere = (id: string): boolean => running.has(id)

/** An id that sorts by time: `20261130-221500-approve-9f31c2`. */
export function newOperationId(verb: Verb, now: Date): string {
  const [date = '', time = ''] = now.toISOString().replaceAll(/[-:]/g, '').split(/[T.]/)
  return `${date}-${time}-${verb}-${randomBytes(4).toString('hex')}`
}

interface Setup {
  readonly repo: RepositoryContext
  readonly ports: Ports
  readonly emit: Emit
  readonly verb: Verb
  readonly branch: string
  readonly caller: Caller
  readonly trusted: boolean
}

/** Runs `work` as an operation that can be cancelled and that tells its progress. */
export async function asOperation<T>(setup: Setup, work: (operation: RunningOperation) => Promise<T>): Promise<T> {
  const { repo, ports, emit, verb } = setup
  const now = ports.clock()
  const id = newOperationId(verb, now)
  const controller = new AbortController()
  const fault = (point: string) => ports.fault?.(`${verb}:${point}`)
  const tracking: Tracking = {
    id,
    fault,
    onSpawn: (pid) => {
      if (operation.intent) addChild(repo.state, id, markOf(pid))
    },
  }
  const operation: RunningOperation = {
    id,
    verb,
    branch: setup.branch,
    startedAt: now.toISOString(),
    caller: setup.caller,
    repo,
    ports,
    signal: controller.signal,
    intent: false,
    trusted: setup.trusted,
    child: tracking.onSpawn,
    git: tracked(setup.trusted ? trusting(repo.git) : repo.git, tracking),
    reading: tracked(repo.git, tracking),
    progress: (step, done, total, more = {}) => {
      const event: OperationProgress = {
        repoId: repo.repository.id,
        operationId: id,
        verb,
        step,
        done,
        total,
        cancellable: more.cancellable ?? false,
        ...(more.output === undefined ? {} : { output: more.output }),
      }
      emit('operation.progress', event)
    },
    fault,
  }
  running.set(id, controller)
  try {
    return await work(operation)
  } finally {
    running.delete(id)
  }
}

interface Tracking {
  readonly id: string
  fault(point: string): void
  onSpawn(pid: number): void
}

/** A git in which the repository's own filters and hooks act. Only where the person accepted their text. */
export const trusting = (git: Git): Git => ({
  ...git,
  run: (args, options) => git.run(args, { ...options, hooks: true, filters: true }),
  text: (args, options) => git.text(args, { ...options, hooks: true, filters: true }),
  start: (args, options) => git.start(args, { ...options, hooks: true, filters: true }),
  at: (cwd) => trusting(git.at(cwd)),
})

/** Questions: a kill before or after one is a kill between the steps around it. */
const QUESTIONS = new Set([
  'cat-file',
  'check-attr',
  'diff-files',
  'diff-index',
  'diff-tree',
  'for-each-ref',
  'hash-object',
  'ls-files',
  'ls-tree',
  'merge-base',
  'rev-parse',
  'worktree',
])

/** A git whose children carry an operation's id, and that is a fault point before and after every call that writes. */
export function tracked(git: Git, tracking: Tracking): Git {
  const more = (options: GitOptions = {}): GitOptions => ({
    ...options,
    env: { ...options.env, [OPERATION_VARIABLE]: tracking.id },
    onSpawn: (pid) => {
      tracking.onSpawn(pid)
      options.onSpawn?.(pid)
    },
  })
  const around = async <T>(args: readonly string[], call: () => Promise<T>): Promise<T> => {
    const name = args.find((arg) => !arg.startsWith('-')) ?? ''
    if (QUESTIONS.has(name) || args.includes('-q')) return call()
    tracking.fault(`before git ${name}`)
    const result = await call()
    tracking.fault(`after git ${name}`)
    return result
  }
  return {
    cwd: git.cwd,
    environment: git.environment,
    run: (args, options) => around(args, () => git.run(args, more(options))),
    text: (args, options) => around(args, () => git.text(args, more(options))),
    start: (args, options) => git.start(args, more(options)),
    at: (cwd) => tracked(git.at(cwd), tracking),
  }
}

/** Throws ERR_CANCELLED where the operation was asked to stop. */
export function stopIfCancelled(operation: RunningOperation): void {
  if (operation.signal.aborted) throw new AppError('ERR_CANCELLED', { what: `${operation.verb} ${operation.branch}` })
}
