import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
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
  close(): void
}

interface Living {
  readonly child: ChildProcessWithoutNullStreams
  readonly waiting: { resolve(oid: string): void; reject(error: unknown): void }[]
}

/** Starts nothing yet. */
export function createObjectWriter(git: Git): ObjectWriter {
  const living = new Map<Kind, Living>()
  let folder: string | null = null
  let count = 0

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

  return {
    async write(kind, bytes) {
      folder ??= mkdtempSync(join(tmpdir(), 'daybreak-objects-'))
      const file = join(folder, String(count++))
      try {
        await writeFile(file, bytes)
        const { child, waiting } = ensure(kind)
        return await new Promise<string>((resolve, reject) => {
          waiting.push({ resolve, reject })
          child.stdin.write(`${file}\n`)
        })
      } finally {
        await rm(file, { force: true })
      }
    },
    close() {
      for (const { child } of living.values()) child.stdin.end()
      living.clear()
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
      folder = null
    },
  }
}
