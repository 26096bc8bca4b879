import { someOf } from '../../../../shared/errors/refusals.ts'
import { hasChoice, isChecked, type OpenItem, statesOf } from '../../../state/resolver.ts'

/** Why the shown conflict cannot be marked resolved now; null where it can. */
export function whyNotResolved(open: OpenItem): string | null {
  if (open.resolution.item.state === 'resolved') return 'It is resolved already.'
  if (open.busy) return 'It is under way.'
  const states = statesOf(open)
  const left = states.flatMap((state, i) => (state === 'open' ? [i + 1] : []))
  if (left.length > 0) {
    if (hasChoice(open) && states.length === 1) return 'Nothing is chosen yet.'
    const choice = hasChoice(open) && left.at(-1) === states.length
    const numbers = someOf(left.map(String), 6)
    const which = left.length === 1 ? `1 conflict is open: ${numbers}` : `${left.length} conflicts are open: ${numbers}`
    return choice ? `${which}; the last is the choice above the lines.` : `${which}.`
  }
  const check = isChecked(open) ? open.check?.value : null
  if (check == null) return null
  if (check.markers.length > 0) {
    const lines = someOf(
      check.markers.map((line) => String(line + 1)),
      6,
    )
    return `The result still holds conflict markers, ${check.markers.length === 1 ? 'line' : 'lines'} ${lines}.`
  }
  if (check.lost > 0) {
    const [lines, them] = check.lost === 1 ? ['1 line is', 'it'] : [`${check.lost} lines are`, 'them']
    return `${lines} not in the result: put ${them} back, or drop ${them} on purpose (d).`
  }
  return check.holds ? null : `${check.proof}.`
}

/** "2 of 5 conflicts left". */
export function leftWords(open: OpenItem): string {
  const states = statesOf(open)
  return `${states.filter((one) => one === 'open').length} of ${states.length} conflicts left`
}
