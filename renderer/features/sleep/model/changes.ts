import type { Change, FileChange, FileReview, RunCommit } from '../../../../shared/model/review.ts'
import type { FileView } from '../../../state/session.ts'

/** Whether a file can be shown as the text of a memory. */
export const hasText = (file: FileReview): boolean => file.memory.length > 0

/** How a file is shown, given what the person prefers for memories and for the rest. */
export function viewFor(file: FileReview, memoryView: FileView, rawView: Exclude<FileView, 'text'>): FileView {
  if (hasText(file)) return memoryView
  return rawView
}

/** The changes that a view walks and ticks. */
export const changesIn = (file: FileReview, view: FileView): readonly Change[] =>
  view === 'text' ? file.memory : file.raw

const parts: Readonly<Record<Change['part'], string>> = {
  claim: 'Claim',
  body: 'Body',
  fields: 'Fields',
  lines: 'Lines',
  whole: 'Whole file',
}

const blocks: Readonly<Record<string, string>> = {
  p: 'Paragraph',
  li: 'List item',
  pre: 'Code',
  blockquote: 'Quote',
  details: 'Details',
  summary: 'Summary',
  table: 'Table',
  tr: 'Table row',
  td: 'Table cell',
  th: 'Table head',
  dt: 'Term',
  dd: 'Definition',
  figcaption: 'Caption',
}

/** What a change is about, in one or two words. */
export function changeName(change: Change): string {
  if (change.part !== 'body') return parts[change.part]
  if (/^h[1-6]$/.test(change.block)) return 'Heading'
  return blocks[change.block] ?? parts.body
}

const range = (start: number, lines: number): string =>
  lines === 0 ? `after line ${start}` : lines === 1 ? `line ${start}` : `lines ${start} to ${start + lines - 1}`

/** Where a hunk is on both sides, in words. */
export function linesText(c: Extract<Change, { part: 'lines' }>): string {
  if (c.oldLines === 0) return `${range(c.newStart, c.newLines)} added`
  if (c.newLines === 0) return `${range(c.oldStart, c.oldLines)} removed`
  return c.oldStart === c.newStart && c.oldLines === c.newLines
    ? `${range(c.oldStart, c.oldLines)}`
    : `${range(c.oldStart, c.oldLines)} became ${range(c.newStart, c.newLines)}`
}

/** One value of a field that changed: kept, removed or added. */
export interface FieldValue {
  readonly text: string
  readonly op: 'kept' | 'removed' | 'added'
}

/** The values of a field before and after; what is on both sides is marked as kept. */
export function fieldValues(
  before: readonly string[],
  after: readonly string[],
): { before: FieldValue[]; after: FieldValue[] } {
  const kept = new Set(before.filter((v) => after.includes(v)))
  return {
    before: before.map((text) => ({ text, op: kept.has(text) ? 'kept' : 'removed' })),
    after: after.map((text) => ({ text, op: kept.has(text) ? 'kept' : 'added' })),
  }
}

/** Where a file came from, in words; null where it stayed. */
export function fromText(file: FileChange): string | null {
  if (file.fromPath === null) return null
  return file.kind === 'archived' ? `archived from ${file.fromPath}` : `moved from ${file.fromPath}`
}

/** A commit's subject without the store's `memhtml(write): ` in front, which every one of them has. */
export const subjectWords = (subject: string): string => subject.replace(/^memhtml\([^:]*\):\s+(?=\S)/, '')

/** What a commit's counts trailer says: `merged 2, vetoed 1`; empty where it has none. */
export const countsText = (counts: RunCommit['counts']): string =>
  Object.entries(counts ?? {})
    .map(([name, n]) => `${name} ${n}`)
    .join(', ')
