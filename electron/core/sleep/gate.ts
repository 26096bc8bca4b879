import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Refusal } from '../../../shared/model/index.ts'
import { OPERATION_VARIABLE } from '../operations/processes.ts'
import type { RunningOperation } from '../operations/running.ts'
import type { RepositorySettings } from '../usecases/settings.ts'

/** How much of the end of a gate's output is kept for the refusal, in characters. */
const KEPT = 64 * 1024

/** How long output is waited for once the gate has ended and all that it started was ended, in milliseconds. */
const DRAIN = 1000

/**
 * Runs the gate on an export of the tree that trunk would get: plain files in a fresh folder without any repository,
 * so that the code under test gets neither refs nor hooks of the person's. null where it passed.
 */
export async function runGate(
  operation: RunningOperation,
  gate: NonNullable<RepositorySettings['gate']>,
  commit: string,
): Promise<Refusal | null> {
  const folder = mkdtempSync(join(tmpdir(), 'daybreak-gate-'))
  try {
    const tree = join(folder, 'tree')
    await exportTree(operation, commit, tree)
    return await execute(operation, gate, tree)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Writes a commit's files into a folder of their own; submodules are empty folders. */
async function exportTree(operation: RunningOperation, commit: string, folder: string): Promise<void> {
  const { git, repo } = operation
  const env = {
    GIT_DIR: repo.repository.commonDir,
    GIT_WORK_TREE: dirname(folder),
    GIT_INDEX_FILE: join(dirname(folder), 'index'),
  }
  const cwd = dirname(folder)
  await git.run(['read-tree', commit], { env, cwd })
  await git.run(['checkout-index', '-a', '-f', `--prefix=tree/`], { env, cwd })
}

interface Ending {
  readonly reason: 'exit' | 'timeout' | 'cancelled' | 'not-started'
  readonly exitCode: number | null
}

async function execute(
  operation: RunningOperation,
  gate: NonNullable<RepositorySettings['gate']>,
  folder: string,
): Promise<Refusal | null> {
  const began = Date.now()
  let output = ''
  operation.progress('Running the gate', 0, 1, { cancellable: true })
  const ending = await new Promise<Ending>((resolve) => {
    const child = spawn(gate.run, {
      shell: true,
      cwd: folder,
      env: environment(operation, folder),
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let reason: Ending['reason'] = 'exit'
    const stop = (why: Ending['reason']) => {
      reason = why
      killTree(child.pid)
    }
    const timer = setTimeout(() => stop('timeout'), gate.timeoutMs)
    const cancel = () => stop('cancelled')
    operation.signal.addEventListener('abort', cancel)
    if (operation.signal.aborted) cancel()
    const hear = (chunk: Buffer) => {
      const text = chunk.toString('utf8')
      output = (output + text).slice(-KEPT)
      operation.progress('Running the gate', 0, 1, { output: text, cancellable: true })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    const end = (ended: Ending) => {
      clearTimeout(timer)
      operation.signal.removeEventListener('abort', cancel)
      resolve(ended)
    }
    child.on('error', (cause) => {
      output += cause.message
      end({ reason: 'not-started', exitCode: null })
    })
    // What the gate left in the background would hold its output open for ever.
    let exitCode: number | null = null
    child.on('exit', (code) => {
      exitCode = code
      killTree(child.pid)
      setTimeout(() => end({ reason, exitCode }), DRAIN).unref()
    })
    child.on('close', () => end({ reason, exitCode }))
  })
  if (ending.reason === 'exit' && ending.exitCode === 0) return null
  const seconds = (Date.now() - began) / 1000
  return { refusal: 'gate-failed', command: gate.run, ...ending, seconds, output: output.toWellFormed() }
}

/** The person's environment without anything that leads git to a repository. */
function environment(operation: RunningOperation, folder: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(operation.ports.env)) if (!name.startsWith('GIT_')) env[name] = value
  return { ...env, GIT_CEILING_DIRECTORIES: dirname(folder), [OPERATION_VARIABLE]: operation.id }
}

/** Ends a process and all that it started. */
function killTree(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
