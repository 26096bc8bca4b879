import { concatBytes, latin1 } from '../bytes/ranges.ts'
import { editsOf } from '../edit.ts'
import { compareWhole } from '../lcs/compare.ts'
import { slide } from '../lcs/slide.ts'
import type { Limits } from '../lcs/steps.ts'
import type { Merge } from './merge.ts'
import { type Region, type RegionKind, regionsOf } from './regions.ts'
import { bytesOf } from './side.ts'

/** A stretch of tokens of a conflict; byte offsets within the three texts of the conflict, half-open. */
export interface TokenRegion {
  readonly kind: RegionKind
  readonly base: ByteRange
  readonly ours: ByteRange
  readonly theirs: ByteRange
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A conflict looked at token by token. */
export interface Refinement {
  readonly regions: readonly TokenRegion[]
  /** Whether the edits of the two sides neither overlap nor touch, so that both can be had. */
  readonly simple: boolean
  /** Both sides' edits together; null where not simple. */
  readonly combined: Uint8Array | null
  /** Fewest tokens between an edit of ours and one of theirs, blanks included; 0 where not simple, null where one side has none. */
  readonly gap: number | null
  readonly exact: boolean
}

/** More bytes on a side than this are not looked at by token. */
const MOST_BYTES = 4_000_000
const TOKEN_LIMITS: Limits = { search: 200_000, words: 4_000_000, total: 20_000_000 }

/**
 * The tokens of a text: runs of letters, digits, underscores and bytes above 127; runs of blanks; each line ending; each
 * other byte. Byte offsets of their starts, and the end.
 */
export function tokenStarts(bytes: Uint8Array): Int32Array {
  const starts = new Int32Array(bytes.length + 1)
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    starts[count++] = at
    const kind = KINDS[bytes[at] as number] as number
    if (kind === OTHER) at += bytes[at] === 13 && bytes[at + 1] === 10 ? 2 : 1
    else
      do at++
      while (at < bytes.length && KINDS[bytes[at] as number] === kind)
  }
  starts[count] = bytes.length
  return starts.subarray(0, count + 1)
}

const OTHER = 0
const WORD = 1
const BLANK = 2
const KINDS = Uint8Array.from({ length: 256 }, (_, c) => {
  if (c === 9 || c === 32) return BLANK
  const letter = (c | 32) >= 97 && (c | 32) <= 122
  return letter || (c >= 48 && c <= 57) || c === 95 || c > 127 ? WORD : OTHER
})

/** Looks at one conflict of a merge token by token. */
export function refine(merge: Merge, conflict: Region): Refinement {
  return refineTexts(
    bytesOf(merge.base, conflict.base),
    bytesOf(merge.ours, conflict.ours),
    bytesOf(merge.theirs, conflict.theirs),
  )
}

/** A three-way merge by tokens: the same walk as by lines, touching edits being in conflict. */
export function refineTexts(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Refinement {
  if (Math.max(base.length, ours.length, theirs.length) > MOST_BYTES)
    return { regions: [], simple: false, combined: null, gap: 0, exact: false }
  const numbers = new Map<string, number>()
  const b = tokensOf(base, numbers)
  const o = tokensOf(ours, numbers)
  const t = tokensOf(theirs, numbers)
  const fromOurs = compareWhole(b.ids, o.ids, numbers.size, TOKEN_LIMITS)
  slide(b.ids, fromOurs.oldChanged, o.ids, fromOurs.newChanged)
  const fromTheirs = compareWhole(b.ids, t.ids, numbers.size, TOKEN_LIMITS)
  slide(b.ids, fromTheirs.oldChanged, t.ids, fromTheirs.newChanged)
  const regions = regionsOf(
    { base: b.ids, ours: o.ids, theirs: t.ids },
    editsOf(fromOurs.oldChanged, fromOurs.newChanged),
    editsOf(fromTheirs.oldChanged, fromTheirs.newChanged),
    'conflict',
  )
  const simple = regions.every((r) => r.kind !== 'conflict')
  const range = (starts: Int32Array, { start, end }: ByteRange) => ({
    start: starts[start] as number,
    end: starts[end] as number,
  })
  return {
    regions: regions.map((r) => ({
      kind: r.kind,
      base: range(b.starts, r.base),
      ours: range(o.starts, r.ours),
      theirs: range(t.starts, r.theirs),
    })),
    simple,
    combined: simple ? combine(regions, o, t, ours, theirs) : null,
    gap: simple ? smallestGap(regions) : 0,
    exact: fromOurs.exact && fromTheirs.exact,
  }
}

interface Tokens {
  readonly starts: Int32Array
  readonly ids: Int32Array
}

function tokensOf(bytes: Uint8Array, numbers: Map<string, number>): Tokens {
  const starts = tokenStarts(bytes)
  const ids = new Int32Array(starts.length - 1)
  const text = latin1(bytes)
  for (let i = 0; i < ids.length; i++) {
    const token = text.slice(starts[i], starts[i + 1])
    let id = numbers.get(token)
    if (id === undefined) {
      id = numbers.size
      numbers.set(token, id)
    }
    ids[i] = id
  }
  return { starts, ids }
}

function combine(regions: readonly Region[], o: Tokens, t: Tokens, ours: Uint8Array, theirs: Uint8Array): Uint8Array {
  return concatBytes(
    regions.map((r) =>
      r.kind === 'theirs'
        ? theirs.subarray(t.starts[r.theirs.start], t.starts[r.theirs.end])
        : ours.subarray(o.starts[r.ours.start], o.starts[r.ours.end]),
    ),
  )
}

function smallestGap(regions: readonly Region[]): number | null {
  let gap: number | null = null
  let last: Region | null = null
  for (const region of regions) {
    if (region.kind !== 'ours' && region.kind !== 'theirs') continue
    if (last !== null && last.kind !== region.kind) {
      const between = region.base.start - last.base.end
      if (gap === null || between < gap) gap = between
    }
    last = region
  }
  return gap
}
