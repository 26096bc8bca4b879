import type { Inbox } from '../../../shared/model/index.ts'
import { dayName } from '../../ui/time.ts'

export interface Bar {
  readonly day: string
  readonly label: string
  readonly cameIn: number
  readonly approved: number
}

export interface WeekChart {
  readonly bars: readonly Bar[]
  /** Lines of the scale from 0 to the top, evenly apart. */
  readonly ticks: readonly number[]
  readonly cameIn: number
  readonly approved: number
}

/** The smallest step of 1, 2 or 5 times a power of ten with which at most `lines` lines reach `most`. */
function stepFor(most: number, lines: number): number {
  for (let power = 1; ; power *= 10) for (const base of [1, 2, 5]) if (base * power * lines >= most) return base * power
}

/** The last week as bars and a scale that holds the highest. */
export function weekChart(week: Inbox['week']): WeekChart {
  const most = Math.max(1, ...week.flatMap((d) => [d.cameIn, d.approved]))
  const step = stepFor(most, 4)
  const top = Math.ceil(most / step)
  return {
    bars: week.map((d) => ({ day: d.date, label: dayName(d.date), cameIn: d.cameIn, approved: d.approved })),
    ticks: Array.from({ length: top + 1 }, (_, i) => i * step),
    cameIn: week.reduce((sum, d) => sum + d.cameIn, 0),
    approved: week.reduce((sum, d) => sum + d.approved, 0),
  }
}
