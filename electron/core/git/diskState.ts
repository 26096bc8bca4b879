import { createHash } from 'node:crypto'
import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { encodePath } from './bytes.ts'
import type { Git } from './process.ts'

/** What lies at a path of a working tree. `oid` is what git would store for it, after its own conversion. */
export type DiskEntry =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'file'; readonly oid: string; readonly executable: boolean; readonly size: number }
  | { readonly kind: 'link'; readonly oid: string }
  | { readonly kind: 'folder' }
  | { readonly kind: 'other' }

const SLASH = Buffer.from('/')

/** Absolute path in a worktree as bytes, so that odd names survive. */
export const diskPath = (worktree: string, path: string): Buffer =>
  Buffer.concat([encodePath(worktree), SLASH, encodePath(path)])

/** `lstat` that says null where there is nothing, also where a parent is a file. */
export function statAt(file: Buffer): BigIntStats | null {
  try {
    return lstatSync(file, { bigint: true })
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw cause
  }
}

/** C-style quoting, which `hash-object --stdin-paths` reads back: any byte may be in a path. */
function quotePath(path: string): string {
  let out = '"'
  for (const byte of encodePath(path)) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    out += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `${out}"\n`
}

/**
 * Looks at these paths of a worktree. `git` must run in the worktree's top folder, since conversion goes by its
 * attributes. Nothing is followed: a path below a symbolic link is "nothing".
 */
export async function readDisk(git: Git, paths: readonly string[]): Promise<Map<string, DiskEntry>> {
  const found = new Map<string, DiskEntry>()
  const files: { path: string; stat: BigIntStats }[] = []
  const parents = createParentCheck(git.cwd)
  for (const path of paths) {
    const stat = parents(path) === null ? statAt(diskPath(git.cwd, path)) : null
    if (!stat) found.set(path, { kind: 'nothing' })
    else if (stat.isDirectory()) found.set(path, { kind: 'folder' })
    else if (stat.isSymbolicLink()) {
      const target = readlinkSync(diskPath(git.cwd, path), { encoding: 'buffer' })
      found.set(path, { kind: 'link', oid: blobId(target, await hashName(git)) })
    } else if (stat.isFile()) files.push({ path, stat })
    else found.set(path, { kind: 'other' })
  }
  if (files.length === 0) return found
  const input = files.map((file) => quotePath(file.path)).join('')
  const oids = (await git.text(['hash-object', '--stdin-paths'], { input })).split('\n')
  files.forEach(({ path, stat }, at) => {
    const executable = (stat.mode & 0o100n) !== 0n
    found.set(path, { kind: 'file', oid: oids[at] ?? '', executable, size: Number(stat.size) })
  })
  return found
}

/** Ids of these files' bytes without any conversion; what is no plain file is absent. `git` as in `readDisk`. */
export async function rawOids(git: Git, paths: readonly string[]): Promise<Map<string, string>> {
  const parents = createParentCheck(git.cwd)
  const files = paths.filter((path) => parents(path) === null && statAt(diskPath(git.cwd, path))?.isFile())
  if (files.length === 0) return new Map()
  const input = files.map(quotePath).join('')
  const oids = (await git.text(['hash-object', '--no-filters', '--stdin-paths'], { input })).split('\n')
  return new Map(files.map((path, at) => [path, oids[at] ?? '']))
}

const formats = new WeakMap<Git, Promise<string>>()

function hashName(git: Git): Promise<string> {
  const known = formats.get(git) ?? git.text(['rev-parse', '--show-object-format'])
  formats.set(git, known)
  return known
}

const blobId = (bytes: Buffer, algorithm: string): string =>
  createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

/**
 * Returns a function that says which parent of a path is there but is no folder (a file or a link), null where none
 * is. Looks at each folder once.
 */
export function createParentCheck(worktree: string): (path: string) => string | null {
  const seen = new Map<string, 'folder' | 'absent' | 'other'>()
  const look = (folder: string): 'folder' | 'absent' | 'other' => {
    const known = seen.get(folder)
    if (known) return known
    const stat = statAt(diskPath(worktree, folder))
    const what = stat === null ? 'absent' : stat.isDirectory() ? 'folder' : 'other'
    seen.set(folder, what)
    return what
  }
  return (path) => {
    for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1)) {
      const what = look(path.slice(0, cut))
      if (what === 'other') return path.slice(0, cut)
      if (what === 'absent') return null
    }
    return null
  }
}

/** Every file, link or other thing below a folder of a worktree, as repository paths; at most `limit` of them. */
export function filesBelow(
  worktree: string,
  folder: string,
  decode: (bytes: Uint8Array) => string,
  limit = 50,
): string[] {
  const found: string[] = []
  const walk = (at: string) => {
    for (const entry of readdirSync(diskPath(worktree, at), { withFileTypes: true, encoding: 'buffer' })) {
      if (found.length >= limit) return
      const path = `${at}/${decode(entry.name)}`
      if (entry.isDirectory()) walk(path)
      else found.push(path)
    }
  }
  walk(folder)
  return found
}
