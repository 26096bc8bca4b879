import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** Path (latin1 of its bytes) → what is there: type, mode, mtime in nanoseconds, content. */
export type Snapshot = ReadonlyMap<string, string>

/**
 * Everything below a folder: bytes, modes and modification times of every file, `.git` with its index and refs
 * included. `except`: path prefixes that are left out, by default Daybreak's own folder.
 */
export function snapshot(dir: string, except: readonly string[] = ['.git/daybreak', 'daybreak']): Snapshot {
  const found = new Map<string, string>()
  const walk = (folder: Buffer, relative: string) => {
    for (const entry of readdirSync(folder, { encoding: 'buffer' })) {
      const path = `${relative}${entry.toString('latin1')}`
      if (except.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))) continue
      const full = Buffer.concat([folder, Buffer.from('/'), entry])
      const stat = lstatSync(full, { bigint: true })
      if (stat.isDirectory()) walk(full, `${path}/`)
      else found.set(path, `${stat.mode.toString(8)} ${stat.mtimeNs} ${contentOf(full, stat.isSymbolicLink())}`)
    }
  }
  walk(Buffer.from(dir), '')
  return found
}

const contentOf = (file: Buffer, link: boolean) =>
  link ? `-> ${readlinkSync(file)}` : createHash('sha256').update(readFileSync(file)).digest('hex')

/** What differs between two snapshots, one line a path; empty means that nothing changed. */
export function snapshotDiff(before: Snapshot, after: Snapshot): string[] {
  const lines: string[] = []
  for (const [path, what] of before) {
    const now = after.get(path)
    if (now === undefined) lines.push(`gone: ${path}`)
    else if (now !== what) lines.push(`changed: ${path} (${what} → ${now})`)
  }
  for (const path of after.keys()) if (!before.has(path)) lines.push(`new: ${path}`)
  return lines.sort()
}

/** Bytes of every file of the working tree but `.git`, by path: to compare files a verb must not touch. */
export function workingTree(dir: string): Record<string, string> {
  const all = snapshot(dir, ['.git', '.memhtml/index.db', '.memhtml/state.db'])
  return Object.fromEntries([...all].map(([path, what]) => [path, what.replace(/^(\S+) \S+ /, '$1 ')]))
}

/** Names below a folder that a database leaves while it is open. */
export function sidecars(dir: string): string[] {
  return readdirSync(join(dir, '.memhtml')).filter((name) => /-(?:wal|shm|journal)$/.test(name))
}
