import { AppError } from '../../../shared/errors/index.ts'
import type { Sliced } from '../../../shared/merge/drive.ts'
import { diffLinesSliced, type LineDiff } from '../../../shared/merge/lines.ts'
import { isMemoryPath } from '../../../shared/model/phase.ts'
import type { FileReview, FileSide, RunCommit } from '../../../shared/model/review.ts'
import { type BulkObject, bulkRead } from '../git/blobs.ts'
import type { Git } from '../git/process.ts'
import { readMemory } from '../memory/compare.ts'
import { looksLikeMemory, pause } from '../memory/read.ts'
import type { ReviewedItem } from './reviewFiles.ts'
import { SUBMODULE } from './reviewKinds.ts'
import { lineNotes, memoryNotes, modeNotes, sideNotes, sizeText, tooLargeNotes } from './reviewNotes.ts'
import { lineParts, memoryParts, type Part, wholePart } from './reviewParts.ts'
import { decodeText, encodingOf, eolOf, imageType, lineEnds } from './reviewText.ts'

/** Above either a file is large: shown without highlighting and without word-level changes. */
const LARGE_BYTES = 2 * 1024 * 1024
const LARGE_LINES = 50_000
/** Larger files are not shown as text, larger images not at all. */
const SHOWN_BYTES = 64 * 1024 * 1024
const IMAGE_BYTES = 12 * 1024 * 1024
/** Hunks that one file may have; past that it is one change. */
const MOST_HUNKS = 20_000

/** What a file's review is made of, before the reviewer's marks are laid over it. */
export type FileContent = Pick<FileReview, 'old' | 'new' | 'title' | 'claim' | 'notes' | 'large'> & {
  readonly memory: readonly Part[]
  readonly raw: readonly Part[]
}

/**
 * Reads both sides of a changed file and takes the change apart. Long work is done in slices of about ten
 * milliseconds. Errors: ERR_REPOSITORY_DAMAGED where a blob is gone.
 */
export async function readFileContent(git: Git, reviewed: ReviewedItem): Promise<FileContent> {
  const { item } = reviewed
  const [oldBlob, newBlob] = await readSides(git, reviewed)
  const old = await sideOf(item.fromPath ?? item.path, item.oldOid, item.oldMode, oldBlob)
  const now = await sideOf(item.path, item.newOid, item.newMode, newBlob)
  const large = [old, now].some((side) => side !== null && (side.size > LARGE_BYTES || side.lines > LARGE_LINES))
  const parsed = reviewed.format === 'memory' && !large ? await readMemories(oldBlob, newBlob) : null
  const notes = [
    ...modeNotes(item.oldMode, item.newMode),
    ...sideNotes(old, now),
    ...memoryNotes(reviewed.fields),
    ...tooLargeNotes(large && isMemoryPath(item.path) && [oldBlob, newBlob].some((b) => b && looksLikeMemory(b.bytes))),
  ]
  const comparable = reviewed.format !== 'submodule' && old?.oid !== now?.oid
  const diff = comparable && old && now && old.text !== null && now.text !== null ? await lines(old, now) : null
  const title = { before: parsed?.before?.title ?? null, after: parsed?.after?.title ?? null }
  const claims = [parsed?.before?.article?.claim ?? null, parsed?.after?.article?.claim ?? null] as const
  const claim = claims[0] === claims[1] ? claims[0] : null
  const rest = {
    old,
    new: now,
    title,
    claim,
    large,
    memory: parsed ? memoryParts(item.path, parsed.before, parsed.after) : [],
  }
  if (!diff || !old || !now || diff.edits.length === 0 || diff.edits.length > MOST_HUNKS)
    return { ...rest, notes, raw: [wholePart(item.path, item.contentKey, wholeText(reviewed, old, now))] }
  if (large) await pause()
  const raw = lineParts(item.path, diff)
  if (large) await pause()
  return { ...rest, notes: [...notes, ...lineNotes(diff, old, now)], raw }
}

