import { openCount, rowsOf } from '../../../../../shared/merge/draft/index.ts'
import { type Decision, decidedBytes, prove } from '../../../../../shared/merge/index.ts'
import type { Draft } from '../../../../../shared/model/index.ts'
import type { DraftBytes } from '../draftBytes.ts'
import { decodeLegacy } from '../legacy.ts'
import { type Prepared, withLf } from '../prepare.ts'
import { decodeWide, scan } from '../scan.ts'
import type { TextMerge } from '../textMerge.ts'

export interface TextProof {
  readonly holds: boolean
  readonly sentence: string
}

/**
 * Compares a result with its sides anew: what was decided is what was taken, every line outside of decisions and hand
 * edits is byte for byte that of the sides, and the file's bytes are read as exactly this text again.
 */
export function proofOf(text: TextMerge, draft: Draft, made: DraftBytes, file: Uint8Array | null): TextProof {
  const holds = file !== null && asDecided(text, draft, made) && readsAs(text.prepared, file, made.bytes)
  return { holds, sentence: holds ? sentenceOf(text, draft) : 'The result is not what was decided' }
}

const TAKES = new Set<string>(['base', 'ours', 'theirs', 'ours-then-theirs', 'theirs-then-ours'])

function asDecided(text: TextMerge, draft: Draft, { bytes, slots }: DraftBytes): boolean {
  const { merge } = text
  const slot = (i: number) => bytes.subarray(i === 0 ? 0 : slots[i - 1], slots[i])
  const decisions = merge.conflicts.map((_, i): Decision => {
    const take = draft.lines[i]?.take ?? 'base'
    return TAKES.has(take) ? { take: take as 'base' } : { take: 'text', text: slot(2 * i + 1) }
  })
  if (draft.edits.length === 0) return prove(merge, decisions, bytes).holds
  const whole = decidedBytes(merge, decisions)
  const gaps: Uint8Array[][] = [[]]
  const conflicts: Uint8Array[] = []
  for (const { region, start, end } of whole.placed) {
    if (region.kind !== 'conflict') gaps.at(-1)?.push(whole.bytes.subarray(start, end))
    else {
      conflicts.push(whole.bytes.subarray(start, end))
      gaps.push([])
    }
  }
  return gaps.every((pieces, gap) => {
    const own = Buffer.concat(pieces)
    const edits = draft.edits.filter((edit) => edit.gap === gap)
    const conflict = conflicts[gap]
    if (conflict !== undefined && !alike(slot(2 * gap + 1), conflict)) return false
    return edits.length === 0 ? alike(slot(2 * gap), own) : holdsRest(slot(2 * gap), own, edits)
  })
}

/** The same bytes; a line ending may have been put between them and what stands before, or have gone with what followed. */
function alike(a: Uint8Array, b: Uint8Array): boolean {
  if (Buffer.compare(a, b) === 0) return true
  const trim = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, '')
  return trim(a) === trim(b)
}

/** Whether a gap's bytes are its own but for the edited lines. */
function holdsRest(bytes: Uint8Array, own: Buffer, edits: Draft['edits']): boolean {
  const starts = [0]
  for (let at = own.indexOf(10); at !== -1; at = own.indexOf(10, at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== own.length) starts.push(own.length)
  const offset = (line: number) => starts[Math.min(line, starts.length - 1)] as number
  const kept: Buffer[] = []
  let at = 0
  for (const edit of edits) {
    kept.push(own.subarray(offset(at), offset(edit.at)))
    at = edit.at + edit.removed
  }
  kept.push(own.subarray(offset(at)))
  const there = Buffer.from(bytes)
  let from = 0
  for (const [i, piece] of kept.entries()) {
    const last = i === kept.length - 1
    const bare =
      last && there.at(-1) !== 10 ? Buffer.from(piece.toString('latin1').replace(/\r?\n$/, ''), 'latin1') : piece
    const place = last ? there.length - bare.length : there.indexOf(bare, from)
    if (
      place < from ||
      (i === 0 && place > 2) ||
      Buffer.compare(there.subarray(place, place + bare.length), bare) !== 0
    )
      return false
    from = place + bare.length
  }
  return true
}

/** Whether a file's bytes, read as the sides were, are this text. */
function readsAs({ result, reading }: Prepared, file: Uint8Array, bytes: Uint8Array): boolean {
  const wide = result.encoding === 'utf-16le' || result.encoding === 'utf-16be'
  const mark = !result.bom ? 0 : wide ? 2 : 3
  const body = file.subarray(mark)
  if (result.bom && scan(file)?.bom !== true && body.length > 0) return false
  let text = body
  if (result.encoding === 'utf-16le' || result.encoding === 'utf-16be')
    text = Buffer.from(decodeWide(body, result.encoding))
  else if (result.encoding === 'legacy' && reading !== 'legacy') text = Buffer.from(decodeLegacy(body))
  return Buffer.compare(result.ending === 'crlf' ? withLf(text) : text, bytes) === 0
}

function sentenceOf({ model, prepared }: TextMerge, draft: Draft): string {
  const all = model.conflicts.length
  const open = openCount(draft)
  const hunks = (n: number) => `${n} ${n === 1 ? 'hunk' : 'hunks'}`
  const byHand = draft.edits.reduce((sum, edit) => sum + Math.max(edit.removed, rowsOf(edit.text).length), 0)
  const hand = byHand === 0 ? '' : `${byHand} ${byHand === 1 ? 'line' : 'lines'} changed by hand`
  const apart = prepared.result.ending === null ? '' : ' but for the line endings'
  if (open > 0) return `${all - open} of ${hunks(all)} decided, ${open} open${hand === '' ? '' : `, ${hand}`}`
  if (all === 0) return hand === '' ? `Nothing to decide; all identical${apart}` : `${hand}; all else identical${apart}`
  return `${hunks(all)} decided${hand === '' ? '' : `, ${hand}`}; all else identical${apart}`
}
