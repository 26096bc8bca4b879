import { count } from '../../../../shared/errors/refusals.ts'
import type { AuditRow, Draft, Who } from '../../../../shared/model/index.ts'

/** The audit as it is shown: lost lines to be looked at first; those in open conflicts are only counted. */
export interface Findings {
  /** Not in the result, and not dropped on purpose. */
  readonly lost: readonly AuditRow[]
  readonly dropped: readonly AuditRow[]
  /** In the result twice, or elsewhere than it was: nothing is lost by it. */
  readonly other: readonly AuditRow[]
  /** Lines of open conflicts, which show base until they are decided. */
  readonly open: number
  /** Lost lines that are blank or only closing marks. */
  readonly trivial: readonly AuditRow[]
}

export function findingsOf(audit: readonly AuditRow[], draft: Draft): Findings {
  const isOpen = (row: AuditRow) => row.conflict !== null && draft.lines[row.conflict] === null
  const gone = audit.filter((row) => row.what === 'lost' || row.what === 'missing')
  // Lines that both sides edited in other words stand in the result as one line with the words of both.
  const isCombined = (row: AuditRow) => row.conflict !== null && draft.lines[row.conflict]?.take === 'combined'
  const settled = gone.filter((row) => !isOpen(row) && !isCombined(row))
  return {
    lost: settled.filter((row) => !row.dropped && !row.trivial),
    dropped: settled.filter((row) => row.dropped),
    other: audit.filter(
      (row) => (row.what === 'duplicated' || row.what === 'moved') && !isOpen(row) && !isCombined(row),
    ),
    open: gone.filter((row) => isOpen(row) && !row.dropped && !row.trivial).length,
    trivial: settled.filter((row) => !row.dropped && row.trivial),
  }
}

interface Names {
  readonly ours: Who
  readonly theirs: Who
}

export function sideName(side: AuditRow['side'], { ours, theirs }: Names): string {
  return { ours: ours.name, theirs: theirs.name, both: 'both sides', base: 'base', result: 'the result' }[side]
}

/** "1 line of researcher is not in the result". */
export function lostWords({ lost, open, trivial }: Findings, names: Names): string {
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
    ...(trivial.length > 0 ? [`${count(trivial.length, 'blank or closing line')} left out`] : []),
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
