import { refineTexts } from '../../../shared/merge/index.ts'
import type { RegionRow } from '../../../shared/model/resolution.ts'
import type { Mark } from './decorate.ts'

/** One region's own lines in the three texts. */
export interface WordsAsked {
  readonly kind: RegionRow[0]
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

export type WordMarks = Readonly<Record<'ours' | 'theirs', readonly Mark[]>>

/** With more marks than this a region is changed all over, and marking each word would say nothing. */
const MOST = 3000

export const NO_MARKS: WordMarks = { ours: [], theirs: [] }

/** The words of each side of a region that base lacks. */
export function wordMarks({ kind, base, ours, theirs }: WordsAsked): WordMarks {
  const bytes = new TextEncoder()
  const { regions } = refineTexts(
    bytes.encode(base),
    bytes.encode(kind === 'theirs' ? base : ours),
    bytes.encode(kind === 'conflict' || kind === 'theirs' ? theirs : base),
  )
  const of = (side: 'ours' | 'theirs', text: string): readonly Mark[] => {
    const spans = joined(
      regions.filter((one) => one.kind !== 'unchanged' && one.kind !== other(side)).map((one) => one[side]),
    )
    return spans.length > MOST ? [] : placed(text, spans)
  }
  if (kind === 'same') {
    const both = of('ours', ours)
    return { ours: both, theirs: both }
  }
  return { ours: kind === 'theirs' ? [] : of('ours', ours), theirs: kind === 'ours' ? [] : of('theirs', theirs) }
}

interface Span {
  readonly start: number
  readonly end: number
}

const other = (side: 'ours' | 'theirs') => (side === 'ours' ? 'theirs' : 'ours')

function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = []
  for (const span of spans) {
    const last = all.at(-1)
    if (span.start === span.end) continue
    if (last !== undefined && last.end === span.start) all[all.length - 1] = { start: last.start, end: span.end }
    else all.push(span)
  }
  return all
}

/** Byte ranges of the text's UTF-8 form as lines and columns, which count UTF-16 units. */
function placed(text: string, spans: readonly Span[]): Mark[] {
  const marks: Mark[] = []
  let byte = 0
  let unit = 0
  let line = 1
  let lineStart = 0
  const goTo = (offset: number) => {
    while (byte < offset && unit < text.length) {
      const code = text.codePointAt(unit) as number
      byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
      unit += code < 0x10000 ? 1 : 2
      if (code === 10) {
        line++
        lineStart = unit
      }
    }
    return { line, column: unit - lineStart + 1 }
  }
  for (const { start, end } of spans) {
    const from = goTo(start)
    const to = goTo(end)
    marks.push({ line: from.line, column: from.column, endLine: to.line, endColumn: to.column })
  }
  return marks
}
