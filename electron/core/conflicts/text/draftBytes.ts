import { type DraftModel, type Row, rowsOf, slotsOf } from '../../../../shared/merge/draft/index.ts'
import {
  decisionBytes,
  type LineRange,
  type Merge,
  offsetOf,
  type Region,
  type Side,
} from '../../../../shared/merge/index.ts'
import type { Draft, GapEdit, LineDecision } from '../../../../shared/model/index.ts'
import { written } from './show.ts'
import type { TextMerge } from './textMerge.ts'

/** The merged text of a draft: not yet in the encoding of the file. */
export interface DraftBytes {
  readonly bytes: Uint8Array
  /** Byte offset of the end of each slot: gap 0, conflict 0, gap 1, … */
  readonly slots: readonly number[]
  /** Lines of the result, 0-based, that hold a character which the encoding cannot; they are left empty. */
  readonly unwritable: readonly number[]
}

/**
 * The merged text of a draft. Open conflicts hold base. Untouched gaps and sides that are taken whole are copied byte for
 * byte; of what was edited by hand each line that a side has there is that side's, and a new one ends as the line before it.
 */
export function draftBytes(text: TextMerge, draft: Draft): DraftBytes {
  const { merge, model } = text
  const gaps = gapsOf(merge)
  const rows = slotsOf(model, draft)
  const out = new Lines(text)
  const slots: number[] = []
  let line = 0
  for (const [slot, own] of rows.entries()) {
    const index = slot >> 1
    const edits = slot % 2 === 0 ? draft.edits.filter((edit) => edit.gap === index) : []
    if (slot % 2 === 1) addConflict(out, text, index, draft.lines[index] ?? null, own, line)
    else if (edits.length === 0) for (const piece of gaps[index] as Gap) out.addRange(piece)
    else addEdited(out, model, index, gaps[index] as Gap, edits, own, line)
    line += own.length
    slots.push(out.size)
  }
  out.endAs(rows.findLast((own) => own.length > 0)?.at(-1))
  const bytes = out.bytes()
  return { bytes, slots: slots.map((at) => Math.min(at, bytes.length)), unwritable: out.unwritable }
}

interface Piece {
  readonly side: Side
  readonly range: LineRange
}
type Gap = readonly Piece[]

/** Where the lines of each gap come from. */
function gapsOf(merge: Merge): Gap[] {
  const gaps: Piece[][] = [[]]
  for (const region of merge.regions) {
    if (region.kind === 'conflict') gaps.push([])
    else if (region.kind === 'theirs') gaps.at(-1)?.push({ side: merge.theirs, range: region.theirs })
    else gaps.at(-1)?.push({ side: merge.ours, range: region.ours })
  }
  return gaps
}

/** Lines [from, to) of a gap. */
function part(gap: Gap, from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { side, range } of gap) {
    const length = range.end - range.start
    const start = range.start + Math.max(0, from - at)
    const end = range.start + Math.min(length, to - at)
    if (start < end) pieces.push({ side, range: { start, end } })
    at += length
  }
  return pieces
}

function addConflict(
  out: Lines,
  { merge, model, combined, view }: TextMerge,
  index: number,
  decision: LineDecision | null,
  rows: readonly Row[],
  line: number,
): void {
  const region = merge.conflicts[index] as Region
  const take = decision?.take ?? 'base'
  if (take !== 'text' && (take !== 'recorded' || view.conflicts[index]?.recorded == null)) {
    out.add(takenBytes(merge, region, take, combined[index] ?? null))
    return
  }
  const sources = (['ours', 'theirs', 'base'] as const).map((name) => ({
    rows: model[name].slice(region[name].start, region[name].end),
    pieces: [{ side: merge[name], range: region[name] }],
  }))
  out.addRows(rows, sources, line)
}

/** What a decision takes whole. What the conflict does not offer counts as open. */
function takenBytes(
  merge: Merge,
  region: Region,
  take: Exclude<LineDecision['take'], 'text'>,
  combined: Uint8Array | null,
) {
  if (take === 'combined' && combined !== null) return combined
  return decisionBytes(merge, region, { take: take === 'combined' || take === 'recorded' ? 'base' : take })
}

function addEdited(
  out: Lines,
  model: DraftModel,
  index: number,
  gap: Gap,
  edits: readonly GapEdit[],
  rows: readonly Row[],
  line: number,
): void {
  const own = model.gaps[index] as readonly Row[]
  let at = 0
  let shown = 0
  for (const edit of edits) {
    for (const piece of part(gap, at, edit.at)) out.addRange(piece)
    shown += edit.at - at
    at = edit.at + edit.removed
    const made = rowsOf(edit.text).length
    const source = { rows: own.slice(edit.at, at), pieces: part(gap, edit.at, at) }
    out.addRows(rows.slice(shown, shown + made), [source], line + shown)
    shown += made
  }
  for (const piece of part(gap, at, own.length)) out.addRange(piece)
}

interface Source {
  readonly rows: readonly Row[]
  readonly pieces: readonly Piece[]
}

