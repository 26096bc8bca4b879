import {
  auditLoss,
  decidedBytes,
  diffLines,
  markedText,
  type Region,
  splitLines,
  tokens,
} from '../../../../../shared/merge/index.ts'
import type { AuditRow } from '../../../../../shared/model/index.ts'
import { withLf } from '../prepare.ts'
import { shown } from '../show.ts'
import type { TextMerge } from '../textMerge.ts'

/** What is found of an answer to a candidate. Lines are 0-based. */
export interface AnswerCheck {
  /** Lines of the answer that are markers of this candidate. */
  readonly markers: readonly number[]
  /** Lines that a side added and of which nothing is in the answer. */
  readonly loss: readonly AuditRow[]
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Compares an answer with the sides of its candidate. */
export function checkAnswer(text: TextMerge, answer: Uint8Array): AnswerCheck {
  const plain = Buffer.from(answer).subarray(0, 3).equals(UTF8_MARK) ? answer.subarray(3) : answer
  const body = text.prepared.result.ending === null ? plain : withLf(plain)
  return { markers: markersLeft(text, body), loss: lossOf(text, body) }
}

/** Beginning and end of a conflict as the candidate writes them, and the line between. */
const BEGIN = '<<<<<<< ours'
const BETWEEN = '======='
const END = '>>>>>>> theirs'

const linesOf = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''))

/**
 * Lines that begin or end a conflict count as left over beyond how often a side itself has them; the line between, which
 * also underlines headings, only where both its neighbours are those that it has in the candidate.
 */
function markersLeft({ merge, prepared }: TextMerge, body: Uint8Array): number[] {
  const offered = markedText(merge)
  if (offered.conflicts === 0) return []
  const sides = [prepared.input.base, prepared.input.ours, prepared.input.theirs].map(linesOf)
  const lines = linesOf(body)
  const left: number[] = []
  for (const marker of [BEGIN, END]) {
    const known = Math.max(...sides.map((side) => side.filter((line) => line === marker).length))
    const found = lines.flatMap((line, at) => (line === marker ? [at] : []))
    if (found.length > known) left.push(...found)
  }
  const around = (all: readonly string[], at: number) => `${all[at - 1] ?? ''}\n${all[at + 1] ?? ''}`
  const betweens = (all: readonly string[]) => all.flatMap((line, at) => (line === BETWEEN ? [around(all, at)] : []))
  const known = new Set(sides.flatMap(betweens))
  const made = new Set(betweens(linesOf(offered.bytes)).filter((one) => !known.has(one)))
  for (const [at, line] of lines.entries())
    if (line === BETWEEN && (made.has(around(lines, at)) || (left.length > 0 && within(left, lines, at)))) left.push(at)
  return [...new Set(left)].sort((a, b) => a - b)
}

/** Whether a line lies between a beginning and an end that were left. */
function within(left: readonly number[], lines: readonly string[], at: number): boolean {
  const before = left.filter((one) => one < at && lines[one] === BEGIN).at(-1)
  const after = left.find((one) => one > at && lines[one] === END)
  return before !== undefined && after !== undefined
}

/**
 * Lines that a side added, that the answer lacks, of which no added word survives, and whose hunk was not decided by
 * rewriting. A word survives where the answer has it and neither base nor the other side accounts for that.
 */
function lossOf(text: TextMerge, body: Uint8Array): AuditRow[] {
  const { merge, prepared } = text
  const show = (bytes: Uint8Array) => shown(prepared, bytes)
  const { base, ours, theirs } = prepared.input
  const now = wordsOf(show(body))
  const known = { ours: wordsOf(show(base), show(theirs)), theirs: wordsOf(show(base), show(ours)) }
  const rewritten = rewrittenRegions(text, body)
  const rows: AuditRow[] = []
  for (const { side, line, bytes, trivial } of auditLoss(prepared.input, body).lost) {
    if (trivial) continue
    const content = show(bytes)
    const of = side === 'theirs' ? 'theirs' : 'ours'
    if ([...wordsOf(content)].some((word) => now.has(word) && !known[of].has(word))) continue
    const region = merge.regions.find((one) => line >= one[of].start && line < one[of].end)
    if (region !== undefined && rewritten.has(region)) continue
    const conflict = region === undefined ? -1 : merge.conflicts.indexOf(region)
    rows.push({
      what: 'lost',
      side,
      line,
      resultLine: null,
      conflict: conflict === -1 ? null : conflict,
      text: content,
      trivial,
      dropped: false,
      needs: false,
    })
  }
  return rows
}

/** Regions in whose place the answer has a line with words that no side has. */
function rewrittenRegions({ merge, prepared }: TextMerge, body: Uint8Array): Set<Region> {
  const taken = decidedBytes(
    merge,
    merge.conflicts.map(() => ({ take: 'theirs' as const })),
  )
  const { edits, now } = diffLines(Buffer.from(taken.bytes).toString('latin1'), Buffer.from(body).toString('latin1'))
  const { base, ours, theirs } = prepared.input
  const known = new Set(
    [base, ours, theirs].flatMap((side) => splitLines(Buffer.from(side).toString('latin1')).map(bare)),
  )
  const own = edits.filter((edit) =>
    now.slice(edit.newStart, edit.newEnd).some((line) => /\S/.test(line) && !known.has(bare(line))),
  )
  const found = new Set<Region>()
  let line = 0
  for (const { region, start, end } of taken.placed) {
    const from = line
    line += splitLines(Buffer.from(taken.bytes.subarray(start, end)).toString('latin1')).length
    if (region.kind !== 'unchanged' && own.some((edit) => edit.oldStart <= line && edit.oldEnd >= from))
      found.add(region)
  }
  return found
}

const bare = (line: string): string => line.replace(/\r?\n$/, '')

const wordsOf = (...texts: readonly string[]): Set<string> =>
  new Set(texts.flatMap((text) => tokens(text).filter((token) => /[\p{L}\p{N}]/u.test(token))))
