import { type DraftModel, type Row, rowsOf } from '../../../../shared/merge/draft/index.ts'
import { scan } from './scan.ts'

/**
 * What rerere recorded for each conflict, out of the whole file that it recorded: the file must hold every gap exactly, and
 * there must be one way only to lay the gaps over it. Null where not.
 */
export function alignRecorded(
  model: DraftModel,
  recorded: Uint8Array,
  text: (bytes: Uint8Array) => string,
): string[] | null {
  if (model.conflicts.length === 0) return null
  const body = scan(recorded)?.body
  if (body === undefined) return null
  const rows = rowsOf(text(body))
  const first = place(model, rows, 'first')
  const last = first === null ? null : place(model, rows, 'last')
  if (first === null || last === null || first.some((at, gap) => at !== last[gap])) return null
  return model.conflicts.map((_, i) => {
    const from = (first[i] as number) + (model.gaps[i] as readonly Row[]).length
    return rows.slice(from, first[i + 1] as number).join('')
  })
}

/** Where each gap lies when it is laid as early, or as late, as it goes; null where one is not to be found. */
function place(model: DraftModel, rows: readonly Row[], which: 'first' | 'last'): number[] | null {
  const { gaps } = model
  const end = gaps.length - 1
  const places = gaps.map(() => 0)
  places[end] = rows.length - (gaps[end] as readonly Row[]).length
  if ((places[end] as number) < 0 || !standsAt(rows, 0, gaps[0] as readonly Row[])) return null
  if (!standsAt(rows, places[end] as number, gaps[end] as readonly Row[])) return null
  let from = (gaps[0] as readonly Row[]).length
  let to = places[end] as number
  const middle = Array.from({ length: end - 1 }, (_, i) => i + 1)
  for (const gap of which === 'first' ? middle : middle.reverse()) {
    const own = gaps[gap] as readonly Row[]
    let at = which === 'first' ? from : to - own.length
    const step = which === 'first' ? 1 : -1
    while (at >= from && at + own.length <= to && !standsAt(rows, at, own)) at += step
    if (at < from || at + own.length > to) return null
    places[gap] = at
    if (which === 'first') from = at + own.length
    else to = at
  }
  return from <= to ? places : null
}

function standsAt(rows: readonly Row[], at: number, wanted: readonly Row[]): boolean {
  if (at + wanted.length > rows.length) return false
  for (let i = 0; i < wanted.length; i++) if (rows[at + i] !== wanted[i]) return false
  return true
}
