import { AppError } from '../../../shared/errors/index.ts'
import { decodePath } from './bytes.ts'
import type { ObjectReader } from './objects.ts'

/** An entry of one tree. `mode` as in raw diffs, six digits: `040000` for a folder. */
export interface TreeItem {
  readonly name: string
  readonly mode: string
  readonly oid: string
}

export const FOLDER_MODE = '040000'

/** A regular file: no link, no submodule, no folder. */
export const isFileMode = (mode: string | null): mode is string => mode?.startsWith('100') ?? false

/**
 * The entries of a tree in git's order: by bytes, a folder as if its name ended in `/`. `name`: the tree's id, or what
 * leads to it, such as `<commit>^{tree}`. Errors: ERR_REPOSITORY_DAMAGED where it is not there.
 */
export async function readTree(objects: ObjectReader, name: string): Promise<TreeItem[]> {
  const tree = await objects.read(name)
  if (tree?.type !== 'tree') throw new AppError('ERR_REPOSITORY_DAMAGED', { path: 'its objects', missing: name })
  const { bytes, oid } = tree
  const length = oid.length / 2
  const items: TreeItem[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    items.push({
      mode: bytes.toString('latin1', at, space).padStart(6, '0'),
      name: decodePath(bytes.subarray(space + 1, end)),
      oid: bytes.toString('hex', end + 1, end + 1 + length),
    })
    at = end + 1 + length
  }
  return items
}

/** What a commit has at a path, whatever it is; null where there is nothing. */
export async function entryAt(objects: ObjectReader, commit: string, path: string): Promise<TreeItem | null> {
  let found: TreeItem | null = null
  for (const name of path.split('/')) {
    if (found && found.mode !== FOLDER_MODE) return null
    const items: readonly TreeItem[] = await readTree(objects, found ? found.oid : `${commit}^{tree}`)
    found = items.find((one) => one.name === name) ?? null
    if (!found) return null
  }
  return found
}
