import type { RepositoryContext } from '../../context.ts'
import { type BulkObject, bulkRead } from '../../git/blobs.ts'
import { decodePath, splitNul } from '../../git/bytes.ts'
import { diffTrees } from '../../git/diffTree.ts'
import { isFileMode } from '../../git/trees.ts'
import { decodeText, encodingOf } from '../../sleep/reviewText.ts'
import { pathKey, pathOfKey } from '../../store/pathKey.ts'
import {
  beginTexts,
  finishTexts,
  type IndexedText,
  indexedOids,
  readTextState,
  type TextState,
  writeTexts,
} from '../../store/textIndex.ts'
import { pause } from '../versions/pause.ts'
import { readableText } from './title.ts'

/** Of a longer document only the start is searched. */
const MOST_BYTES = 2 * 1024 * 1024
/** A piece of a document, in characters: less than is written in one step. */
const PIECE = 16 * 1024
/** Other processes index as well. */
const ATTEMPTS = 6

/** What a path is to be: its blob, or null where it is not there. */
type Wanted = ReadonlyMap<string, string | null>

const running = new WeakMap<RepositoryContext, Promise<void>>()

/** Brings the full text up to a commit of trunk: only what changed since is read, at first everything. */
export function bringTextsTo(repo: RepositoryContext, tip: string): Promise<void> {
  const before = running.get(repo) ?? Promise.resolve()
  const next = before.catch(() => {}).then(() => bring(repo, tip))
  running.set(repo, next)
  return next
}

async function bring(repo: RepositoryContext, tip: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seen = readTextState(repo.index)
    if (seen.tip === tip) return
    const wanted = (await changedSince(repo, seen.tip, tip)) ?? (await differing(repo, tip))
    if (wanted.size === 0) {
      if (finishTexts(repo.index, seen, tip)) return
      continue
    }
    const begun: TextState | null = beginTexts(repo.index, seen)
    if (begun === null) continue
    await write(repo, wanted)
    if (finishTexts(repo.index, begun, tip)) return
  }
}

/** What changed between two commits; null where that cannot be told. */
async function changedSince(repo: RepositoryContext, old: string | null, tip: string): Promise<Wanted | null> {
  if (old === null || (await repo.objects.read(old)) === null) return null
  const wanted = new Map<string, string | null>()
  for (const { path, fromPath, newMode, newOid } of await diffTrees(repo.git, old, tip)) {
    if (fromPath !== null) wanted.set(fromPath, null)
    wanted.set(path, isFileMode(newMode) ? newOid : null)
  }
  return wanted
}

/** Where the index differs from a commit's tree. */
async function differing(repo: RepositoryContext, tip: string): Promise<Wanted> {
  const held = await indexedOids(repo.index, pause)
  const { stdout } = await repo.git.run(['ls-tree', '-r', '-z', '--full-tree', tip])
  const wanted = new Map<string, string | null>()
  let seen = 0
  for (const row of splitNul(stdout)) {
    if (++seen % 2000 === 0) await pause()
    const tab = row.indexOf(9)
    const [mode = '', , oid = ''] = row.toString('latin1', 0, tab).split(' ')
    if (!isFileMode(mode)) continue
    const path = decodePath(row.subarray(tab + 1))
    const key = pathKey(path)
    if (held.get(key) !== oid) wanted.set(path, oid)
    held.delete(key)
  }
  for (const key of held.keys()) wanted.set(pathOfKey(key), null)
  return wanted
}

/** How long one step may take at the most, in milliseconds, and what it is aimed at. */
const AIM_MS = 5

/** Writes in steps whose size follows the time that they take, so that nothing else waits for long. */
async function write(repo: RepositoryContext, wanted: Wanted): Promise<void> {
  const gone = [...wanted].flatMap(([path, oid]) => (oid === null ? [path] : []))
  for (let at = 0; at < gone.length; at += 20) {
    writeTexts(repo.index, [], gone.slice(at, at + 20))
    await pause()
  }
  const there = [...wanted].flatMap(([path, oid]) => (oid === null ? [] : [{ path, oid }]))
  const reader = bulkRead(
    repo.git,
    there.map((one) => one.oid),
    MOST_BYTES,
  )
  let budget = PIECE
  let size = 0
  let texts: IndexedText[] = []
  const flush = async () => {
    const began = performance.now()
    writeTexts(repo.index, texts, [])
    const took = performance.now() - began
    budget = Math.min(16 * PIECE, Math.max(PIECE / 4, took > AIM_MS ? budget / 2 : budget * 1.2))
    texts = []
    size = 0
    await pause()
  }
  try {
    for (const { path, oid } of there) {
      const blob = await reader.next()
      const text = textOf(path, oid, blob)
      texts.push(text)
      size += text.pieces.reduce((sum, piece) => sum + piece.length, 200)
      if (size >= budget) await flush()
    }
    if (texts.length > 0) await flush()
  } finally {
    reader.close()
  }
}

function textOf(path: string, oid: string, blob: BulkObject | null): IndexedText {
  const none = { path, oid, title: '', pieces: [] }
  if (blob?.type !== 'blob') return none
  const text = decodeText(blob.bytes, encodingOf(blob.bytes))
  if (text === null) return none
  const { title, body } = readableText(path, text)
  return { path, oid, title, pieces: piecesOf(body) }
}

/** Cuts a text into pieces at blanks, as far as it has some. An empty text is one piece: its title can be found. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = Math.min(text.length, from + PIECE)
    if (end < text.length) {
      const blank = text.lastIndexOf(' ', end)
      const line = text.lastIndexOf('\n', end)
      const cut = Math.max(blank, line)
      if (cut > from) end = cut
    }
    pieces.push(text.slice(from, end).toWellFormed())
    from = end
  }
  return pieces.length > 0 ? pieces : ['']
}
