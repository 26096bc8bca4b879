import { decodePath } from './bytes.ts'
import type { ObjectReader } from './objects.ts'
import type { TouchedPath, TreeEntry } from './touched.ts'

interface Row {
  readonly mode: string
  readonly name: Buffer
  readonly oid: string
}

const FOLDER = '040000'

/**
 * Every path that differs between two commits or trees, in git's order, as `touchedPaths` tells it, but read through the
 * living reader: worth it where few folders differ. Null where a tree cannot be read.
 */
export async function diffTrees(objects: ObjectReader, from: string, to: string): Promise<TouchedPath[] | null> {
  const found: { key: Buffer; touched: TouchedPath }[] = []
  const visit = async (prefix: Buffer, old: string | null, next: string | null): Promise<boolean> => {
    const [before, after] = await Promise.all([old, next].map((tree) => (tree === null ? [] : rowsOf(objects, tree))))
    if (!before || !after) return false
    const byName = new Map(after.map((row) => [row.name.toString('latin1'), row]))
    const pairs: [Row | null, Row | null][] = before.map((row) => {
      const name = row.name.toString('latin1')
      const other = byName.get(name) ?? null
      byName.delete(name)
      return [row, other]
    })
    for (const row of byName.values()) pairs.push([null, row])
    for (const [one, other] of pairs) {
      if (one?.oid === other?.oid && one?.mode === other?.mode) continue
      const key = Buffer.concat([prefix, (one ?? other)?.name as Buffer])
      const [wasFolder, isFolder] = [one?.mode === FOLDER, other?.mode === FOLDER]
      if (wasFolder || isFolder) {
        const below = Buffer.concat([key, SLASH])
        if (!(await visit(below, wasFolder ? (one?.oid ?? null) : null, isFolder ? (other?.oid ?? null) : null)))
          return false
      }
      const [was, is] = [wasFolder ? null : entry(one), isFolder ? null : entry(other)]
      if (was || is) found.push({ key, touched: { path: decodePath(key), old: was, new: is } })
    }
    return true
  }
  if (!(await visit(Buffer.alloc(0), `${from}^{tree}`, `${to}^{tree}`))) return null
  return found.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ touched }) => touched)
}

const SLASH = Buffer.from('/')

const entry = (row: Row | null): TreeEntry | null => row && { mode: row.mode, oid: row.oid }

async function rowsOf(objects: ObjectReader, tree: string): Promise<Row[] | null> {
  const object = await objects.read(tree)
  if (object?.type !== 'tree') return null
  const { bytes, oid } = object
  const length = oid.length / 2
  const rows: Row[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    rows.push({
      mode: bytes.toString('latin1', at, space).padStart(6, '0'),
      name: bytes.subarray(space + 1, end),
      oid: bytes.toString('hex', end + 1, end + 1 + length),
    })
    at = end + 1 + length
  }
  return rows
}
