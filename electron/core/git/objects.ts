import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { AppError } from '../../../shared/errors/index.ts'
import { type Git, spawnFailure } from './process.ts'

interface GitObject {
  readonly oid: string
  readonly type: 'blob' | 'tree' | 'commit' | 'tag'
  readonly bytes: Buffer
}

/** Reads objects through one persistent `cat-file --batch`; started at the first read, restarted when it died. */
export interface ObjectReader {
  /** `name`: an object id or any revision such as `main:path` without a newline. null where there is no such object. */
  read(name: string): Promise<GitObject | null>
  /** Many at once, in order; requests are pipelined. */
  readMany(names: readonly string[]): Promise<(GitObject | null)[]>
  close(): void
}

interface Waiting {
  readonly name: string
  resolve(object: GitObject | null): void
  reject(error: unknown): void
}

const NEWLINE = 10
/** Beyond this the repository, not one object, is at fault. */
const MOST_SILENT_ENDS = 3

/** The batch protocol of git-cat-file(1): `<oid> <type> <size>\n<bytes>\n`, or `<name> missing\n`. */
export function createObjectReader(git: Git): ObjectReader {
  let child: ChildProcessWithoutNullStreams | null = null
  let waiting: Waiting[] = []
  let chunks: Buffer[] = []
  let have = 0
  let need = 0
  let header: { oid: string; type: GitObject['type']; size: number } | null = null
  /** How often in a row a process ended without a single answer. */
  let silent = 0

  const reset = (): Waiting[] => {
    const lost = waiting
    waiting = []
    chunks = []
    have = 0
    need = 0
    header = null
    child = null
    return lost
  }
  const fail = (error: unknown) => {
    for (const one of reset()) one.reject(error)
  }
  /** The first one waiting is what the process died of; whoever waits behind it is asked for again. */
  const restart = (errorFor: (name: string) => unknown) => {
    const [culprit, ...rest] = reset()
    silent += 1
    culprit?.reject(errorFor(culprit.name))
    if (rest.length === 0) return
    if (silent > MOST_SILENT_ENDS) {
      for (const one of rest) one.reject(errorFor(one.name))
      return
    }
    waiting = rest
    try {
      const { stdin } = ensure()
      for (const one of rest) stdin.write(`${one.name}\n`)
    } catch (error) {
      fail(error)
    }
  }

  const take = (): boolean => {
    const first = waiting[0]
    if (!first || have < need) return false
    let buffer = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    if (!header) {
      const end = buffer.indexOf(NEWLINE)
      if (end === -1) {
        chunks = [buffer]
        return false
      }
      const line = buffer.toString('utf8', 0, end)
      buffer = buffer.subarray(end + 1)
      chunks = [buffer]
      have = buffer.length
      const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line)
      if (!match) {
        need = 0
        silent = 0
        waiting.shift()
        first.resolve(null)
        return true
      }
      header = { oid: match[1] as string, type: match[2] as GitObject['type'], size: Number(match[3]) }
      need = header.size + 1
      return have >= need
    }
    const { oid, type, size } = header
    const bytes = buffer.subarray(0, size)
    buffer = buffer.subarray(size + 1)
    chunks = [buffer]
    have = buffer.length
    need = 0
    header = null
    silent = 0
    waiting.shift()
    first.resolve({ oid, type, bytes })
    return true
  }

  const ensure = (): ChildProcessWithoutNullStreams => {
    if (child) return child
    const started = git.start(['cat-file', '--batch'])
    child = started
    started.stdout.on('data', (chunk: Buffer) => {
      if (child !== started) return
      chunks.push(chunk)
      have += chunk.length
      while (take()) {
        // Takes every whole answer that has arrived.
      }
    })
    started.stderr.resume()
    started.stdin.on('error', () => {})
    started.on('error', (cause) => {
      if (child === started) fail(spawnFailure(cause, ['cat-file'], git.cwd))
    })
    started.on('close', (code) => {
      if (child !== started) return
      restart((name) => {
        const missing = name || `cat-file ended (${code})`
        return new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing })
      })
    })
    return started
  }

  const read = (name: string): Promise<GitObject | null> =>
    new Promise((resolve, reject) => {
      if (name.includes('\n'))
        return reject(new AppError('ERR_GIT', { verb: 'cat-file', exitCode: null, detail: 'a name with a newline' }))
      const { stdin } = ensure()
      waiting.push({ name, resolve, reject })
      stdin.write(`${name}\n`)
    })

  return {
    read,
    readMany: (names) => Promise.all(names.map(read)),
    close: () => {
      const open = child
      fail(new AppError('ERR_CANCELLED', { what: 'Reading objects' }))
      open?.stdin.end()
    },
  }
}
