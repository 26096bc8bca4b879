import { LineIds } from '../bytes/lineIds.ts'
import { commonPrefix, commonSuffix } from '../bytes/ranges.ts'
import { type Edit, editsOf } from '../edit.ts'
import { compareWhole } from '../lcs/compare.ts'
import { slide } from '../lcs/slide.ts'
import type { Limits } from '../lcs/steps.ts'
import { equalIds, type Ids, type Region, region, regionsOf, type Touching } from './regions.ts'
import { countLines, type Side, sideOf } from './side.ts'

/** The three texts, as bytes: nothing about their encoding is assumed but that byte 10 ends a line. */
export interface MergeInput {
  readonly base: Uint8Array
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
}

export interface MergeOptions {
  /** Default `conflict`, git's rule. */
  readonly touching?: Touching
  /**
   * Where base is empty: `ends` (default) finds the lines that both texts begin and end with; `whole` makes one
   * conflict of them, as git does with `--diff3`.
   */
  readonly emptyBase?: 'ends' | 'whole'
  readonly limits?: Limits
  /** Default true. False indexes the shared start and end too; the regions are the same. */
  readonly trim?: boolean
  /** Default true. False looks every line up; the regions are the same. */
  readonly foretell?: boolean
}

/** A three-way merge: plain values, to be given to the functions that render, decide and audit it. */
export interface Merge {
  readonly base: Side
  readonly ours: Side
  readonly theirs: Side
  /** All of the three files, in order. */
  readonly regions: readonly Region[]
  /** Those of kind `conflict`, in order. */
  readonly conflicts: readonly Region[]
  /** Whether both comparisons were shortest; false only where the time allowed ran out. */
  readonly exact: boolean
  /** Ids of the indexed lines are below this. */
  readonly idCount: number
}

/** Lines of the shared end that are indexed with the rest, so that edits can slide into them. */
const GUARD = 64

/**
 * Merges two texts that come from one base, line by line. Never throws for what the texts hold; time and memory are
 * bounded for every input.
 */
export function merge(texts: MergeInput, options: MergeOptions = {}): Merge {
  const input = { base: plain(texts.base), ours: plain(texts.ours), theirs: plain(texts.theirs) }
  const trim = options.trim ?? true
  const prefix = trim ? sharedStart(input) : 0
  const suffix = trim ? sharedEnd(input, prefix) : 0
  for (let guard = GUARD; ; guard *= 32) {
    const kept = withoutLines(input.base, suffix, guard)
    const found = mergeMiddle(input, prefix, kept, options)
    if (kept === 0 || !found.atEnd) return found.merge
  }
}

