import type { TextEncoding } from '../../../../../shared/model/index.ts'
import { type Form, type Prepared, SIDES, type SideName } from '../prepare.ts'
import { type Ending, endingOf } from '../scan.ts'
import type { Names } from './warningRows.ts'

const ENDINGS: Readonly<Record<Ending, string>> = {
  lf: 'LF',
  crlf: 'CRLF',
  mixed: 'LF and CRLF, each line as it was',
  none: 'one line',
}

const ENCODINGS: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  legacy: 'Windows-1252',
}

/**
 * How the result is written: line endings, encoding, byte order mark, final newline. Where the sides differ in one of
 * these it says who has what, since that was settled apart from the lines.
 */
export function factsOf(prepared: Prepared, merged: Uint8Array, names: Names): string {
  const { forms, result, input, reading } = prepared
  const who: Readonly<Record<SideName, string>> = { base: 'the version before', ...names }
  const ending = result.ending ?? endingOf(merged)
  const has = <T>(of: (form: Form) => T, tell: (value: T) => string): string => {
    const given = SIDES.flatMap((name) => {
      const form = forms[name]
      return form === null ? [] : [{ name, value: of(form) }]
    })
    const values = new Map<T, string[]>()
    for (const { name, value } of given) values.set(value, [...(values.get(value) ?? []), who[name]])
    if (values.size < 2) return ''
    return ` (${[...values].map(([value, all]) => `${all.join(' and ')}: ${tell(value)}`).join('; ')})`
  }
  const endings =
    result.ending === null
      ? ''
      : has(
          (form) => form.ending,
          (value) => ENDINGS[value],
        )
  const mark = (bom: boolean) => (bom ? 'BOM' : 'no BOM')
  const parts = [
    `${ENDINGS[ending]}${endings}`,
    `${ENCODINGS[result.encoding]}${reading === 'escaped' ? ' with bytes that are none, kept as they are' : ''}${has(
      (form) => ENCODINGS[form.encoding],
      (value) => value,
    )}`,
    `${mark(result.bom)}${has((form) => form.bom, mark)}`,
    finalNewline(
      SIDES.filter((name) => input[name].length > 0).map((name) => input[name]),
      merged,
    ),
  ]
  return parts.join(', ')
}

function finalNewline(sides: readonly Uint8Array[], merged: Uint8Array): string {
  if (merged.length === 0) return 'empty'
  const ends = (bytes: Uint8Array) => bytes.at(-1) === 10
  const now = ends(merged)
  if (sides.every((bytes) => ends(bytes) === now)) return now ? 'final newline kept' : 'no final newline, as before'
  return now ? 'with final newline' : 'without final newline'
}
