import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { TestHome } from './support/index.ts'

const DAYBREAK = resolve(import.meta.dirname, '../bin/daybreak')

export interface Server {
  /** A link that opens the app once. */
  readonly url: string
  readonly origin: string
  /** What it said on stderr so far. */
  stderr(): string
  /** Its process, to be stopped in the middle or killed. */
  readonly pid: number
  /** Ends it as a person does. Resolves when it is gone. */
  stop(): Promise<void>
}

/** Starts `daybreak serve` on a folder (null: none) and waits until it says where it is. */
export function startServer(home: TestHome, folder: string | null, env: Record<string, string> = {}): Promise<Server> {
  const child = spawn(DAYBREAK, ['serve', ...(folder === null ? [] : [folder]), '--json'], {
    env: { ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  return new Promise((settle, reject) => {
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`daybreak serve ended (${code}): ${out}${err}`)))
    child.stdout.on('data', (chunk) => {
      out += chunk
      const url = linkOf(out)
      if (url)
        settle({ url, origin: new URL(url).origin, stderr: () => err, pid: child.pid ?? 0, stop: () => stop(child) })
    })
  })
}

function linkOf(out: string): string | null {
  try {
    return (JSON.parse(out) as { data: { url: string } }).data.url
  } catch {
    return null
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((settle) => {
    if (child.exitCode !== null || child.signalCode !== null) return settle()
    child.once('close', () => settle())
    child.kill('SIGTERM')
  })
}

export interface CliResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** stdout read as JSON; null where it is not. */
  readonly envelope: { readonly type?: string; readonly code?: string; readonly data?: unknown } | null
}

/** Runs the command line as another program would. */
export function runCli(home: TestHome, cwd: string, args: readonly string[]): Promise<CliResult> {
  return new Promise((settle) => {
    const child = execFile(DAYBREAK, args, { cwd, env: home.env, maxBuffer: 1 << 28 }, (_, stdout, stderr) => {
      let envelope: CliResult['envelope'] = null
      try {
        envelope = JSON.parse(stdout)
      } catch {
        // Without --json it is text.
      }
      settle({ exitCode: child.exitCode ?? -1, stdout, stderr, envelope })
    })
  })
}
