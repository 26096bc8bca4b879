import { hash } from 'node:crypto'
import { isMemoryPath } from '../../../shared/model/phase.ts'
import type { ChangeKind, FileFormat } from '../../../shared/model/review.ts'
import type { BulkObject } from '../git/blobs.ts'
import { compareMemories, type FieldDifference, type MemoryComparison, readOne } from '../memory/compare.ts'
import { looksLikeMemory, MEMORY_LIMIT } from '../memory/read.ts'
import { compareFrontMatter, splitFrontMatter } from './frontMatter.ts'
import { claimGist, clip, fieldsGist } from './reviewGist.ts'
import type { ReviewItem } from './reviewItems.ts'
import { decodeText, encodingOf, imageType } from './reviewText.ts'

/** What a look at the content adds to an item. */
export interface Classified {
  readonly kind: ChangeKind
  readonly format: FileFormat
  readonly fields: readonly string[]
  readonly gist: string | null
  /** The object that the change names and the repository lacks; null where its content can be shown. */
  readonly missing: string | null
  /** As the content key, but without what each night stamps anew: the same decision on another night has the same. */
  readonly changeKey: () => string
}

export const SUBMODULE = '160000'
export const SYMLINK = '120000'

const STAMPS: ReadonlySet<string> = new Set(['updated', 'archived', 'created', 'valid-from'])

/** Whether the content of an item has to be read at all. */
export function needsContent(item: ReviewItem, generated: boolean): boolean {
  return !generated && item.oldMode !== SUBMODULE && item.newMode !== SUBMODULE
}

/**
 * The kind of a change. `old` and `now` are the two sides' blobs, null where there is none or where it was not read.
 * Sides above the bulk reader's limit are cut to their start and count as plain text or bytes.
 */
export async function classify(
  item: ReviewItem,
  old: BulkObject | null,
  now: BulkObject | null,
  generated: boolean,
): Promise<Classified> {
  const exact = () => item.contentKey
  if (item.oldMode === SUBMODULE || item.newMode === SUBMODULE) {
    const ends = [item.oldOid, item.newOid].map((oid) => oid?.slice(0, 7) ?? 'none')
    return {
      kind: 'submodule',
      format: 'submodule',
      fields: [],
      gist: ends.join(' → '),
      missing: null,
      changeKey: exact,
    }
  }
  if (generated)
    return {
      kind: 'generated',
      format: formatOf(item, now ?? old),
      fields: [],
      gist: null,
      missing: null,
      changeKey: exact,
    }
  const format = formatOf(item, now, old)
  const paired = item.change === 'archived' || item.change === 'moved'
  if (!paired && item.oldOid !== null && item.oldOid === item.newOid)
    return { kind: 'mode-only', format, fields: [], gist: modeGist(item), missing: null, changeKey: exact }
  if (format === 'symlink' || item.oldMode === SYMLINK) return symlink(item, old, now, format)
  const read = format === 'memory' ? await memory(item, old, now) : null
  if (read) return read
  const plain = {
    format: format === 'memory' ? 'text' : format,
    fields: [],
    gist: placeGist(item),
    missing: null,
    changeKey: exact,
  } as const
  if (item.change !== 'modified') return { kind: item.change, ...plain }
  if (isBinary(old) || isBinary(now)) return { kind: 'binary', ...plain }
  return (old && now && (await frontMatter(item, old, now))) ?? { kind: 'changed', ...plain }
}

/** A change of which one side's content is gone: all that its names and modes tell. */
export function unreadable(item: ReviewItem, missing: string): Classified {
  return {
    kind: item.change === 'modified' ? 'changed' : item.change,
    format: formatOf(item),
    fields: [],
    gist: placeGist(item),
    missing,
    changeKey: () => item.contentKey,
  }
}

const isBinary = (blob: BulkObject | null) => blob !== null && encodingOf(blob.bytes) === 'binary'
const isWhole = (blob: BulkObject) => blob.bytes.length === blob.size

function formatOf(item: ReviewItem, ...sides: (BulkObject | null)[]): FileFormat {
  if (item.newMode === SYMLINK || (item.newMode === null && item.oldMode === SYMLINK)) return 'symlink'
  const blobs = sides.filter((side) => side !== null)
  const readable = blobs.every((blob) => isWhole(blob) && blob.size <= MEMORY_LIMIT)
  const path = item.fromPath ?? item.path
  if (readable && (isMemoryPath(item.path) || isMemoryPath(path)) && blobs.some((blob) => looksLikeMemory(blob.bytes)))
    return 'memory'
  if (blobs.some((blob) => imageType(item.path, blob.bytes) !== null)) return 'image'
  if (blobs.some(isBinary)) return 'binary'
  return blobs.some((blob) =>
    /^(?:\ufeff|\u00ef\u00bb\u00bf)?---[ \t]*\r?\n/.test(blob.bytes.toString('latin1', 0, 64)),
  )
    ? 'front-matter'
    : 'text'
}

