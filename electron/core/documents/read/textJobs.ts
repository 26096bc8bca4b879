import { decodeText, encodingOf } from '../../sleep/reviewText.ts'
import type { IndexDb } from '../../store/indexDb.ts'
import {
  beginTexts,
  type FoundText,
  finishTexts,
  type IndexedText,
  indexedOids,
  readTextState,
  searchTexts,
  type TextState,
  writeTexts,
} from '../../store/textIndex.ts'
import { pause } from '../versions/pause.ts'
import { readableText } from './title.ts'

/** A file to be indexed; `bytes` null where there is no such blob. */
export interface TextFile {
  readonly path: string
  readonly oid: string
  readonly bytes: Uint8Array | null
}

/** What can be asked of the full text, and what is answered. All of it is plain data. */
export interface TextAnswers {
  readonly state: TextState
  readonly begin: TextState | null
  readonly finish: boolean
  /** Path keys with their blobs. */
  readonly oids: ReadonlyMap<string, string>
  readonly write: null
  readonly search: readonly FoundText[]
}

export type TextJob =
  | { readonly do: 'state' }
  | { readonly do: 'begin'; readonly seen: TextState }
  | { readonly do: 'finish'; readonly seen: TextState; readonly tip: string }
  | { readonly do: 'oids' }
  | { readonly do: 'write'; readonly files: readonly TextFile[]; readonly gone: readonly string[] }
  | { readonly do: 'search'; readonly expressions: readonly string[]; readonly limit: number }

export type AnswerOf<J extends TextJob> = TextAnswers[J['do']]

/** Goes around what matched in a snippet. */
const MARK = '**'
/** A piece of a document, in characters: less than is written in one step. */
const PIECE = 16 * 1024
/** What one transaction is aimed at, in milliseconds: others wait for it. */
const AIM_MS = 4
/** Characters of one transaction; follows the time that they take. */
let budget = PIECE

/** Does one piece of work on the full text, in steps of a few milliseconds. */
export async function runTextJob(index: IndexDb, job: TextJob): Promise<TextAnswers[TextJob['do']]> {
  switch (job.do) {
    case 'state':
      return readTextState(index)
    case 'begin':
      return beginTexts(index, job.seen)
    case 'finish':
      return finishTexts(index, job.seen, job.tip)
    case 'oids':
      return indexedOids(index, pause)
    case 'write':
      await write(index, job.files, job.gone)
      return null
    case 'search':
      return search(index, job.expressions, job.limit)
  }
}

/** The answer of the first expression that has one. */
async function search(index: IndexDb, expressions: readonly string[], limit: number): Promise<FoundText[]> {
  for (const expression of expressions) {
    const found = searchTexts(index, expression, limit, MARK)
    if (found.length > 0) return found
    await pause()
  }
  return []
}

const GONE_AT_ONCE = 20

async function write(index: IndexDb, files: readonly TextFile[], gone: readonly string[]): Promise<void> {
  for (let at = 0; at < gone.length; at += GONE_AT_ONCE) {
    writeTexts(index, [], gone.slice(at, at + GONE_AT_ONCE))
    await pause()
  }
  let texts: IndexedText[] = []
  let size = 0
  for (const [at, file] of files.entries()) {
    const text = textOf(file)
    texts.push(text)
    size += text.pieces.reduce((sum, piece) => sum + piece.length, 200)
    if (size < budget && at < files.length - 1) continue
    const began = performance.now()
    writeTexts(index, texts, [])
    const took = performance.now() - began
    budget = Math.min(16 * PIECE, Math.max(PIECE / 4, took > AIM_MS ? budget / 2 : budget * 1.2))
    texts = []
    size = 0
    await pause()
  }
}

function textOf({ path, oid, bytes }: TextFile): IndexedText {
  const buffer = bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer && decodeText(buffer, encodingOf(buffer))
  if (text === null) return { path, oid, title: '', pieces: [] }
  const { title, body } = readableText(path, text)
  return { path, oid, title, pieces: piecesOf(body) }
}

/** Cuts a text into pieces at blanks, as far as it has some. An empty text is one piece: its title can be found. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = Math.min(text.length, from + PIECE)
    if (end < text.length) {
      const cut = Math.max(text.lastIndexOf(' ', end), text.lastIndexOf('\n', end))
      if (cut > from) end = cut
    }
    pieces.push(text.slice(from, end).toWellFormed())
    from = end
  }
  return pieces.length > 0 ? pieces : ['']
}
