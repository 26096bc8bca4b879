import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { AppError } from '../../../shared/errors/index.ts'
import type { Git } from './process.ts'

export interface GitObject {
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

/** The batch protocol of git-cat-file(1): `<oid> <type> <size>\n<bytes>\n`, or `<name> missing\n`. */
export function createObjectReader(git: Git): ObjectReader {
  let child: ChildProcessWithoutNullStreams | null = null
  let waiting: Waiting[] = []
  let chunks: Buffer[] = []
  let have = 0
  let need = 0
  let header: { oid: string; type: GitObject['type']; size: number } | null = null

  const fail = (error: unknown) => {
    const lost = waiting
    waiting = []
    chunks = []
    have = 0
    need = 0
    header = null
    child = null
    for (const one of lost) one.reject(error)
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
    waiting.shift()
    first.resolve({ oid, type, bytes })
    return true
  }

  const ensure = (): ChildProcessWithoutNullStreams => {
    if (child) return child
    const started = git.start(['cat-file', '--batch'])
    child = started
    started.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      have += chunk.length
      while (take()) {
        // Takes every whole answer that has arrived.
      }
    })
    started.stderr.resume()
    started.stdin.on('error', () => {})
    started.on('error', (cause) => child === started && fail(cause))
    started.on('close', (code) => {
      if (child !== started) return
      const name = waiting[0]?.name ?? ''
      fail(new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: name || `cat-file ended (${code})` }))
    })
    return started
  }

  const read = (name: string): Promise<GitObject | null> =>
    new Promise((resolve, reject) => {
      if (name.includes('\n'))
        return reject(new AppError('ERR_GIT', { verb: 'cat-file', exitCode: null, detail: 'a name with a newline' }))
      waiting.push({ name, resolve, reject })
      ensure().stdin.write(`${name}\n`)
    })

  return {
    read,
    readMany: (names) => Promise.all(names.map(read)),
    close: () => {
      const open = child
      child = null
      open?.stdin.end()
    },
  }
}
