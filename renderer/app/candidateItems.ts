import { count } from '../../shared/errors/refusals.ts'
import type { CandidateRow, LossReport } from '../../shared/model/index.ts'
import { candidateRoute } from '../state/candidates.ts'
import type { CandidatesMirror } from '../state/mirror.ts'
import type { Route } from '../state/route.ts'
import type { IconName } from '../ui/Icon.tsx'
import { showPath } from '../ui/path.ts'
import { when } from '../ui/time.ts'

/** A row of the group `Merge candidates`. */
export interface CandidateItem {
  readonly id: string
  readonly route: Route
  readonly label: string
  /** Conflicts, in short. */
  readonly number: string
  /** Path, who against whom, hunks and conflicts, state, age. */
  readonly name: string
  readonly icon: IconName
  readonly tone: 'ok' | 'wait' | 'dimmer'
}

/** Whose it is, in words. */
export function candidateState(row: CandidateRow, now: Date): string {
  if (row.state === 'agent') return `with ${row.actor} until ${when(row.personAt, now)}`
  if (row.state !== 'person') return row.state
  return row.escalated === null ? `${row.actor} let its time pass` : 'escalated'
}

/** Answers that lost lines: where they are looked at. */
export function lossItems(repoId: string, reports: readonly LossReport[]): CandidateItem[] {
  return reports.map(({ candidate, path, by, lines, at }) => ({
    id: candidate,
    route: { page: 'home', repoId },
    label: showPath(path),
    number: `${lines.length} lost`,
    name: `${showPath(path)}, ${count(lines.length, 'line')} lost in what ${by} published, ${when(at)}`,
    icon: 'overlap',
    tone: 'wait',
  }))
}

/** How many of them wait for the person: those that are theirs, and those that lost lines. */
export const candidatesWaiting = (mirror: CandidatesMirror | undefined): number =>
  (mirror?.list ?? []).filter((row) => row.state === 'person').length + (mirror?.losses.length ?? 0)

/** The open candidates: the person's first, in each the newest first. */
export function candidateItems(repoId: string, rows: readonly CandidateRow[], now: Date): CandidateItem[] {
  const sorted = [...rows].sort((a, b) => Number(b.state === 'person') - Number(a.state === 'person'))
  return sorted.map((row) => {
    const many = `${count(row.hunks, 'hunk')}, ${count(row.conflicts, 'conflict')}`
    const stale = row.stale ? ', the document has moved on' : ''
    const mine = row.state === 'person'
    return {
      id: row.id,
      route: candidateRoute(repoId, row),
      label: showPath(row.path),
      number: row.conflicts === 0 ? '' : String(row.conflicts),
      name: `${showPath(row.path)}, ${row.ours.name} against ${row.theirs.name}, ${many}, ${candidateState(row, now)}${stale}, ${when(row.createdAt, now)}`,
      icon: mine ? 'overlap' : 'open',
      tone: mine ? 'wait' : 'dimmer',
    }
  })
}
