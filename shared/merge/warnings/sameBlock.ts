import type { Change, Changes } from './changes.ts'
import type { Warning, WarningKind } from './warning.ts'
import { headingOf, isItem, isTableRow, withoutMark } from './words.ts'

/** Lines of base between the two edits, at most. */
const NEAR = 1
/** Lines that a section may have, to count as one thought. */
const SHORT_SECTION = 12

/**
 * Both sides edited one list, one table or one short section, close to each other but not so close that they are in
 * conflict: the items may repeat or contradict each other.
 */
export function sameBlock(changes: Changes): Warning[] {
  const warnings: Warning[] = []
  const theirs = changes.theirs.filter((change) => change.region.kind === 'theirs')
  for (const ours of changes.ours.filter((change) => change.region.kind === 'ours'))
    for (const other of theirs) {
      const kind = kindOf(changes, ours, other)
      if (kind !== null) warnings.push({ kind, lines: [...some(ours, 'ours'), ...some(other, 'theirs')] })
    }
  return warnings
}

function kindOf(changes: Changes, ours: Change, theirs: Change): WarningKind | null {
  const [first, second] = ours.index < theirs.index ? [ours, theirs] : [theirs, ours]
  const from = first.region.base.end
  const to = second.region.base.start
  if (to - from > NEAR || ours.added.length === 0 || theirs.added.length === 0) return null
  const between = changes.baseLines().slice(from, to)
  const all = [...ours.added, ...theirs.added].map((line) => line.text)
  if ([...between, ...all].every(isTableRow)) return 'same-table'
  if ([...between, ...all].every(isItem)) return inOrder(changes, first, second, between) ? null : 'same-list'
  return inShortSection(changes, first, second, between) ? 'same-section' : null
}

/** Whether the items around the two edits are in alphabetical order: a catalogue, whose items have their places. */
function inOrder(changes: Changes, first: Change, second: Change, between: readonly string[]): boolean {
  const lines = changes.baseLines()
  const texts = (change: Change) => change.added.map((line) => line.text)
  const around = [
    ...lines.slice(Math.max(0, first.region.base.start - 1), first.region.base.start),
    ...texts(first),
    ...between,
    ...texts(second),
    ...lines.slice(second.region.base.end, second.region.base.end + 1),
  ]
  const keys = around.filter(isItem).map((text) =>
    withoutMark(text)
      .toLowerCase()
      .replace(/[^a-z0-9\x80-\xff]/g, ''),
  )
  return keys.length > 3 && keys.every((key, i) => i === 0 || (keys[i - 1] as string) <= key)
}

function inShortSection(changes: Changes, first: Change, second: Change, between: readonly string[]): boolean {
  if (between.some((text) => headingOf(text) !== null)) return false
  const lines = changes.baseLines()
  let start = first.region.base.start - 1
  while (start >= 0 && headingOf(lines[start] as string) === null) start--
  let end = second.region.base.end
  while (end < lines.length && headingOf(lines[end] as string) === null) end++
  return start >= 0 && end - start <= SHORT_SECTION
}

function some(change: Change, side: 'ours' | 'theirs') {
  return change.added.slice(0, 3).map((line) => ({ side, ...line }))
}
