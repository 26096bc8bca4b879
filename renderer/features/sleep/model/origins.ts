import { count } from '../../../../shared/errors/refusals.ts'
import type { MergedFile } from '../../../../shared/model/index.ts'

type Merged = Extract<MergedFile, { state: 'merged' }>

/** Places named one by one before the rest is counted. */
const NAMED = 3

const list = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** Which lines of a merged file one of the two brought: `lines 8 and 13 to 15 from …`; null where it brought none. */
export function originText(merged: Merged, who: 'trunk' | 'branch', name: string): string | null {
  const own = merged.from.filter((one) => one.who === who)
  const added = own.filter((one) => one.lines > 0)
  const removed = own.reduce((sum, one) => sum + one.removed, 0)
  const places = added.map(({ start, lines }) => (lines === 1 ? `${start}` : `${start} to ${start + lines - 1}`))
  const shown = places.length > NAMED + 1 ? [...places.slice(0, NAMED), `${places.length - NAMED} more places`] : places
  const one = added.length === 1 && added[0]?.lines === 1
  const parts = [
    ...(added.length > 0 ? [`${one ? 'line' : 'lines'} ${list(shown)} from ${name}`] : []),
    ...(removed > 0 ? [`${count(removed, 'line')} removed by ${name}`] : []),
  ]
  return parts.length === 0 ? null : parts.join(', ')
}

const reasons: Readonly<Record<Extract<MergedFile, { state: 'none' }>['why'], (trunk: string) => string>> = {
  'not-on-trunk': (trunk) => `${trunk} did not change this file since the run.`,
  'one-sided': (trunk) => `${trunk} or the branch has no such file, so that there are no two texts to put together.`,
  'no-text': () => 'It is not text on both sides, so that there is nothing to put together line by line.',
  'too-large': () => 'It is over 2 MB. Bring main in merges it; here it is shown as it is.',
}

/** Why there is no merged text to show. */
export function unmergedText(merged: Exclude<MergedFile, Merged>, trunk: string): string {
  if (merged.state === 'none') return reasons[merged.why](trunk)
  return `${trunk} and the branch changed the same lines in ${count(merged.conflicts, 'place')}: Resolve conflicts decides them.`
}