function modeGist(item: ReviewItem): string {
  if (item.newMode === '100755') return 'executable now'
  if (item.oldMode === '100755') return 'not executable any more'
  return `${item.oldMode} → ${item.newMode}`
}

/** Where a moved file came from; null for any other file. */
function placeGist(item: ReviewItem): string | null {
  if (item.change !== 'moved' || item.fromPath === null) return null
  const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '(top)'
  const [from, to] = [folder(item.fromPath), folder(item.path)]
  return clip(from === to ? `was ${item.fromPath.slice(item.fromPath.lastIndexOf('/') + 1)}` : `${from} → ${to}`)
}

function symlink(item: ReviewItem, old: BulkObject | null, now: BulkObject | null, format: FileFormat): Classified {
  const target = (blob: BulkObject | null, mode: string | null) =>
    mode === SYMLINK && blob ? clip(blob.bytes.toString('utf8'), 40) : mode === null ? 'nothing' : 'a file'
  const gist = `${target(old, item.oldMode)} → ${target(now, item.newMode)}`
  const kind = item.change === 'modified' ? 'changed' : item.change
  return { kind, format, fields: [], gist, missing: null, changeKey: () => item.contentKey }
}

/** null where a side cannot be read as a memory. */
async function memory(item: ReviewItem, old: BulkObject | null, now: BulkObject | null): Promise<Classified | null> {
  if (!old || !now) {
    const side = (now ?? old) as BulkObject
    const read = await readOne(side.bytes)
    if (!read) return null
    const said = [...read.fields].filter(([name]) => !STAMPS.has(name))
    return {
      kind: item.change === 'modified' ? 'changed' : item.change,
      format: 'memory',
      fields: [],
      gist: read.claim === null ? null : clip(read.claim),
      missing: null,
      changeKey: keyOf([item.change, item.path, read.title, said]),
    }
  }
  const found = await compareMemories(old.bytes, now.bytes)
  if (!found) return null
  const kind = item.change === 'modified' ? memoryKind(found) : item.change
  return {
    kind,
    format: 'memory',
    fields: found.fields.map((field) => field.name),
    gist: memoryGist(item, kind, found),
    missing: null,
    changeKey: keyOf([
      item.change,
      item.fromPath ?? item.path,
      item.change === 'archived' ? null : item.path,
      item.oldMode,
      item.newMode,
      found.articleKey ?? item.oldOid,
      found.fields.filter((field) => !STAMPS.has(field.name)),
    ]),
  }
}

function memoryKind(found: MemoryComparison): ChangeKind {
  if (found.sameArticle) return 'metadata-only'
  return found.claims.before === found.claims.after ? 'body-changed' : 'claim-changed'
}

function memoryGist(item: ReviewItem, kind: ChangeKind, found: MemoryComparison): string | null {
  const { before, after } = found.claims
  if (kind === 'claim-changed') return claimGist(before, after)
  if (kind === 'metadata-only') return fieldsGist(found.fields)
  if (kind === 'body-changed') return after === null ? null : clip(after)
  // A move or an archiving that changes the text as well must not pass for a mere move.
  if (!found.sameArticle)
    return before === after ? 'text changed too' : clip(`claim changed too: ${claimGist(before, after)}`)
  return kind === 'moved' ? placeGist(item) : after === null ? null : clip(after)
}

async function frontMatter(item: ReviewItem, old: BulkObject, now: BulkObject): Promise<Classified | null> {
  if (!isWhole(old) || !isWhole(now)) return null
  const text = (blob: BulkObject) => splitFrontMatter(decodeText(blob.bytes, encodingOf(blob.bytes)) ?? '')
  const before = text(old)
  const after = text(now)
  if (!before || !after || before.front === after.front) return null
  const found = await compareFrontMatter(before.front, after.front)
  if (!found) return null
  const names = found.map((field) => field.name)
  const same = before.body === after.body
  return {
    kind: same ? 'metadata-only' : 'changed',
    format: 'front-matter',
    fields: names,
    gist: same ? fieldsGist(found) : null,
    missing: null,
    changeKey: keyOf([item.path, before.body, after.body, found satisfies readonly FieldDifference[]]),
  }
}

/** A key over these parts, made when it is asked for. */
const keyOf = (parts: readonly unknown[]) => () => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)
