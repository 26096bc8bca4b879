import { createHash, hash } from 'node:crypto'
import { compareIds } from '../../../shared/merge/compare.ts'
import { runWhole } from '../../../shared/merge/drive.ts'
import { editsOf } from '../../../shared/merge/edit.ts'
import { intern, type LineDiff } from '../../../shared/merge/lines.ts'
import { diffWords, tokens } from '../../../shared/merge/words.ts'
import type { Change } from '../../../shared/model/review.ts'
import { compareSides, type Side } from '../memory/compare.ts'
import type { Block } from '../memory/document.ts'

/** A part of a file before the reviewer's marks are laid over it. */
export type Part = Change

/** Gives every part its key: what it does to which path, and which of several equal ones it is. */
class Keys {
  private readonly seen = new Map<string, number>()
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  of(...content: readonly unknown[]): string {
    const text = JSON.stringify([this.path, ...content])
    const nth = this.seen.get(text) ?? 0
    this.seen.set(text, nth + 1)
    return hash('sha256', `${text}${nth}`, 'hex').slice(0, 32)
  }
}

/** The parts of a memory in reading order: claim, blocks of the article, fields. A missing side is null. */
export function memoryParts(path: string, before: Side | null, after: Side | null): Part[] {
  const keys = new Keys(path)
  const parts: Part[] = []
  const claims = { before: before?.article?.claim ?? '', after: after?.article?.claim ?? '' }
  if (claims.before !== claims.after) {
    const words = diffWords(claims.before, claims.after)
    parts.push({
      part: 'claim',
      key: keys.of('claim', claims.before, claims.after),
      viewed: false,
      before: [...words.before],
      after: [...words.after],
    })
  }
  for (const [old, now] of blockPairs(before?.article?.blocks ?? [], after?.article?.blocks ?? [])) {
    const words = diffWords(old?.text ?? '', now?.text ?? '')
    const block = (now ?? old)?.name ?? 'p'
    parts.push({
      part: 'body',
      key: keys.of('body', block, old?.text ?? null, now?.text ?? null),
      viewed: false,
      block,
      before: [...words.before],
      after: [...words.after],
    })
  }
  const nothing: Side = { title: null, fields: new Map(), article: null }
  const found = compareSides(before ?? nothing, after ?? nothing).fields
  // A version that is not there says nothing, not even by what a missing field would mean.
  const fields = found
    .map(({ name, before: old, after: now }) => ({
      name,
      before: before ? [...old] : [],
      after: after ? [...now] : [],
    }))
    .filter((field) => field.before.length > 0 || field.after.length > 0)
  if (fields.length > 0) parts.push({ part: 'fields', key: keys.of('fields', fields), viewed: false, fields })
  return parts
}

/** Blocks that differ, paired where one became the other; the rest was put in or taken out. In reading order. */
export function blockPairs(old: readonly Block[], now: readonly Block[]): (readonly [Block | null, Block | null])[] {
  const text = (block: Block) => `${block.name}\0${block.text}`
  const { a, b } = runWhole(intern(old.map(text), now.map(text)))
  const { oldChanged, newChanged } = runWhole(compareIds(a, b))
  const pairs: (readonly [Block | null, Block | null])[] = []
  for (const edit of editsOf(oldChanged, newChanged)) {
    const gone = old.slice(edit.oldStart, edit.oldEnd)
    const come = now.slice(edit.newStart, edit.newEnd)
    pairs.push(...pairUp(gone, come))
  }
  return pairs
}

/** Least share of common words that two blocks must have to be one block that was edited. */
const ALIKE = 0.3

function pairUp(gone: readonly Block[], come: readonly Block[]): (readonly [Block | null, Block | null])[] {
  const [only, other] = [gone[0], come[0]]
  if (gone.length === 1 && come.length === 1 && only && other) return [[only, other]]
  // In order on both sides: each new block takes the first old one from here on that is like it.
  const pairs: (readonly [Block | null, Block | null])[] = []
  let at = 0
  for (const block of come) {
    let match = -1
    for (let i = at; i < Math.min(gone.length, at + 20) && match === -1; i++)
      if (alike(gone[i] as Block, block) >= ALIKE) match = i
    if (match === -1) pairs.push([null, block])
    else {
      for (; at < match; at++) pairs.push([gone[at] as Block, null])
      pairs.push([gone[match] as Block, block])
      at = match + 1
    }
  }
  for (; at < gone.length; at++) pairs.push([gone[at] as Block, null])
  return pairs
}

/** Share of words that two blocks have in common, 0 to 1. */
function alike(a: Block, b: Block): number {
  const words = (block: Block) =>
    new Set(tokens(block.text.slice(0, 4000)).filter((token) => /[\p{L}\p{N}]/u.test(token)))
  const left = words(a)
  const right = words(b)
  if (left.size === 0 || right.size === 0) return a.name === b.name ? ALIKE : 0
  let common = 0
  for (const word of left) if (right.has(word)) common++
  return common / Math.max(left.size, right.size)
}

/** The hunks of a line diff, 1-based as in a unified diff: an empty side names the line before it. */
export function lineParts(path: string, diff: LineDiff): Part[] {
  const keys = new Keys(path)
  return diff.edits.map((edit) => {
    const oldLines = edit.oldEnd - edit.oldStart
    const newLines = edit.newEnd - edit.newStart
    const gone = digest(diff.old, edit.oldStart, edit.oldEnd)
    const come = digest(diff.now, edit.newStart, edit.newEnd)
    return {
      part: 'lines',
      key: keys.of('lines', gone, come),
      viewed: false,
      oldStart: edit.oldStart + (oldLines > 0 ? 1 : 0),
      oldLines,
      newStart: edit.newStart + (newLines > 0 ? 1 : 0),
      newLines,
    }
  })
}

/** Identity of a run of lines. */
function digest(lines: readonly string[], from: number, to: number): string {
  const sum = createHash('sha256')
  for (let at = from; at < to; at++) sum.update(lines[at] as string, 'utf16le')
  return sum.digest('base64')
}

/** The one part of a file that has none. */
export function wholePart(path: string, contentKey: string, text: string): Part {
  return { part: 'whole', key: new Keys(path).of('whole', contentKey), viewed: false, text }
}
