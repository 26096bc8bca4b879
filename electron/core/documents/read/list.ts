import type { DocumentList } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { encodePath } from '../../git/bytes.ts'
import { entryAt, FOLDER_MODE, isFileMode, readTree } from '../../git/trees.ts'
import { readingFolder } from './documentPath.ts'

type Entry = DocumentList['entries'][number]

export interface ListSpec {
  readonly folder: string
  readonly recursive: boolean
  /** From an earlier answer, whatever happened on trunk since; null: from the start. */
  readonly cursor: string | null
  readonly limit: number
}

/**
 * The documents and folders below a folder of trunk, in git's order: by bytes, a folder as if its name ended in `/`.
 * Only the folders that the answer is about are read. A folder that is not there is empty. Errors: ERR_BAD_PATH.
 */
export async function listDocuments(repo: RepositoryContext, spec: ListSpec): Promise<DocumentList> {
  const folder = readingFolder(spec.folder)
  const { trunk } = await repo.sources()
  const top = trunk.oid === null ? null : await treeOf(repo, trunk.oid, folder)
  if (top === null) return { entries: [], nextCursor: null }
  const after = spec.cursor === null ? null : Buffer.from(spec.cursor, 'base64url')
  const entries: Entry[] = []
  // One more than asked for tells whether there is more.
  await walk(repo, top, folder === '' ? '' : `${folder}/`, after, spec.recursive, spec.limit + 1, entries)
  const more = entries.length > spec.limit
  const shown = entries.slice(0, spec.limit)
  const last = shown.at(-1)
  return { entries: shown, nextCursor: more && last ? writeCursor(keyOf(last)) : null }
}

/** The tree of a folder: its id, or what leads to it; null where there is none. */
async function treeOf(repo: RepositoryContext, commit: string, folder: string): Promise<string | null> {
  if (folder === '') return `${commit}^{tree}`
  const entry = await entryAt(repo.objects, commit, folder)
  return entry?.mode === FOLDER_MODE ? entry.oid : null
}

const keyOf = (entry: Entry): string => (entry.kind === 'folder' ? `${entry.path}/` : entry.path)

async function walk(
  repo: RepositoryContext,
  tree: string,
  prefix: string,
  after: Buffer | null,
  recursive: boolean,
  most: number,
  found: Entry[],
): Promise<void> {
  for (const item of await readTree(repo.objects, tree)) {
    if (found.length >= most) return
    const isFolder = item.mode === FOLDER_MODE
    if (!isFolder && !isFileMode(item.mode)) continue
    const path = prefix + item.name
    const key = encodePath(isFolder ? `${path}/` : path)
    const passed = after !== null && key.compare(after) <= 0
    if (isFolder && recursive) {
      // The cursor may be inside it.
      const inside = passed && after.subarray(0, key.length).equals(key)
      if (!passed || inside) await walk(repo, item.oid, `${path}/`, inside ? after : null, true, most, found)
    } else if (!passed) found.push({ path, kind: isFolder ? 'folder' : 'document' })
  }
}

/** The bytes of the last key, so that the cursor is plain ASCII whatever the path. */
const writeCursor = (key: string): string => encodePath(key).toString('base64url')
