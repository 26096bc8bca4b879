import { latin1 } from '../bytes/ranges.ts'
import type { Decided } from '../threeway/decide.ts'
import type { Merge } from '../threeway/merge.ts'
import type { LineRange, Region } from '../threeway/regions.ts'
import { offsetOf, type Side } from '../threeway/side.ts'

/** A line of one of the files, 0-based, as one character per byte and without its ending. */
export interface Line {
  readonly line: number
  readonly text: string
}

/** What one side did in one region: lines of base that it has no more, and its own lines that base has not. */
export interface Change {
  readonly region: Region
  /** Number of the region. */
  readonly index: number
  readonly removed: readonly Line[]
  readonly added: readonly Line[]
}

/** What the checks look at. */
export interface Changes {
  readonly ours: readonly Change[]
  readonly theirs: readonly Change[]
  /** The merged text, as one character per byte. */
  readonly result: string
  /** Lines of base, for checks that look around an edit. */
  readonly baseLines: () => readonly string[]
}

export type SideName = 'ours' | 'theirs'

/** More changed lines than this on a side are not looked at: no person reads warnings about them. */
const MOST_LINES = 20_000

/** The changes of both sides; null where there are too many, or where only one side has any. */
export function changesOf(merge: Merge, decided: Decided): Changes | null {
  let lines = 0
  for (const { kind, base, ours, theirs } of merge.regions)
    if (kind !== 'unchanged' && kind !== 'same') lines += sizeOf(base) + sizeOf(ours) + sizeOf(theirs)
  if (lines > MOST_LINES) return null
  const ours: Change[] = []
  const theirs: Change[] = []
  for (const [index, region] of merge.regions.entries()) {
    if (region.kind === 'ours' || region.kind === 'conflict') ours.push(changeOf(merge, region, index, 'ours'))
    if (region.kind === 'theirs' || region.kind === 'conflict') theirs.push(changeOf(merge, region, index, 'theirs'))
  }
  if (ours.length === 0 || theirs.length === 0) return null
  let base: readonly string[] | null = null
  const baseLines = () => {
    base ??= latin1(merge.base.bytes).split('\n')
    return base
  }
  return { ours, theirs, result: latin1(decided.bytes), baseLines }
}

const sizeOf = (range: LineRange) => range.end - range.start

function changeOf(merge: Merge, region: Region, index: number, name: SideName): Change {
  const old = linesOf(merge.base, region.base)
  const now = linesOf(merge[name], region[name])
  return { region, index, removed: without(old, now), added: without(now, old) }
}

/** Lines whose text does not occur in the others, each of the others counting once. */
function without(lines: readonly Line[], others: readonly Line[]): Line[] {
  const left = new Map<string, number>()
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1)
  return lines.filter(({ text }) => {
    const count = left.get(text) ?? 0
    if (count > 0) left.set(text, count - 1)
    return count === 0
  })
}

function linesOf(side: Side, range: LineRange): Line[] {
  const lines: Line[] = []
  let at = offsetOf(side, range.start)
  for (let line = range.start; line < range.end; line++) {
    const newline = side.bytes.indexOf(10, at)
    let end = newline === -1 ? side.bytes.length : newline
    const next = newline === -1 ? end : newline + 1
    if (end > at && side.bytes[end - 1] === 13) end--
    lines.push({ line, text: latin1(side.bytes, at, end) })
    at = next
  }
  return lines
}
