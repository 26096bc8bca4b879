import { AppError } from '../../../shared/errors/index.ts'
import { encodePath } from './bytes.ts'
import type { Git } from './process.ts'

/** One object of a bulk read. */
export interface BulkObject {
  readonly oid: string
  readonly type: string
  /** Size in bytes of the whole object. */
  readonly size: number
  /** Its bytes; of an object above the limit only the first ones. */
  readonly bytes: Buffer
}

/** Objects of a bulk read, one after another in the order asked. */
export interface BulkReader {
  /**
   * The next object; null for a name that says nothing. Not a promise where it has arrived already.
   * Errors: ERR_REPOSITORY_DAMAGED where git ended before it gave it.
   */
  next(): BulkObject | null | Promise<BulkObject | null>
  close(): void
}

/** What is kept of an object above the limit: enough to tell text from bytes. */
const HEAD_BYTES = 64 * 1024
const NEWLINE = 10
const HEADER = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/

/**
 * Reads many objects with one `cat-file --batch --buffer`, so that only what is looked at is held. `names`: object ids,
 * or revisions such as `<commit>:path` with paths as `decodePath` gives them. Objects above `limit` bytes are cut to
 * their start.
 */
export function bulkRead(git: Git, names: readonly string[], limit: number): BulkReader {
  if (names.length === 0) return { next: () => null, close: () => {} }
  const child = git.start(['cat-file', '--batch', '--buffer', '-z'])
  const { stdout } = child
  const chunks: Buffer[] = []
  let at = 0
  let have = 0
  let ended = false
  let wake: (() => void) | null = null
  const news = () => {
    const waiting = wake
    wake = null
    waiting?.()
  }
  const end = () => {
    ended = true
    news()
  }
  stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    have += chunk.length
    if (have > HIGH_WATER) stdout.pause()
    news()
  })
  stdout.on('end', end)
  stdout.on('error', end)
  child.on('error', end)
  child.stderr.resume()
  child.stdin.on('error', () => {})
  child.stdin.end(Buffer.concat(names.flatMap((name) => [encodePath(name), ZERO])))

  const more = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
      stdout.resume()
    })
  const pass = (bytes: number) => {
    at += bytes
    have -= bytes
    if (at === chunks[0]?.length) {
      chunks.shift()
      at = 0
    }
  }
  /** The next line where it is here in full, without its end. */
  const line = (): string | null => {
    let text = ''
    for (let i = 0; i < chunks.length; i++) {
      const chunk = chunks[i] as Buffer
      const from = i === 0 ? at : 0
      const stop = chunk.indexOf(NEWLINE, from)
      text += chunk.toString('latin1', from, stop === -1 ? undefined : stop)
      if (stop === -1) continue
      for (; i > 0; i--) pass((chunks[0] as Buffer).length - at)
      pass(stop + 1 - at)
      return text
    }
    return null
  }
  const lost = (name: string) => new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: name.toWellFormed() })

  /** Takes `size` bytes and the line end after them off what arrives, keeping the first `keep`. */
  const takeSlowly = async (name: string, size: number, keep: number): Promise<Buffer> => {
    const out = Buffer.allocUnsafe(keep)
    let filled = 0
    for (let left = size + 1; left > 0; ) {
      const chunk = chunks[0]
      if (!chunk) {
        if (ended) throw lost(name)
        await more()
        continue
      }
      const here = Math.min(left, chunk.length - at)
      if (filled < keep) filled += chunk.copy(out, filled, at, at + Math.min(here, keep - filled))
      left -= here
      pass(here)
    }
    return out
  }

  let index = 0
  const read = (head: string, name: string): BulkObject | null | Promise<BulkObject | null> => {
    const match = HEADER.exec(head)
    if (!match) return missing(name)
    const [, oid = '', type = ''] = match
    const size = Number(match[3])
    const keep = size > limit ? HEAD_BYTES : size
    const chunk = chunks[0]
    if (chunk && chunk.length - at > size) {
      const bytes = chunk.subarray(at, at + keep)
      pass(size + 1)
      return { oid, type, size, bytes }
    }
    return takeSlowly(oid, size, keep).then((bytes) => ({ oid, type, size, bytes }))
  }
  /** `<name> missing`: a name may hold line ends, which git prints as they are. */
  const missing = async (name: string): Promise<null> => {
    for (let rest = name.split('\n').length - 1; rest > 0; rest--) await lineSlowly(name)
    return null
  }
  const lineSlowly = async (name: string): Promise<string> => {
    for (;;) {
      const found = line()
      if (found !== null) return found
      if (ended) throw lost(name)
      await more()
    }
  }
  return {
    next() {
      const name = names[index++] as string
      const head = line()
      return head === null ? lineSlowly(name).then((text) => read(text, name)) : read(head, name)
    },
    close: () => {
      child.kill()
    },
  }
}

const ZERO = Buffer.from([0])
/** More than so many bytes are not taken from git ahead of being looked at. */
const HIGH_WATER = 1024 * 1024
