import { decodeText } from '../bytes/text.ts'
import type { Merge } from './merge.ts'
import type { LineRange, Region } from './regions.ts'
import { bytesOf, type Side } from './side.ts'
import { refine } from './tokens.ts'

/** Bytes as an agent can read them: text where they are UTF-8, else base64. */
export type HunkText = { readonly text: string } | { readonly base64: string }

/** One side of a hunk. Lines are counted from 1; `lines` 0 means nothing, standing before `firstLine`. */
export type HunkSide = { readonly firstLine: number; readonly lines: number } & HunkText

/** A place where at least one side differs from base, as structured data. */
export interface Hunk {
  /** Counts all hunks of the merge from 0. */
  readonly index: number
  readonly kind: 'ours' | 'theirs' | 'same' | 'conflict'
  readonly base: HunkSide
  readonly ours: HunkSide
  readonly theirs: HunkSide
  /** Up to `context` lines of ours before and after. */
  readonly before: HunkText
  readonly after: HunkText
  /** Only of conflicts: whether the two sides' edits can both be had word by word, and what that gives. */
  readonly simple?: boolean
  readonly combined?: HunkText
}

export interface HunkOptions {
  /** Lines of context, default 3. */
  readonly context?: number
  /** Only conflicts; default false. */
  readonly conflictsOnly?: boolean
}

/** The hunks of a merge, in order. */
export function hunksOf(merge: Merge, options: HunkOptions = {}): Hunk[] {
  const context = options.context ?? 3
  const out: Hunk[] = []
  let index = 0
  for (const region of merge.regions) {
    if (region.kind === 'unchanged') continue
    const hunk = hunkOf(merge, region, region.kind, index++, context)
    if (!options.conflictsOnly || hunk.kind === 'conflict') out.push(hunk)
  }
  return out
}

function hunkOf(merge: Merge, region: Region, kind: Hunk['kind'], index: number, context: number): Hunk {
  const { base, ours, theirs } = region
  const hunk = {
    index,
    kind,
    base: sideOf(merge.base, base),
    ours: sideOf(merge.ours, ours),
    theirs: sideOf(merge.theirs, theirs),
    before: readable(bytesOf(merge.ours, { start: Math.max(0, ours.start - context), end: ours.start })),
    after: readable(bytesOf(merge.ours, { start: ours.end, end: Math.min(merge.ours.lines, ours.end + context) })),
  }
  if (kind !== 'conflict') return hunk
  const { simple, combined } = refine(merge, region)
  return { ...hunk, simple, ...(combined === null ? {} : { combined: readable(combined) }) }
}

function sideOf(side: Side, range: LineRange): HunkSide {
  return { firstLine: range.start + 1, lines: range.end - range.start, ...readable(bytesOf(side, range)) }
}

export function readable(bytes: Uint8Array): HunkText {
  const text = decodeText(bytes)
  return text === null ? { base64: base64(bytes) } : { text }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let i = 0; i < bytes.length; i += 3) {
    const n = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    const four = [18, 12, 6, 0].map((shift) => ALPHABET[(n >> shift) & 63]).join('')
    const left = bytes.length - i
    parts.push(left === 1 ? `${four.slice(0, 2)}==` : left === 2 ? `${four.slice(0, 3)}=` : four)
  }
  return parts.join('')
}
