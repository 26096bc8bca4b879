import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Refusal } from '../../../shared/model/index.ts'
import { forgetGate, makeGateFolder, noteGate } from '../operations/leftGates.ts'
import { endGroup, markOf, OPERATION_VARIABLE } from '../operations/processes.ts'
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
  const folder = makeGateFolder()
  try {
    const tree = join(folder, 'tree')
    noteGate(operation.repo, operation.id, { leader: null, folder })
    await exportTree(operation, commit, tree)
    return await execute(operation, gate, tree)
  } finally {
    forgetGate(operation.repo, operation.id)
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
    if (child.pid !== undefined)
      noteGate(operation.repo, operation.id, { leader: markOf(child.pid), folder: dirname(folder) })
    let reason: Ending['reason'] = 'exit'
    const stop = (why: Ending['reason']) => {
      reason = why
      endGroup(child.pid)
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
      endGroup(child.pid)
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
