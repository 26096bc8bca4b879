import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import type { MarkerStyle } from '../../../shared/merge/threeway/chunks.ts'
import { type Merge, type MergeInput, merge } from '../../../shared/merge/threeway/merge.ts'
import { markedText } from '../../../shared/merge/threeway/render.ts'
import { createObjectReader } from '../../core/git/objects.ts'
import { createGit, type Git } from '../../core/git/process.ts'
import { replaceFile } from '../../core/git/replaceFile.ts'
import { type MergeFileOptions, MergeFileUsage, readMergeFileOptions, USAGE } from './options.ts'

export interface MergeFileIo {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly out: (bytes: Uint8Array | string) => Promise<void>
  readonly err: (text: string) => Promise<void>
}

/** As git: a failure, and a wrong call. The number of conflicts is at most 127. */
const FAILED = 255
const WRONG_CALL = 129
const MOST = 127

/** What cannot be done, in the words for stderr. */
class CannotMerge extends Error {}

/**
 * `daybreak merge-file`: the arguments, the output and the exit codes of `git merge-file`, so that it can stand in for it
 * and be a merge driver. Resolves with the exit code: the number of conflicts, 255 for a failure, 129 for a wrong call.
 */
export async function runMergeFile(argv: readonly string[], io: MergeFileIo): Promise<number> {
  let options: MergeFileOptions
  try {
    options = readMergeFileOptions(argv)
  } catch (error) {
    if (!(error instanceof MergeFileUsage)) throw error
    await io.err(`error: ${error.message}\n${USAGE}\n`)
    return WRONG_CALL
  }
  try {
    return await mergeFiles(options, io)
  } catch (error) {
    if (!(error instanceof CannotMerge) && !(error instanceof AppError)) throw error
    if (!options.quiet) await io.err(`error: ${error.message}\n`)
    return FAILED
  }
}

async function mergeFiles(options: MergeFileOptions, io: MergeFileIo): Promise<number> {
  // How far up git looks for a repository is the caller's to say.
  const { GIT_CEILING_DIRECTORIES: ceiling } = io.env
  const extraEnv = ceiling === undefined ? {} : { GIT_CEILING_DIRECTORIES: ceiling }
  const git = createGit({ cwd: io.cwd, env: io.env, extraEnv })
  const input = options.objectId ? await readObjects(options, git) : readFiles(options, io.cwd)
  for (const name of ['ours', 'base', 'theirs'] as const)
    if (isBinary(input[name])) throw new CannotMerge(`Cannot merge binary files: ${options[name]}`)
  const merged = merge(input, { emptyBase: 'whole' })
  const style = options.style ?? (await configuredStyle(merged, git))
  const { markerSize, labels, favor } = options
  const marked = markedText(merged, { style, markerSize, labels, ...(favor === null ? {} : { favor }) })
  const written = !options.stdout && !options.objectId
  if (written) write(resolve(io.cwd, options.ours), options.ours, marked.bytes)
  if (options.json) {
    const { mergeFileEnvelope } = await import('./report.ts')
    await io.out(`${mergeFileEnvelope(input, merged, marked, { ...options, style }, written)}\n`)
  } else if (options.stdout) await io.out(marked.bytes)
  else if (options.objectId) {
    const id = await git.text(['hash-object', '-w', '--stdin'], { input: marked.bytes })
    await io.out(`${id}\n`)
  }
  return Math.min(MOST, marked.conflicts)
}

/** What git asks of the first 8,000 bytes. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

function readFiles(options: MergeFileOptions, cwd: string): MergeInput {
  const read = (name: string) => {
    try {
      return readFileSync(resolve(cwd, name))
    } catch (error) {
      throw new CannotMerge(`Could not read ${name}: ${reason(error)}`)
    }
  }
  return { ours: read(options.ours), base: read(options.base), theirs: read(options.theirs) }
}

/** Git knows them without storing them. */
const EMPTY_BLOBS: ReadonlySet<string> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
])

async function readObjects(options: MergeFileOptions, git: Git): Promise<MergeInput> {
  const { exitCode } = await git.run(['rev-parse', '--git-dir'], { ok: [0, 128] })
  if (exitCode !== 0) throw new CannotMerge('not a git repository')
  const objects = createObjectReader(git)
  const read = async (name: string) => {
    if (EMPTY_BLOBS.has(name)) return new Uint8Array(0)
    const object = name.includes('\n') ? null : await objects.read(name)
    if (object === null) throw new CannotMerge(`object '${name}' does not exist`)
    if (object.type !== 'blob') throw new CannotMerge(`object '${name}' is not a blob`)
    return object.bytes
  }
  try {
    return { ours: await read(options.ours), base: await read(options.base), theirs: await read(options.theirs) }
  } finally {
    objects.close()
  }
}

function write(path: string, name: string, bytes: Uint8Array): void {
  try {
    replaceFile(path, bytes)
  } catch (error) {
    throw new CannotMerge(`Could not write to ${name}: ${reason(error)}`)
  }
}

function reason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}

/** The style that the person's git is set to; asked only where there is something to show in it. */
async function configuredStyle(merged: Merge, git: Git): Promise<MarkerStyle> {
  if (merged.conflicts.length === 0) return 'merge'
  const { stdout } = await git.run(['config', '--get', 'merge.conflictStyle'], { ok: [0, 1, 128] })
  const value = stdout.toString('utf8').trim()
  return value === 'diff3' || value === 'zdiff3' ? value : 'merge'
}

/** `merge-file` of this process. */
export async function mergeFileMain(argv: readonly string[]): Promise<void> {
  const writer = (stream: NodeJS.WriteStream) => {
    stream.on('error', () => {})
    return (bytes: Uint8Array | string) => new Promise<void>((done) => stream.write(bytes, () => done()))
  }
  process.exitCode = await runMergeFile(argv, {
    env: process.env,
    cwd: process.cwd(),
    out: writer(process.stdout),
    err: writer(process.stderr),
  })
}
