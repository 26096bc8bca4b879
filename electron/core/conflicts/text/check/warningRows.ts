import { type Warning, type WarningLine, warningsOf } from '../../../../../shared/merge/index.ts'
import type { WarningRow } from '../../../../../shared/model/index.ts'
import { shown } from '../show.ts'
import type { TextMerge } from '../textMerge.ts'
import type { Places } from './places.ts'

/** The names of who stands behind the sides. */
export interface Names {
  readonly ours: string
  readonly theirs: string
}

/** What may be wrong about a decided merge, in words with the lines of the result. */
export function warningRows(text: TextMerge, bytes: Uint8Array, places: Places, names: Names): WarningRow[] {
  const show = (latin: string) => shown(text.prepared, Buffer.from(latin, 'latin1'))
  return warningsOf(text.merge, { bytes, placed: [] }).map((warning) => ({
    kind: warning.kind,
    sentence: sentenceOf(warning, places, names, show),
    lines: warning.lines.map(({ side, line, text: own }) => ({ side, line, text: show(own) })),
  }))
}

function sentenceOf(warning: Warning, places: Places, names: Names, show: (latin: string) => string): string {
  const { kind, lines } = warning
  const number = ({ side, line }: WarningLine) => (places.lineOf(side, line) ?? line) + 1
  const who = ({ side }: WarningLine) => (side === 'base' ? 'the version before' : names[side])
  const [first, second, third] = lines as [WarningLine, WarningLine, WarningLine | undefined]
  const subject = show(warning.subject ?? '')
  const ours = lines.filter((one) => one.side === 'ours')
  const theirs = lines.filter((one) => one.side === 'theirs')
  const near = `${names.ours} at ${numbers(ours.map(number))}, ${names.theirs} at ${numbers(theirs.map(number))}`
  switch (kind) {
    case 'added-twice':
      return `Same ${/^\s*(?:[-*+]|\d+[.)])\s/.test(first.text) ? 'bullet' : 'line'} twice, lines ${pair(number(first), number(second))}`
    case 'moved-and-edited':
      return third === undefined
        ? `A line that one side moved was edited by the other, line ${number(second)}`
        : `${who(second)} moved a line to ${number(second)} that ${who(third)} edited at ${number(third)}`
    case 'dangling':
      return `“${subject}” is gone, and line ${number(second)} of ${who(second)} still names it`
    case 'stale':
      return `“${subject}” was replaced, and line ${number(second)} of ${who(second)} still has it`
    case 'same-list':
      return `Both edited one list: ${near}`
    case 'same-table':
      return `Both edited one table: ${near}`
    case 'same-section':
      return `Both edited one short section: ${near}`
  }
}

const pair = (a: number, b: number): string => `${Math.min(a, b)} and ${Math.max(a, b)}`

function numbers(lines: readonly number[]): string {
  const from = Math.min(...lines)
  const to = Math.max(...lines)
  return from === to ? `line ${from}` : `lines ${from} to ${to}`
}