const LF = Uint8Array.of(10)
const CRLF = Uint8Array.of(13, 10)

/** The result, line by line or in longer stretches. What follows a line without ending gives it one. */
class Lines {
  size = 0
  readonly unwritable: number[] = []
  private readonly parts: Uint8Array[] = []
  private readonly text: TextMerge

  constructor(text: TextMerge) {
    this.text = text
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    const last = this.parts.at(-1)
    if (last !== undefined && last.at(-1) !== 10) this.push(this.ending())
    this.push(bytes)
  }

  addRange({ side, range }: Piece): void {
    this.add(side.bytes.subarray(offsetOf(side, range.start), offsetOf(side, range.end)))
  }

  /** Rows that were written by hand: those that stand in one of the sources, in order where they can, keep their bytes. */
  addRows(rows: readonly Row[], sources: readonly Source[], line: number): void {
    const known = sources.map((source) => new Known(source))
    for (const [i, row] of rows.entries()) {
      const content = row.endsWith('\n') ? row.slice(0, -1) : row
      let bytes: Uint8Array | null = null
      for (const one of known) bytes ??= one.next(content)
      for (const one of known) bytes ??= one.any(content)
      let own: Uint8Array | null = bytes
      if (bytes === null) {
        own = written(this.text.prepared, content)
        if (own === null) this.unwritable.push(line + i)
      }
      this.addLine(own ?? NONE, bytes === null, row !== content)
    }
  }

  /** One line, with its ending or, where it is new, with that of the line before it. */
  private addLine(bytes: Uint8Array, fresh: boolean, ended: boolean): void {
    const last = this.parts.at(-1)
    if (last !== undefined && last.at(-1) !== 10) this.push(this.ending())
    const has = bytes.at(-1) === 10
    if (!ended) this.push(has ? withoutEnding(bytes) : bytes)
    else if (has && !fresh) this.push(bytes)
    else {
      const ending = this.ending()
      this.push(bytes)
      this.push(ending)
    }
  }

  /** The final line ends as the draft has it. */
  endAs(row: Row | undefined): void {
    if (row === undefined) return
    const last = this.parts.at(-1)
    const ends = last !== undefined && last.at(-1) === 10
    if (row.endsWith('\n') && !ends) this.push(this.ending())
    else if (!row.endsWith('\n') && ends) {
      const bytes = this.bytes()
      const cut = withoutEnding(bytes)
      this.parts.splice(0, this.parts.length, cut)
      this.size = cut.length
    }
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.parts, this.size)
  }

  private push(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.parts.push(bytes)
    this.size += bytes.length
  }

  /** The line ending of the line before; at the start that of the first line of a side. */
  private ending(): Uint8Array {
    for (let i = this.parts.length - 1; i >= 0; i--) {
      const bytes = this.parts[i] as Uint8Array
      const at = bytes.lastIndexOf(10)
      if (at === -1) continue
      const before = at > 0 ? bytes[at - 1] : this.parts[i - 1]?.at(-1)
      return before === 13 ? CRLF : LF
    }
    const { ours, theirs, base } = this.text.prepared.input
    for (const bytes of [ours, theirs, base]) {
      const at = bytes.indexOf(10)
      if (at !== -1) return at > 0 && bytes[at - 1] === 13 ? CRLF : LF
    }
    return LF
  }
}

const NONE = new Uint8Array(0)

function withoutEnding(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - (bytes.at(-2) === 13 ? 2 : 1))
}

/** The lines of a source, to be found by what they show. */
class Known {
  private at = 0
  private readonly source: Source
  private lines: Uint8Array[] | null = null
  private places: Map<string, number[]> | null = null

  constructor(source: Source) {
    this.source = source
  }

  /** The first such line from the last one found on. */
  next(content: string): Uint8Array | null {
    const place = this.find(content)?.find((one) => one >= this.at)
    if (place === undefined) return null
    this.at = place + 1
    return this.line(place)
  }

  any(content: string): Uint8Array | null {
    const place = this.find(content)?.[0]
    return place === undefined ? null : this.line(place)
  }

  private find(content: string): readonly number[] | undefined {
    if (this.places === null) {
      this.places = new Map()
      for (const [i, row] of this.source.rows.entries()) {
        const key = row.endsWith('\n') ? row.slice(0, -1) : row
        const list = this.places.get(key)
        if (list === undefined) this.places.set(key, [i])
        else list.push(i)
      }
    }
    return this.places.get(content)
  }

  private line(index: number): Uint8Array {
    if (this.lines === null) {
      this.lines = []
      for (const { side, range } of this.source.pieces) {
        let at = offsetOf(side, range.start)
        for (let line = range.start; line < range.end; line++) {
          const newline = side.bytes.indexOf(10, at)
          const end = newline === -1 ? side.bytes.length : newline + 1
          this.lines.push(side.bytes.subarray(at, end))
          at = end
        }
      }
    }
    return this.lines[index] as Uint8Array
  }
}