async function readSides(git: Git, { item }: ReviewedItem): Promise<[BulkObject | null, BulkObject | null]> {
  const wanted = [
    item.oldMode === SUBMODULE ? null : item.oldOid,
    item.newMode === SUBMODULE ? null : item.newOid,
  ] as const
  const found = new Map<string, BulkObject>()
  const names = [...new Set(wanted.filter((oid) => oid !== null))]
  const blobs = bulkRead(git, names, SHOWN_BYTES)
  try {
    for (const oid of names) {
      const blob = await blobs.next()
      if (!blob) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: git.cwd, missing: oid })
      found.set(oid, blob)
    }
  } finally {
    blobs.close()
  }
  const take = (oid: string | null) => (oid === null ? null : (found.get(oid) ?? null))
  return [take(wanted[0]), take(wanted[1])]
}

async function sideOf(
  path: string,
  oid: string | null,
  mode: string | null,
  blob: BulkObject | null,
): Promise<FileSide | null> {
  if (oid === null || mode === null) return null
  if (!blob) {
    const text = `Subproject commit ${oid}\n`
    return { ...NO_TEXT, oid, mode, size: 0, encoding: 'utf-8', eol: 'lf', finalNewline: true, lines: 1, text }
  }
  const { size, bytes } = blob
  const type = imageType(path, bytes)
  const image =
    type !== null && bytes.length === size && size <= IMAGE_BYTES
      ? `data:${type};base64,${bytes.toString('base64')}`
      : null
  if (bytes.length < size) return { ...NO_TEXT, oid, mode, size }
  const encoding = encodingOf(bytes)
  if (size > LARGE_BYTES) await pause()
  const text = decodeText(bytes, encoding)
  if (text === null) return { ...NO_TEXT, oid, mode, size, image }
  if (size > LARGE_BYTES) await pause()
  const ends = lineEnds(text)
  const finalNewline = text.endsWith('\n')
  const lines = ends.lf + ends.crlf + (text !== '' && !finalNewline ? 1 : 0)
  return { oid, mode, size, encoding, eol: eolOf(ends), finalNewline, lines, text, image }
}

const NO_TEXT = { encoding: 'binary', eol: 'none', finalNewline: false, lines: 0, text: null, image: null } as const

/** Both sides as memories; null where one of them cannot be read as one. */
async function readMemories(old: BulkObject | null, now: BulkObject | null) {
  const before = old && (await readMemory(old.bytes))
  const after = now && (await readMemory(now.bytes))
  return (old && !before) || (now && !after) ? null : { before, after }
}

const lines = (old: FileSide, now: FileSide): Promise<LineDiff> =>
  inSlices(diffLinesSliced(old.text ?? '', now.text ?? ''))

/** Drives sliced work, letting others run every ten milliseconds. */
async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - since < 10) continue
    await pause()
    since = performance.now()
  }
}

function wholeText({ item }: ReviewedItem, old: FileSide | null, now: FileSide | null): string {
  const size = (side: FileSide) =>
    side.text === null || side.mode === SUBMODULE
      ? sizeText(side.size)
      : `${side.lines.toLocaleString('en-US')} ${side.lines === 1 ? 'line' : 'lines'}`
  if (old && now) {
    if (old.mode === SUBMODULE && now.mode === SUBMODULE)
      return `Submodule ${old.oid.slice(0, 7)} → ${now.oid.slice(0, 7)}`
    const modes = modeNotes(old.mode, now.mode)
    if (old.oid === now.oid) {
      if (modes.length > 0) return modes.join(' ')
      return item.change === 'archived' ? 'Archived; its content is the same.' : 'Moved; its content is the same.'
    }
    return `${size(old)} → ${size(now)}`
  }
  if (now) return now.mode === SUBMODULE ? `Submodule added at ${now.oid.slice(0, 7)}` : `Created, ${size(now)}`
  return old ? (old.mode === SUBMODULE ? 'Submodule removed' : `Deleted, it had ${size(old)}`) : 'Nothing changed'
}

/** Why a run made a change, by the messages of the commits that touched the file, oldest first. */
export function whyOf(commits: readonly RunCommit[], touched: readonly string[]): FileReview['why'] {
  const wanted = new Set(touched)
  return [...commits]
    .reverse()
    .filter((commit) => wanted.has(commit.oid))
    .map((commit) => {
      const said = commit.subject.replace(/^memhtml\((?:sleep\([^)]*\)|[^)]*)\):\s*/, '')
      const body = commit.body.replaceAll(/^ {1,2}/gm, '').trim()
      return { oid: commit.oid, phase: commit.phase, text: body === '' ? said : `${said}\n${body}` }
    })
}
