import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { AppError } from '../../../shared/errors/index.ts'
import { FLAGS_WITH_HOOKS, gitEnvironment, SAFE_FLAGS } from './environment.ts'
import { locateGit } from './locate.ts'

interface GitResult {
  readonly exitCode: number
  readonly stdout: Buffer
  readonly stderr: string
}

export interface GitOptions {
  /** Exit codes that are an answer; any other throws ERR_GIT. Default: 0 only. */
  readonly ok?: readonly number[]
  readonly input?: Uint8Array | string
  /** Added to the environment, e.g. a private GIT_INDEX_FILE. */
  readonly env?: Readonly<Record<string, string>>
  /** Where git runs; default: the repository's folder. */
  readonly cwd?: string
  readonly signal?: AbortSignal
  /**
   * Lets the repository's own configuration act where a verb needs it: `hooks` keeps its hooks path.
   * Only for the person's own verbs in a trusted repository.
   */
  readonly hooks?: boolean
  /** The same for the filters and merge drivers that the repository's own configuration defines. */
  readonly filters?: boolean
  /** A process group of its own, which `signal` ends as a whole: for a git that starts others. */
  readonly group?: boolean
  /** Called with the child's id as soon as it runs, so that an intent row can name it. */
  readonly onSpawn?: (pid: number) => void
}

/** Runs git in one repository. Bytes in, bytes out; no output limit; exit codes are the caller's to declare. */
export interface Git {
  readonly cwd: string
  run(args: readonly string[], options?: GitOptions): Promise<GitResult>
  /** stdout as UTF-8 without its last newline. */
  text(args: readonly string[], options?: GitOptions): Promise<string>
  /** A living process, e.g. `cat-file --batch` or `update-ref --stdin`. The caller ends it. */
  start(args: readonly string[], options?: GitOptions): ChildProcessWithoutNullStreams
  /** The environment that the next call gets, the repository's overrides included. */
  environment(): Record<string, string>
  /** The same git in another folder of the same repository. */
  at(cwd: string): Git
}

export interface GitSetup {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** More flags for every call, and more environment: the overrides of `drivers.ts`. */
  readonly flags?: readonly string[]
  readonly extraEnv?: Readonly<Record<string, string>>
  /** What takes the place of `extraEnv` in calls with `filters`. */
  readonly extraEnvWithFilters?: Readonly<Record<string, string>>
  /** Called before every spawn with the verb and arguments: the fault hook of the kill suite. */
  readonly onCall?: (args: readonly string[]) => void
}

/** Makes a `Git` for a folder. Starts nothing. */
export function createGit(setup: GitSetup): Git {
  const environment = gitEnvironment(setup.env)

  const start = (args: readonly string[], options: GitOptions = {}): ChildProcessWithoutNullStreams => {
    setup.onCall?.(args)
    const flags = options.hooks ? FLAGS_WITH_HOOKS : SAFE_FLAGS
    const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1]
    const program = locateGit(path)
    if (program === null) throw new AppError('ERR_GIT_MISSING', {})
    const child = spawn(program, [...flags, ...(setup.flags ?? []), ...args], {
      cwd: options.cwd ?? setup.cwd,
      env: { ...environment, ...(options.filters ? setup.extraEnvWithFilters : setup.extraEnv), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...(options.group && process.platform !== 'win32' ? { detached: true } : {}),
      ...(options.signal && !options.group ? { signal: options.signal } : {}),
    })
    if (options.group && options.signal) endWith(child, options.signal)
    if (child.pid !== undefined) options.onSpawn?.(child.pid)
    return child
  }

  const run = (args: readonly string[], options: GitOptions = {}): Promise<GitResult> =>
    new Promise((resolve, reject) => {
      const child = start(args, options)
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
      child.on('error', (cause) => reject(spawnFailure(cause, args, options.cwd ?? setup.cwd)))
      child.on('close', (code, signal) => {
        const stderr = Buffer.concat(err).toString('utf8')
        const exitCode = code ?? -1
        if ((options.ok ?? [0]).includes(exitCode)) resolve({ exitCode, stdout: Buffer.concat(out), stderr })
        else
          reject(
            new AppError('ERR_GIT', {
              verb: verbOf(args),
              exitCode: code,
              detail: stderr.trim() || `ended by ${signal}`,
            }),
          )
      })
      // A git that ends before it has read its input closes the pipe; its exit code says what happened.
      child.stdin.on('error', () => {})
      child.stdin.end(options.input)
    })

  return {
    cwd: setup.cwd,
    run,
    start,
    text: async (args, options) => (await run(args, options)).stdout.toString('utf8').replace(/\n$/, ''),
    environment: () => ({ ...environment, ...setup.extraEnv }),
    at: (cwd) => createGit({ ...setup, cwd }),
  }
}

/** How long an asked group may take to put its locks away before it is ended, in milliseconds. */
const GRACE = 3000

/** Ends a child and all that it started once the signal says so: asked first, so that git removes its locks. */
function endWith(child: ChildProcessWithoutNullStreams, signal: AbortSignal): void {
  const kill = (how: NodeJS.Signals) => {
    if (child.pid === undefined) return
    if (process.platform === 'win32') {
      spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => {},
      )
      return
    }
    try {
      process.kill(-child.pid, how)
    } catch {
      // All of it has ended.
    }
  }
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    kill('SIGTERM')
    timer = setTimeout(() => kill('SIGKILL'), GRACE)
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  child.once('close', () => {
    signal.removeEventListener('abort', stop)
    clearTimeout(timer)
  })
}

const verbOf = (args: readonly string[]) => args.find((arg) => !arg.startsWith('-')) ?? ''

/** Why a git could not be started, in the catalogue's words. */
export function spawnFailure(cause: NodeJS.ErrnoException, args: readonly string[], cwd: string): AppError {
  if (cause.name === 'AbortError') return new AppError('ERR_CANCELLED', { what: `git ${verbOf(args)}` })
  // A folder that is not there is told in the same way as a program that is not.
  if (cause.code === 'ENOENT' && !existsSync(cwd)) return new AppError('ERR_PATH_NOT_FOUND', { path: cwd }, { cause })
  if (cause.code === 'ENOENT') return new AppError('ERR_GIT_MISSING', {}, { cause })
  return new AppError('ERR_GIT', { verb: verbOf(args), exitCode: null, detail: cause.message }, { cause })
}
