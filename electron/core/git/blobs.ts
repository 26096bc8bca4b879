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

/** What is kept of an object above the limit: enough to tell text from bytes. */
const HEAD_BYTES = 64 * 1024
const NEWLINE = 10

/**
 * Reads many objects with one `cat-file --batch --buffer`, in the order asked, one at a time, so that only what is
 * looked at is held. `names`: object ids, or revisions such as `<commit>:path` with paths as `decodePath` gives them.
 * null for a name that says nothing. Objects above `limit` bytes are cut to their start.
 * Errors: ERR_REPOSITORY_DAMAGED where git cannot go on.
 */
export async function* bulkRead(
  git: Git,
  names: readonly string[],
  limit: number,
): AsyncGenerator<BulkObject | null, void, void> {
  if (names.length === 0) return
  const child = git.start(['cat-file', '--batch', '--buffer', '-z'])
  child.stderr.resume()
  child.stdin.on('error', () => {})
  // What ends the child early ends its output: then an answer is missing.
  child.on('error', () => {})
  child.stdin.end(Buffer.concat(names.flatMap((name) => [encodePath(name), Buffer.from([0])])))
  const reader = new BatchReader(child.stdout)
  try {
    for (const name of names) {
      const line = await reader.line()
      if (line === null) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: name.toWellFormed() })
      const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line)
      if (!match) {
        // `<name> missing`; a name may hold line ends, which git prints as they are.
        for (let rest = name.split('\n').length - 1; rest > 0; rest--) await reader.line()
        yield null
        continue
      }
      const size = Number(match[3])
      const bytes = await reader.take(size, size > limit ? HEAD_BYTES : size)
      if (bytes === null) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: match[1] as string })
      yield { oid: match[1] as string, type: match[2] as string, size, bytes }
    }
  } finally {
    child.kill()
  }
}

/** Takes lines and runs of bytes from a stream. */
class BatchReader {
  private chunk: Buffer = Buffer.alloc(0)
  private at = 0
  private readonly source: AsyncIterator<Buffer>

  constructor(stream: AsyncIterable<Buffer>) {
    this.source = stream[Symbol.asyncIterator]()
  }

  private async more(): Promise<boolean> {
    const next = await this.source.next()
    if (next.done) return false
    this.chunk = next.value
    this.at = 0
    return true
  }

  /** The next line without its end; null at the end of the stream. */
  async line(): Promise<string | null> {
    let text = ''
    for (;;) {
      const end = this.chunk.indexOf(NEWLINE, this.at)
      if (end !== -1) {
        text += this.chunk.toString('latin1', this.at, end)
        this.at = end + 1
        return text
      }
      text += this.chunk.toString('latin1', this.at)
      if (!(await this.more())) return null
    }
  }

  /** The next `size` bytes and the line end after them, of which the first `keep` are given; null when cut short. */
  async take(size: number, keep: number): Promise<Buffer | null> {
    if (this.chunk.length - this.at > size) {
      const bytes = this.chunk.subarray(this.at, this.at + keep)
      this.at += size + 1
      return bytes
    }
    const out = Buffer.allocUnsafe(keep)
    let filled = 0
    for (let left = size + 1; left > 0; ) {
      if (this.at === this.chunk.length && !(await this.more())) return null
      const here = Math.min(left, this.chunk.length - this.at)
      if (filled < keep) filled += this.chunk.copy(out, filled, this.at, this.at + Math.min(here, keep - filled))
      this.at += here
      left -= here
    }
    return out
  }
}
