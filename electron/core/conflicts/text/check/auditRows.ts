import { auditLoss } from '../../../../../shared/merge/index.ts'
import type { AuditRow, Draft } from '../../../../../shared/model/index.ts'
import { shown } from '../show.ts'
import type { TextMerge } from '../textMerge.ts'
import { GivenUp } from './givenUp.ts'
import type { Places } from './places.ts'

/** More rows than this are not told one by one. */
const MOST_ROWS = 2000

export interface Audit {
  readonly rows: readonly AuditRow[]
  /** Lines that were lost without anyone's decision. */
  readonly lost: number
}

/**
 * What a result lacks of its sides, and what of that was dropped on purpose: each dropped line stands for one. Of equal
 * lines those in conflicts are taken for the ones that decisions gave up. Blank lines may go.
 */
export function auditRows(text: TextMerge, draft: Draft, bytes: Uint8Array, places: Places): Audit {
  const { prepared } = text
  const audit = auditLoss(prepared.input, bytes)
  const given = new Map<string, number>()
  for (const { side, text: line } of draft.dropped) {
    const key = `${side} ${line}`
    given.set(key, (given.get(key) ?? 0) + 1)
  }
  const isDropped = (side: string, line: string): boolean => {
    const key = `${side} ${line}`
    const left = given.get(key) ?? 0
    if (left > 0) given.set(key, left - 1)
    return left > 0
  }
  const rows: AuditRow[] = []
  for (const { side, line, bytes: own, trivial } of audit.lost) {
    const content = shown(prepared, own)
    const of = side === 'theirs' ? 'theirs' : 'ours'
    rows.push({
      what: 'lost',
      side,
      line,
      resultLine: places.lineOf(of, line),
      conflict: places.conflictOf(of, line),
      text: content,
      trivial,
      dropped: isDropped(side, content),
      needs: false,
    })
  }
  for (const { line, bytes: own, trivial } of audit.missing) {
    const content = shown(prepared, own)
    rows.push({
      what: 'missing',
      side: 'base',
      line,
      resultLine: places.lineOf('base', line),
      conflict: places.conflictOf('base', line),
      text: content,
      trivial,
      dropped: isDropped('base', content),
      needs: false,
    })
  }
  const givenUp = new GivenUp(text, draft)
  const outside = (row: AuditRow) => (row.conflict === null ? 1 : 0)
  const gone = [...rows]
    .sort((a, b) => outside(a) - outside(b))
    .filter((row) => !row.dropped && row.text.trim() !== '' && !givenUp.explains(row.side, row.text))
  const needs = new Set(gone)
  const told = [
    ...rows.filter((row) => needs.has(row)).map((row) => ({ ...row, needs: true })),
    ...rows.filter((row) => !needs.has(row)),
  ]
  rows.splice(0, rows.length, ...told)
  for (const { line, bytes: own, trivial } of audit.duplicated)
    rows.push({
      what: 'duplicated',
      side: 'result',
      line,
      resultLine: line,
      conflict: places.conflictAt(line),
      text: shown(prepared, own),
      trivial,
      dropped: false,
      needs: false,
    })
  for (const { side, line, to, bytes: own, trivial } of audit.moved)
    rows.push({
      what: 'moved',
      side,
      line,
      resultLine: to,
      conflict: places.conflictOf(side, line),
      text: shown(prepared, own),
      trivial,
      dropped: false,
      needs: false,
    })
  return { rows: rows.slice(0, MOST_ROWS), lost: needs.size }
}
