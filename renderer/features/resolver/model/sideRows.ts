import { diffLines } from '../../../../shared/merge/index.ts'
import { diffWords } from '../../../../shared/merge/words.ts'
import type { Span } from '../../../../shared/model/index.ts'

/** A line of one side as it is shown against base. */
export interface SideRow {
  readonly key: string
  readonly kind: 'same' | 'add' | 'del'
  /** Its number in the side, from 1; null for a line that the side does not have. */
  readonly line: number | null
  readonly spans: readonly Span[]
}

/** Longer texts are shown without what changed, and cut. */
const MOST_LINES = 4000
const MOST_CHARACTERS = 400_000

export interface SideRows {
  readonly rows: readonly SideRow[]
  /** "3 lines changed". */
  readonly words: string
  /** Lines that are not shown. */
  readonly cut: number
}

const plain = (text: string): Span[] => [{ op: 'equal', text: text.replace(/\n$/, '') }]
const many = (n: number, what: string) => `${n.toLocaleString('en-US')} ${n === 1 ? 'line' : 'lines'} ${what}`

/** The lines of a side, with what it changed of base. */
export function sideRows(base: string | null, side: string): SideRows {
  if (base === null || base.length + side.length > MOST_CHARACTERS) return whole(side, 'same', null)
  const { old, now, edits } = diffLines(base, side)
  const rows: SideRow[] = []
  let at = 0
  let changed = 0
  const same = (to: number) => {
    for (; at < to; at++) rows.push({ key: `n${at}`, kind: 'same', line: at + 1, spans: plain(now[at] ?? '') })
  }
  for (const { oldStart, oldEnd, newStart, newEnd } of edits) {
    same(newStart)
    changed += Math.max(oldEnd - oldStart, newEnd - newStart)
    const paired = oldEnd - oldStart === newEnd - newStart
    for (let i = oldStart; i < oldEnd; i++) {
      const words = paired ? diffWords(trimmed(old[i]), trimmed(now[newStart + i - oldStart])) : null
      rows.push({
        key: `o${i}`,
        kind: 'del',
        line: null,
        spans: words?.before ?? [{ op: 'delete', text: trimmed(old[i]) }],
      })
    }
    for (; at < newEnd; at++) {
      const words = paired ? diffWords(trimmed(old[oldStart + at - newStart]), trimmed(now[at])) : null
      rows.push({
        key: `n${at}`,
        kind: 'add',
        line: at + 1,
        spans: words?.after ?? [{ op: 'insert', text: trimmed(now[at]) }],
      })
    }
  }
  same(now.length)
  return cutTo(rows, changed === 0 ? 'as in base' : many(changed, 'changed'))
}

/** The lines of base where a side has deleted it. */
export const deletedRows = (base: string): SideRows => whole(base, 'del', 'deleted')

function whole(text: string, kind: SideRow['kind'], what: string | null): SideRows {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const rows = lines.map((line, i): SideRow => ({ key: `n${i}`, kind, line: i + 1, spans: plain(line) }))
  return cutTo(rows, many(lines.length, what ?? ''))
}

const cutTo = (rows: readonly SideRow[], words: string): SideRows => ({
  rows: rows.slice(0, MOST_LINES),
  words: words.trim(),
  cut: Math.max(0, rows.length - MOST_LINES),
})

const trimmed = (line: string | undefined): string => (line ?? '').replace(/\n$/, '')
