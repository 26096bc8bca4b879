import type { Draft } from '../../../../shared/model/index.ts'

/**
 * Lines of a result (1-based) that are conflict markers which the person's own text holds: at the file's marker size,
 * and only where an opening or closing one is among them, since a row of `=` alone is a heading. A line that a side
 * has is that side's text, whatever it looks like. `result` and `sides`: decoded.
 */
export function markersLeft(draft: Draft, size: number, result: string, sides: readonly string[]): number[] {
  const own = [
    ...draft.lines.flatMap((one) => (one?.take === 'text' ? linesOf(one.text) : [])),
    ...draft.edits.flatMap((edit) => linesOf(edit.text)),
  ]
  const known = new Set(sides.flatMap(linesOf))
  const marker = new RegExp(`^(?:[<>|]{${size}}(?: .*)?|={${size}})$`)
  const found = new Set(own.filter((line) => marker.test(line) && /^(.)\1*(?: |$)/.test(line) && !known.has(line)))
  if (![...found].some((line) => line.startsWith('<') || line.startsWith('>'))) return []
  return linesOf(result).flatMap((line, at) => (found.has(line) ? [at + 1] : []))
}

const linesOf = (text: string): string[] => text.split(/\r?\n/)
