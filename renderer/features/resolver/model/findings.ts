import { count } from '../../../../shared/errors/refusals.ts'
import type { AuditRow, Draft, Who } from '../../../../shared/model/index.ts'

/** The audit as it is shown: lost lines to be looked at first; those in open conflicts are only counted. */
export interface Findings {
  /** Not in the result, and nobody gave them up. */
  readonly lost: readonly AuditRow[]
  readonly dropped: readonly AuditRow[]
  /** Given up by the decision of their conflict. */
  readonly decided: readonly AuditRow[]
  /** In the result twice, or elsewhere than it was: nothing is lost by it. */
  readonly other: readonly AuditRow[]
  /** Lines of open conflicts, which show base until they are decided. */
  readonly open: number
  /** How many blank lines are gone: nothing is lost by them. */
  readonly blank: number
}

export function findingsOf(audit: readonly AuditRow[], draft: Draft): Findings {
  const isOpen = (row: AuditRow) => row.conflict !== null && draft.lines[row.conflict] === null
  const gone = audit.filter((row) => row.what === 'lost' || row.what === 'missing')
  // Lines that both sides edited in other words stand in the result as one line with the words of both.
  const isCombined = (row: AuditRow) => row.conflict !== null && draft.lines[row.conflict]?.take === 'combined'
  const settled = gone.filter((row) => !isOpen(row) && !isCombined(row))
  return {
    lost: gone.filter((row) => row.needs),
    dropped: gone.filter((row) => row.dropped),
    decided: settled.filter((row) => !row.dropped && !row.needs && !isBlank(row)),
    other: audit.filter(
      (row) => (row.what === 'duplicated' || row.what === 'moved') && !isOpen(row) && !isCombined(row),
    ),
    open: gone.filter((row) => isOpen(row) && !row.dropped && !row.needs && !isBlank(row)).length,
    blank: settled.filter((row) => !row.dropped && isBlank(row)).length,
  }
}

const isBlank = (row: AuditRow) => row.text.trim() === ''

interface Names {
  readonly ours: Who
  readonly theirs: Who
}

export function sideName(side: AuditRow['side'], { ours, theirs }: Names): string {
  return { ours: ours.name, theirs: theirs.name, both: 'both sides', base: 'base', result: 'the result' }[side]
}

/** "1 line of researcher is not in the result". */
export function lostWords({ lost, decided, open, blank }: Findings, names: Names): string {
  const by = new Map<AuditRow['side'], number>()
  for (const row of lost) by.set(row.side, (by.get(row.side) ?? 0) + 1)
  const parts = [...by].map(([side, n]) => `${count(n, 'line')} of ${sideName(side, names)}`)
  const [first] = parts
  const whole =
    first === undefined
      ? 'no line is lost'
      : `${parts.join(' and ')} ${lost.length === 1 ? 'is' : 'are'} not in the result`
  const more = [
    ...(open > 0 ? [`${open} more in open conflicts`] : []),
    ...(decided.length > 0 ? [`${count(decided.length, 'line')} given up by decisions`] : []),
    ...(blank > 0 ? [`${count(blank, 'blank line')} gone`] : []),
  ]
  return [whole, ...more].join('; ')
}

/** Where a row stands, in words. Lines are counted from 1. */
export function placeWords(row: AuditRow): string {
  const where = `l. ${row.line + 1}`
  return row.conflict === null ? where : `${where}, conflict ${row.conflict + 1}`
}

/** What a row says, whole, for those who do not see it. */
export function rowName(row: Pick<AuditRow, 'side' | 'line' | 'text'>, names: Names): string {
  const text = row.text.trim() === '' ? 'an empty line' : row.text.trim()
  return `Show line ${row.line + 1} of ${sideName(row.side, names)}: ${text}`
}
