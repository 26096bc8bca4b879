import { compareWhole } from '../lcs/compare.ts'
import type { MergeInput } from '../threeway/merge.ts'
import { type Content, type Contents, contentsOf, countsOf } from './contents.ts'

/** A line of one of the files, 0-based, without its ending. */
export interface AuditLine {
  readonly line: number
  readonly bytes: Uint8Array
  /** No letter or digit in it: blank, or only marks. */
  readonly trivial: boolean
}

export interface LostLine extends AuditLine {
  /** Who added it; `both` where both added the same. The line is that of ours, or of theirs where ours has none. */
  readonly side: 'ours' | 'theirs' | 'both'
}

export interface MovedLine extends AuditLine {
  /** Of which side `line` is. */
  readonly side: 'ours' | 'theirs'
  /** Where it stands in the result. */
  readonly to: number
}

export interface LossAudit {
  /** Lines that a side added and the result lacks. */
  readonly lost: readonly LostLine[]
  /** Lines of base that both sides kept and the result lacks. */
  readonly missing: readonly AuditLine[]
  /** Lines of the result that occur in it more than once and more often than in either side; never trivial ones. */
  readonly duplicated: readonly AuditLine[]
  /** Lines that are there, but in another order than in that side; never trivial ones. */
  readonly moved: readonly MovedLine[]
  /** Nothing lost and nothing missing. */
  readonly complete: boolean
}

type Names = 'base' | 'ours' | 'theirs' | 'result'

/**
 * What a proposed result of a merge lacks, counted line by line: a line may stand anywhere, so that what was moved is
 * not lost. Line endings do not count. A line that one side deleted may be gone.
 */
export function auditLoss(input: MergeInput, result: Uint8Array): LossAudit {
  const contents = contentsOf<Names>({ ...input, result })
  const { base, ours, theirs, result: now } = contents.texts
  const b = countsOf(base, contents.count)
  const o = countsOf(ours, contents.count)
  const t = countsOf(theirs, contents.count)
  const r = countsOf(now, contents.count)
  const fromOurs = compareWhole(base.ids, ours.ids, contents.count)
  const fromTheirs = compareWhole(base.ids, theirs.ids, contents.count)
  const lost: LostLine[] = []
  const missing: AuditLine[] = []
  const duplicated: AuditLine[] = []
  const kept = (line: number) => fromOurs.oldChanged[line] === 0 && fromTheirs.oldChanged[line] === 0
  const places = placesOf(contents)
  for (let id = 0; id < contents.count; id++) {
    const had = b[id] as number
    const addedOurs = Math.max(0, (o[id] as number) - had)
    const addedTheirs = Math.max(0, (t[id] as number) - had)
    const dropped = Math.max(0, had - (o[id] as number)) + Math.max(0, had - (t[id] as number))
    const added = Math.max(addedOurs, addedTheirs)
    const short = Math.min(had - dropped + added - (r[id] as number), had + added)
    const there = r[id] as number
    if (short > 0 && added > 0) {
      const side = addedOurs > 0 && addedTheirs > 0 ? 'both' : addedOurs > 0 ? 'ours' : 'theirs'
      const from = side === 'theirs' ? theirs : ours
      const flags = side === 'theirs' ? fromTheirs.newChanged : fromOurs.newChanged
      const lines = choose(
        places.of(side === 'theirs' ? 'theirs' : 'ours', id),
        Math.min(short, added),
        (l) => flags[l] === 1,
      )
      for (const line of lines) lost.push({ side, ...lineOf(contents, from, line) })
    }
    const gone = added > 0 ? short - added : short
    if (gone > 0)
      for (const line of choose(places.of('base', id), gone, kept)) missing.push(lineOf(contents, base, line))
    const most = Math.max(o[id] as number, t[id] as number, 1)
    if (there > most && there > had && contents.hasWord[id] === 1)
      for (const line of choose(places.of('result', id), there - most, () => true))
        duplicated.push(lineOf(contents, now, line))
  }
  return {
    lost: lost.sort((x, y) => order(x.side) - order(y.side) || x.line - y.line),
    missing: missing.sort((x, y) => x.line - y.line),
    duplicated: duplicated.sort((x, y) => x.line - y.line),
    moved: [...movedLines(contents, 'ours'), ...movedLines(contents, 'theirs')],
    complete: lost.length === 0 && missing.length === 0,
  }
}

const order = (side: LostLine['side']) => (side === 'theirs' ? 1 : 0)

/** The last `count` of some lines, those that `prefer` likes before the others. */
function choose(lines: readonly number[], count: number, prefer: (line: number) => boolean): number[] {
  const liked = lines.filter(prefer).slice(-count)
  if (liked.length === count) return liked
  const rest = lines.filter((line) => !prefer(line))
  return [...liked, ...rest.slice(-(count - liked.length))]
}

/** The lines at which each number stands, found when first asked for. */
function placesOf(contents: Contents<Names>) {
  const found = new Map<Names, Map<number, number[]>>()
  return {
    of(name: Names, id: number): readonly number[] {
      let places = found.get(name)
      if (places === undefined) {
        places = new Map()
        const { ids } = contents.texts[name]
        for (let line = 0; line < ids.length; line++) {
          const list = places.get(ids[line] as number)
          if (list === undefined) places.set(ids[line] as number, [line])
          else list.push(line)
        }
        found.set(name, places)
      }
      return places.get(id) ?? []
    },
  }
}

function movedLines(contents: Contents<Names>, side: 'ours' | 'theirs'): MovedLine[] {
  const from = contents.texts[side]
  const to = contents.texts.result
  const { oldChanged, newChanged } = compareWhole(from.ids, to.ids, contents.count)
  const arrived = new Map<number, number[]>()
  for (let line = 0; line < to.ids.length; line++) {
    if (newChanged[line] === 0) continue
    const list = arrived.get(to.ids[line] as number)
    if (list === undefined) arrived.set(to.ids[line] as number, [line])
    else list.push(line)
  }
  const moved: MovedLine[] = []
  for (let line = 0; line < from.ids.length; line++) {
    if (oldChanged[line] === 0 || contents.hasWord[from.ids[line] as number] === 0) continue
    const place = arrived.get(from.ids[line] as number)?.shift()
    if (place !== undefined) moved.push({ side, to: place, ...lineOf(contents, from, line) })
  }
  return moved
}

function lineOf(contents: Contents<Names>, content: Content, line: number): AuditLine {
  const start = content.starts[line] as number
  let end = content.starts[line + 1] as number
  if (end > start && content.bytes[end - 1] === 10) end--
  if (end > start && content.bytes[end - 1] === 13) end--
  const trivial = contents.hasWord[content.ids[line] as number] === 0
  return { line, bytes: content.bytes.subarray(start, end), trivial }
}
