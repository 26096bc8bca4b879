import type { FileReview, FileSide } from '../../shared/model/index.ts'

/** Unchanged lines shown around a hunk. */
const CONTEXT = 3

interface Hunk {
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
}

/** Lines of a side, each with its line ending; the last may have none. */
const linesOf = (side: FileSide | null): string[] => side?.text?.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** One file's change as a unified diff, from the hunks of its raw text; what has no text is said in words. */
export function fileDiff(review: FileReview): string {
  const { file } = review
  const head = [`--- ${file.oldOid === null ? '/dev/null' : `a/${file.fromPath ?? file.path}`}`]
  head.push(`+++ ${file.newOid === null ? '/dev/null' : `b/${file.path}`}`)
  const hasText = (review.old?.text ?? review.new?.text ?? null) !== null
  const body: string[] = []
  if (hasText) {
    const [before, after] = [linesOf(review.old), linesOf(review.new)]
    const hunks: Hunk[] = review.raw.flatMap((change) => (change.part === 'lines' ? [{ ...change }] : []))
    const whole = review.raw.some((change) => change.part === 'whole') && (review.old === null || review.new === null)
    if (whole && hunks.length === 0)
      hunks.push({ oldStart: 1, oldLines: before.length, newStart: 1, newLines: after.length })
    for (const group of joined(hunks)) body.push(...hunkLines(group, before, after))
  }
  const words = review.raw.flatMap((change) => (change.part === 'whole' && body.length === 0 ? [change.text] : []))
  return [...head, ...words, ...review.notes.map((note) => `(${note})`), ...body].join('\n')
}

/** A hunk of no lines stands after its line in git's notation, before the next one in ours: 0-based index of its first line. */
const first = (start: number, lines: number) => (lines === 0 ? start : start - 1)

/** Hunks whose contexts would touch, as one group. */
function joined(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1)
    const near =
      last && first(hunk.oldStart, hunk.oldLines) - (first(last.oldStart, last.oldLines) + last.oldLines) <= 2 * CONTEXT
    if (near) groups.at(-1)?.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function hunkLines(group: readonly Hunk[], before: readonly string[], after: readonly string[]): string[] {
  const [start, end] = [group[0], group.at(-1)]
  if (!start || !end) return []
  const from = Math.max(0, first(start.oldStart, start.oldLines) - CONTEXT)
  const to = Math.min(before.length, first(end.oldStart, end.oldLines) + end.oldLines + CONTEXT)
  const shift = first(start.newStart, start.newLines) - first(start.oldStart, start.oldLines)
  const out: string[] = []
  const put = (sign: string, line: string | undefined) => {
    if (line === undefined) return
    out.push(`${sign}${line.replace(/\n$/, '')}`)
    if (!line.endsWith('\n')) out.push('\\ No newline at end of file')
  }
  let at = from
  let [removed, added] = [0, 0]
  for (const hunk of group) {
    const oldFirst = first(hunk.oldStart, hunk.oldLines)
    for (; at < oldFirst; at++) put(' ', before[at])
    for (; at < oldFirst + hunk.oldLines; at++) put('-', before[at])
    const newFirst = first(hunk.newStart, hunk.newLines)
    for (let i = newFirst; i < newFirst + hunk.newLines; i++) put('+', after[i])
    removed += hunk.oldLines
    added += hunk.newLines
  }
  for (; at < to; at++) put(' ', before[at])
  const oldCount = to - from
  const newCount = oldCount - removed + added
  const place = (index: number, lines: number) => `${lines === 0 ? index : index + 1},${lines}`
  return [`@@ -${place(from, oldCount)} +${place(from + shift, newCount)} @@`, ...out]
}
