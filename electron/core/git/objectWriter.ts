import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, constants, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import { type Git, spawnFailure } from './process.ts'

type Kind = 'blob' | 'tree' | 'commit'

/** Writes objects through living `hash-object -w --stdin-paths`, one process a kind, started at the first write. */
export interface ObjectWriter {
  /** Writes the bytes as they are, no filter; the object's id. Git refuses a malformed tree or commit. Errors: ERR_GIT, ERR_DISK_FULL. */
  write(kind: Kind, bytes: Uint8Array): Promise<string>
  /**
   * The same without waiting: the id is worked out here (`digits`: of an object id in this repository), git confirms it
   * until `flush`. What refers to the object must not be shown to anybody before.
   */
  queue(kind: Kind, bytes: Uint8Array, digits: number): string
  /** The bytes of a queued tree that may not be written yet; null where there is none. */
  queuedTree(oid: string): Uint8Array | null
  /** Waits for all that was queued. Errors: as `write`, the first of them; ERR_GIT where git named an object otherwise. */
  flush(): Promise<void>
  close(): void
}

interface Living {
  readonly child: ChildProcessWithoutNullStreams
  readonly waiting: { resolve(oid: string): void; reject(error: unknown): void }[]
}

/** Files that are kept to be written over. */
const SPARE = 64
/** What costs less to write at once than to be told of later, in bytes. */
const AT_ONCE = 65_536

/** Object id by git's own rule: the hash of `<kind> <size>\0` and the bytes. */
const objectId = (kind: Kind, bytes: Uint8Array, digits: number): string =>
  createHash(digits === 64 ? 'sha256' : 'sha1')
    .update(`${kind} ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')

/** The file then holds these bytes only, whatever it held before. */
function overwrite(file: string, bytes: Uint8Array): void {
  const open = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(open, bytes, at, bytes.length - at, at)
    ftruncateSync(open, bytes.length)
  } finally {
    closeSync(open)
  }
}

/** Starts nothing yet. */
export function createObjectWriter(git: Git): ObjectWriter {
  const living = new Map<Kind, Living>()
  let folder: string | null = null
  let count = 0
  const spare: string[] = []

  const ensure = (kind: Kind): Living => {
    const known = living.get(kind)
    if (known) return known
    const child = git.start(['hash-object', '-w', '-t', kind, '--no-filters', '--stdin-paths'])
    const one: Living = { child, waiting: [] }
    living.set(kind, one)
    let said = ''
    let detail = ''
    const fail = (error: unknown) => {
      if (living.get(kind) === one) living.delete(kind)
      for (const waits of one.waiting.splice(0)) waits.reject(error)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1')
      for (let end = said.indexOf('\n'); end !== -1; end = said.indexOf('\n')) {
        one.waiting.shift()?.resolve(said.slice(0, end))
        said = said.slice(end + 1)
      }
    })
    child.stderr.on('data', (chunk: Buffer) => (detail += chunk.toString('utf8')))
    child.stdin.on('error', () => {})
    child.on('error', (cause) => fail(spawnFailure(cause, ['hash-object'], git.cwd)))
    child.on('close', (code) =>
      fail(new AppError('ERR_GIT', { verb: 'hash-object', exitCode: code, detail: detail.trim() || 'it ended' })),
    )
    return one
  }

  const write = async (kind: Kind, bytes: Uint8Array): Promise<string> => {
    folder ??= mkdtempSync(join(tmpdir(), 'daybreak-objects-'))
    const small = bytes.length <= AT_ONCE
    // Making and removing a file costs more than all that git does with it.
    const file = (small && spare.pop()) || join(folder, String(count++))
    try {
      if (small) overwrite(file, bytes)
      else await writeFile(file, bytes)
      const { child, waiting } = ensure(kind)
      return await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${file}\n`)
      })
    } finally {
      if (small && spare.length < SPARE) spare.push(file)
      else await rm(file, { force: true })
    }
  }
  let queued: Promise<unknown>[] = []
  const trees = new Map<string, Uint8Array>()
  return {
    write,
    queue(kind, bytes, digits) {
      const oid = objectId(kind, bytes, digits)
      const written = write(kind, bytes).then((told) => {
        if (told === oid) return
        throw new AppError('ERR_GIT', { verb: 'hash-object', exitCode: null, detail: `${oid} became ${told}` })
      })
      // It is told by `flush`; nobody else may be there to hear of it.
      written.catch(() => {})
      queued.push(written)
      if (kind === 'tree') trees.set(oid, bytes)
      return oid
    },
    queuedTree: (oid) => trees.get(oid) ?? null,
    async flush() {
      const waiting = queued
      queued = []
      const ended = await Promise.allSettled(waiting)
      if (queued.length === 0) trees.clear()
      for (const one of ended) if (one.status === 'rejected') throw one.reason
    },
    close() {
      for (const { child } of living.values()) child.stdin.end()
      living.clear()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
      folder = null
      spare.length = 0
    },
  }
}
