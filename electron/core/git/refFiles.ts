import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodePath } from './bytes.ts'
import { statKey } from './statKey.ts'

/** What the files of refs say: full name → object id (as git orders them), the target of each symbolic one, and HEAD as it is written. */
export interface RefFiles {
  readonly refs: ReadonlyMap<string, string>
  readonly symbolic: ReadonlyMap<string, string>
  /** The full ref that HEAD is on; null when it is detached. */
  readonly head: string | null
}

const ROOTS = ['refs/heads', 'refs/remotes']
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/
const SYMBOLIC = /^ref: *(refs\/\S+)$/
/** Names that git takes (git-check-ref-format), told narrowly: anything else is left to git. */
const PLAIN = /^[A-Za-z0-9_+@-][A-Za-z0-9_+@.-]*$/
const ODD = /\.\.|@\{|\.$|\.lock$/
/** Beyond so many files a process of git's costs less. */
const MOST = 500

/**
 * Reads branches and HEAD from their files (git's gitrepository-layout). Null where git must be asked: another ref
 * format, a name or a file that is out of the ordinary, or very many.
 */
export function readRefFiles(commonDir: string, gitDir: string): RefFiles | null {
  if (existsSync(join(commonDir, 'reftable'))) return null
  try {
    const head = readFileSync(join(gitDir, 'HEAD'), 'latin1').trimEnd()
    const on = SYMBOLIC.exec(head)?.[1] ?? null
    if (on === null ? !OID.test(head) : !on.startsWith('refs/heads/')) return null
    // Loose ones first, as git does: one that is packed meanwhile is found in the pack.
    const loose = readLoose(commonDir)
    const packed = loose && readPacked(join(commonDir, 'packed-refs'))
    if (!packed) return null
    const refs = new Map<string, string>()
    for (const [name, oid] of packed) if (!loose.symbolic.has(name)) refs.set(name, oid)
    for (const [name, oid] of loose.refs) refs.set(name, oid)
    // One that leads nowhere, or to another one, is judged by git.
    if ([...loose.symbolic.values()].some((target) => !refs.has(target))) return null
    return { refs: sorted(refs), symbolic: loose.symbolic, head: on }
  } catch {
    return null
  }
}

/** In the order in which git lists refs: by their names' bytes, which are plain here. */
const sorted = (refs: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...refs].sort(([one], [other]) => (one < other ? -1 : 1)))

function readLoose(commonDir: string): { refs: Map<string, string>; symbolic: Map<string, string> } | null {
  const refs = new Map<string, string>()
  const symbolic = new Map<string, string>()
  const folders = [...ROOTS]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(join(commonDir, folder))) {
      const name = `${folder}/${entry.name}`
      if (entry.isFile() && entry.name.endsWith('.lock')) continue
      if (!PLAIN.test(entry.name) || ODD.test(entry.name)) return null
      if (entry.isDirectory()) folders.push(name)
      else if (!entry.isFile() || refs.size + symbolic.size >= MOST) return null
      else {
        const text = textOf(join(commonDir, name))
        if (text === null) continue
        const target = SYMBOLIC.exec(text)?.[1]
        if (target !== undefined) symbolic.set(name, target)
        else if (OID.test(text) && !/^0+$/.test(text)) refs.set(name, text)
        else return null
      }
    }
  }
  return { refs: sorted(refs), symbolic }
}

/** Null: it was there a moment ago, and is packed now. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1').trimEnd()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}

const packs = new Map<string, { readonly key: string; readonly refs: Map<string, string> }>()
const MOST_PACKS = 16

function readPacked(file: string): Map<string, string> | null {
  const key = statKey(file)
  const known = packs.get(file)
  if (key !== null && known?.key === key) return known.refs
  const text = existsSync(file) ? decodePath(readFileSync(file)) : ''
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) continue
    const [oid = '', name = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    if (!OID.test(oid)) return null
    if (!ROOTS.some((root) => name.startsWith(`${root}/`))) continue
    if (name.split('/').some((part) => !PLAIN.test(part) || ODD.test(part))) return null
    refs.set(name, oid)
  }
  if (key !== null && statKey(file) === key) {
    if (packs.size >= MOST_PACKS) packs.clear()
    packs.set(file, { key, refs })
  }
  return refs
}
