import { encodePath } from './bytes.ts'
import type { ObjectReader } from './objects.ts'
import type { ObjectWriter } from './objectWriter.ts'
import type { TreeEntry } from './touched.ts'

/** A change of a tree at one path; null removes it. */
export interface TreeChange {
  readonly path: string
  readonly entry: TreeEntry | null
}

export type TreeEdit =
  | { readonly tree: string }
  /** `at` is something else than the file that would be written there, or than the folder that it would be in. */
  | {
      readonly clash: {
        readonly path: string
        readonly at: string
        readonly is: 'file' | 'folder' | 'link' | 'submodule'
      }
    }

interface Row {
  readonly mode: string
  readonly name: Buffer
  readonly oid: Buffer
}

const FOLDER = '40000'

/**
 * The tree with these changes, queued to be written from the changed folders up (the caller flushes); folders that become empty go. Only the folders on
 * the way are read, so that the cost does not grow with the rest. Format of a tree: git's
 * Documentation/user-manual "Tree object": `<octal mode> <name>\0<binary id>`, sorted as if folders ended in `/`.
 */
export async function editTree(
  objects: ObjectReader,
  writer: ObjectWriter,
  root: string,
  changes: readonly TreeChange[],
): Promise<TreeEdit> {
  const parts = changes.map((one) => ({ ...one, steps: one.path.split('/').map(encodePath) }))
  const edited = await editFolder({ objects, writer, length: root.length / 2 }, root, parts, 0)
  if ('clash' in edited) return edited
  return { tree: edited.oid ?? writer.queue('tree', Buffer.alloc(0), root.length) }
}

interface Setup {
  readonly objects: ObjectReader
  readonly writer: ObjectWriter
  /** Bytes of an object id. */
  readonly length: number
}

interface Part extends TreeChange {
  readonly steps: readonly Buffer[]
}

type Edited = { readonly oid: string | null } | Extract<TreeEdit, { clash: unknown }>

async function editFolder(setup: Setup, oid: string | null, parts: readonly Part[], depth: number): Promise<Edited> {
  const rows = new Map<string, Row>()
  if (oid !== null) for (const row of await readRows(setup, oid)) rows.set(row.name.toString('latin1'), row)
  const below = new Map<string, Part[]>()
  for (const part of parts) {
    const step = part.steps[depth] as Buffer
    const key = step.toString('latin1')
    if (part.steps.length > depth + 1) {
      below.set(key, [...(below.get(key) ?? []), part])
      continue
    }
    const there = rows.get(key)
    const is = there === undefined ? 'file' : kindOf(there.mode)
    // Nothing is written over that no version of the document ever was.
    if (is === 'folder' || (is !== 'file' && part.entry !== null))
      return { clash: { path: part.path, at: part.path, is } }
    if (part.entry === null) rows.delete(key)
    else rows.set(key, { mode: plain(part.entry.mode), name: step, oid: Buffer.from(part.entry.oid, 'hex') })
  }
  for (const [key, inside] of below) {
    const first = inside[0] as Part
    const there = rows.get(key)
    if (there && there.mode !== FOLDER) {
      if (inside.every((one) => one.entry === null)) continue
      const at = first.path
        .split('/')
        .slice(0, depth + 1)
        .join('/')
      return { clash: { path: first.path, at, is: kindOf(there.mode) } }
    }
    const edited = await editFolder(setup, there ? there.oid.toString('hex') : null, inside, depth + 1)
    if ('clash' in edited) return edited
    if (edited.oid === null) rows.delete(key)
    else rows.set(key, { mode: FOLDER, name: first.steps[depth] as Buffer, oid: Buffer.from(edited.oid, 'hex') })
  }
  if (rows.size === 0) return { oid: null }
  return { oid: setup.writer.queue('tree', encodeRows([...rows.values()]), 2 * setup.length) }
}

const kindOf = (mode: string) =>
  mode === FOLDER ? 'folder' : mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file'

/** `040000` and `100644` as trees have them: without a leading zero. */
const plain = (mode: string) => mode.replace(/^0+/, '')

async function readRows({ objects, writer, length }: Setup, oid: string): Promise<Row[]> {
  const bytes = Buffer.from(writer.queuedTree(oid) ?? (await readTree(objects, oid)))
  const rows: Row[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at)
    const end = bytes.indexOf(0, space)
    rows.push({
      mode: bytes.toString('latin1', at, space),
      name: bytes.subarray(space + 1, end),
      oid: bytes.subarray(end + 1, end + 1 + length),
    })
    at = end + 1 + length
  }
  return rows
}

async function readTree(objects: ObjectReader, oid: string): Promise<Uint8Array> {
  const object = await objects.read(`${oid}^{tree}`)
  return object?.type === 'tree' ? object.bytes : Buffer.alloc(0)
}

const SLASH = Buffer.from('/')
const sortKey = (row: Row) => (row.mode === FOLDER ? Buffer.concat([row.name, SLASH]) : row.name)

function encodeRows(rows: readonly Row[]): Buffer {
  const sorted = rows.map((row) => ({ row, key: sortKey(row) })).sort((a, b) => Buffer.compare(a.key, b.key))
  return Buffer.concat(sorted.flatMap(({ row }) => [Buffer.from(`${row.mode} `), row.name, Buffer.from([0]), row.oid]))
}