/** A Buffer as what it is underneath: taking parts of it is many times faster then. */
function plain(bytes: Uint8Array): Uint8Array {
  if (bytes.constructor === Uint8Array) return bytes
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Bytes that all three begin with, cut at a line. */
function sharedStart({ base, ours, theirs }: MergeInput): number {
  const most = commonPrefix(base, ours, Math.min(base.length, ours.length, theirs.length))
  const bytes = commonPrefix(base, theirs, most)
  return bytes === 0 ? 0 : base.lastIndexOf(10, bytes - 1) + 1
}

/** Bytes that all three end with, cut at a line, and none of the shared start. */
function sharedEnd({ base, ours, theirs }: MergeInput, start: number): number {
  const most = commonSuffix(base, ours, Math.min(base.length, ours.length, theirs.length) - start)
  const bytes = commonSuffix(base, theirs, most)
  if (bytes === 0) return 0
  const newline = base.indexOf(10, base.length - bytes)
  return newline === -1 ? 0 : base.length - newline - 1
}

/** The last `length` bytes without their first lines. */
function withoutLines(bytes: Uint8Array, length: number, lines: number): number {
  let at = bytes.length - length
  for (let i = 0; i < lines && at < bytes.length; i++) {
    const newline = bytes.indexOf(10, at)
    if (newline === -1) return 0
    at = newline + 1
  }
  return bytes.length - at
}

/** Merges what lies between the first `start` and the last `end` bytes, which all three share. */
function mergeMiddle({ base, ours, theirs }: MergeInput, start: number, end: number, options: MergeOptions) {
  const before = countLines(base, 0, start)
  const after = countLines(base, base.length - end, base.length)
  const longest = Math.max(base.length, ours.length, theirs.length) - start - end
  const numbers = new LineIds(Math.min(longest >> 5, 1 << 16))
  const lines = numbers.add(base, start, base.length - end)
  const near = options.foretell === false ? null : lines
  const side = (bytes: Uint8Array) => sideOf(numbers.add(bytes, start, bytes.length - end, near), before, after)
  const sides = { base: sideOf(lines, before, after), ours: side(ours), theirs: side(theirs) }
  const ids = { base: sides.base.ids, ours: sides.ours.ids, theirs: sides.theirs.ids }
  const fromOurs = compareSides(ids.base, ids.ours, numbers.count, options.limits)
  const fromTheirs = equalIds(ids.ours, 0, ids.ours.length, ids.theirs, 0, ids.theirs.length)
    ? fromOurs
    : compareSides(ids.base, ids.theirs, numbers.count, options.limits)
  let regions = regionsOf(ids, fromOurs.edits, fromTheirs.edits, options.touching ?? 'conflict')
  if (base.length === 0 && options.emptyBase !== 'whole') regions = regions.flatMap((r) => withoutEnds(r, ids))
  regions = placed(regions, sides, before, after)
  const conflicts = regions.filter((r) => r.kind === 'conflict')
  const exact = fromOurs.exact && fromTheirs.exact
  const result: Merge = { ...sides, regions, conflicts, exact, idCount: numbers.count }
  return { merge: result, atEnd: fromOurs.atEnd || fromTheirs.atEnd }
}

interface Compared {
  readonly edits: readonly Edit[]
  readonly exact: boolean
  /** Whether an edit reaches the last indexed line, and might have slid on. */
  readonly atEnd: boolean
}

function compareSides(base: Int32Array, side: Int32Array, idCount: number, limits: Limits | undefined): Compared {
  if (equalIds(base, 0, base.length, side, 0, side.length)) return { edits: [], exact: true, atEnd: false }
  const found = compareWhole(base, side, idCount, limits)
  slide(base, found.oldChanged, side, found.newChanged)
  const edits = editsOf(found.oldChanged, found.newChanged)
  const last = edits.at(-1)
  const atEnd = last !== undefined && (last.oldEnd === base.length || last.newEnd === side.length)
  return { edits, exact: found.exact, atEnd }
}

/** A conflict over an empty base, cut at the lines that both sides begin and end with. */
function withoutEnds(whole: Region, { ours, theirs }: Ids): Region[] {
  if (whole.kind !== 'conflict') return [whole]
  const most = Math.min(ours.length, theirs.length)
  let start = 0
  while (start < most && ours[start] === theirs[start]) start++
  let end = 0
  while (end < most - start && ours.at(-1 - end) === theirs.at(-1 - end)) end++
  const o1 = ours.length
  const t1 = theirs.length
  const regions = [region('conflict', 0, 0, start, o1 - end, start, t1 - end)]
  if (start > 0) regions.unshift(region('same', 0, 0, 0, start, 0, start))
  if (end > 0) regions.push(region('same', 0, 0, o1 - end, o1, t1 - end, t1))
  return regions
}

/** Regions of the indexed lines as regions of the whole files. */
function placed(
  regions: readonly Region[],
  sides: { readonly base: Side; readonly ours: Side; readonly theirs: Side },
  before: number,
  after: number,
): Region[] {
  const out: Region[] = []
  const push = (kind: Region['kind'], b0: number, b1: number, o0: number, o1: number, t0: number, t1: number) => {
    const last = out.at(-1)
    if (last?.kind === 'unchanged' && kind === 'unchanged')
      out[out.length - 1] = region(kind, last.base.start, b1, last.ours.start, o1, last.theirs.start, t1)
    else out.push(region(kind, b0, b1, o0, o1, t0, t1))
  }
  if (before > 0) push('unchanged', 0, before, 0, before, 0, before)
  for (const { kind, base, ours, theirs } of regions)
    push(
      kind,
      base.start + before,
      base.end + before,
      ours.start + before,
      ours.end + before,
      theirs.start + before,
      theirs.end + before,
    )
  if (after > 0) {
    const { base, ours, theirs } = sides
    push(
      'unchanged',
      base.lines - after,
      base.lines,
      ours.lines - after,
      ours.lines,
      theirs.lines - after,
      theirs.lines,
    )
  }
  return out
}
