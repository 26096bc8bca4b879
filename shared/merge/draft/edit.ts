import type { Draft, GapEdit, LineDecision } from '../../model/resolution.ts'
import { layoutOf, type ResultLayout, slotsOf } from './layout.ts'
import { type DraftModel, ended, type Row, rowsOf } from './model.ts'

/** Lines [start, end) of `layout.lines` were replaced by `lines`. */
export interface ResultEdit {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

/** The draft with one conflict decided, or open again. */
export function decide(draft: Draft, conflict: number, decision: LineDecision | null): Draft {
  return { ...draft, lines: draft.lines.map((one, i) => (i === conflict ? decision : one)) }
}

/**
 * The draft after a hand edit of the result. A conflict that it touches becomes the person's own text; outside the
 * conflicts it is kept as an edit of the gap. The result's text afterwards is exactly the edited one.
 */
export function editResult(
  model: DraftModel,
  draft: Draft,
  edit: ResultEdit,
  layout: ResultLayout = layoutOf(model, draft),
): Draft {
  const { start, end, lines } = trimmed(layout.lines, edit)
  if (start === end && lines.length === 0) return draft
  const slots = slotsOf(model, draft)
  const bounds = boundsOf(slots, layout.lines.length)
  const target = targetOf(bounds, edit, start, end)
  let next = draft
  const total = layout.lines.length - (end - start) + lines.length
  const row = (text: string, at: number): Row | null => (at < total - 1 ? `${text}\n` : text === '' ? null : text)
  for (const [i, { from, to }] of bounds.entries()) {
    const rows = slots[i] as readonly Row[]
    const touched = i === target || (from < end && to > start)
    // Only the very last line of the text can change its ending without being touched.
    if (!touched && !endingChanges(bounds, i, start, end, layout.lines.length, total)) continue
    const kept: Row[] = []
    const push = (text: string, at: number) => {
      const made = row(text, at)
      if (made !== null) kept.push(made)
    }
    const shift = lines.length - (end - start)
    for (let at = from; at < Math.min(to, start); at++) push(layout.lines[at] as string, at)
    if (i === target) for (const [k, text] of lines.entries()) push(text, start + k)
    for (let at = Math.max(from, end); at < to; at++) push(layout.lines[at] as string, at + shift)
    if (!sameRows(rows, kept)) next = withSlot(model, next, i, rows, kept)
  }
  const last = end < layout.lines.length ? layout.lines.at(-1) : (lines.at(-1) ?? layout.lines[start - 1])
  return last === '' ? withFinalNewline(model, next) : next
}

/** A row that was ended only since something followed it keeps its ending when nothing does any more. */
function withFinalNewline(model: DraftModel, draft: Draft): Draft {
  const slots = slotsOf(model, draft)
  const index = slots.findLastIndex((rows) => rows.length > 0)
  const rows = slots[index]
  const last = rows?.at(-1)
  if (rows === undefined || last === undefined || last.endsWith('\n')) return draft
  return withSlot(model, draft, index, rows, [...rows.slice(0, -1), ended(last)])
}

interface Bounds {
  readonly from: number
  readonly to: number
}

/** Where each slot lies among the lines shown; the empty line after a final `\n` counts to the last gap. */
function boundsOf(slots: readonly (readonly Row[])[], shown: number): Bounds[] {
  let at = 0
  return slots.map((rows, i) => {
    const from = at
    at = i === slots.length - 1 ? shown : at + rows.length
    return { from, to: at }
  })
}

/**
 * The slot that new lines belong to: a conflict that loses lines to them, else any slot that does; where none does, the
 * one that was typed in, else that of the line before.
 */
function targetOf(bounds: readonly Bounds[], edit: ResultEdit, start: number, end: number): number {
  // Lines stand in order, so that only slots that reach the place can take them.
  const near = bounds.flatMap((slot, i) => (slot.from <= end && slot.to >= start ? [i] : []))
  const touching = (from: number, to: number) =>
    near.filter((i) => (bounds[i] as Bounds).from < to && (bounds[i] as Bounds).to > from)
  const changed = touching(start, end)
  const typed = touching(edit.start, edit.end)
  const beside = touching(start - 1, start)
  return changed.find((i) => i % 2 === 1) ?? changed[0] ?? typed[0] ?? beside[0] ?? near.at(-1) ?? 0
}

function endingChanges(
  bounds: readonly Bounds[],
  slot: number,
  start: number,
  end: number,
  shown: number,
  total: number,
): boolean {
  const { from, to } = bounds[slot] as Bounds
  if (from === to) return false
  const shift = total - shown
  const lastBefore = to === shown
  const last = to <= start ? to - 1 : to - 1 + shift
  const lastAfter = last === total - 1
  return end >= start && lastBefore !== lastAfter
}

/** The edit without the lines at its start and end that it leaves as they were. */
function trimmed(shown: readonly string[], edit: ResultEdit): ResultEdit {
  let { start, end } = edit
  let first = 0
  let last = edit.lines.length
  while (start < end && first < last && shown[start] === edit.lines[first]) {
    start++
    first++
  }
  while (start < end && first < last && shown[end - 1] === edit.lines[last - 1]) {
    end--
    last--
  }
  return { start, end, lines: edit.lines.slice(first, last) }
}

function sameRows(a: readonly Row[], b: readonly Row[]): boolean {
  return a.length === b.length && a.every((row, i) => row === b[i])
}

function withSlot(model: DraftModel, draft: Draft, slot: number, before: readonly Row[], after: readonly Row[]): Draft {
  const index = slot >> 1
  if (slot % 2 === 1) return decide(draft, index, { take: 'text', text: after.join(''), by: 'mine' })
  return { ...draft, edits: withGap(model, draft.edits, index, before, after) }
}

/** The gap edits after gap `gap` changed from `before` to `after`: what touches an earlier edit becomes one with it. */
function withGap(
  model: DraftModel,
  edits: readonly GapEdit[],
  gap: number,
  before: readonly Row[],
  after: readonly Row[],
): GapEdit[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let tail = 0
  while (
    tail < before.length - start &&
    tail < after.length - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail++
  const end = before.length - tail
  const mine = edits.filter((edit) => edit.gap === gap)
  const others = edits.filter((edit) => edit.gap !== gap)
  // Walks the gap's own rows and its edits together: where an edit stands in what is shown now.
  let grown = 0
  let from = start
  let to = end
  const kept: GapEdit[] = []
  const taken: { readonly edit: GapEdit; readonly at: number; readonly rows: number }[] = []
  for (const edit of mine) {
    const rows = rowsOf(edit.text).length
    const at = edit.at + grown
    if (at + rows < start || at > end) kept.push(edit)
    else {
      taken.push({ edit, at, rows })
      from = Math.min(from, at)
      to = Math.max(to, at + rows)
    }
    grown += rows - edit.removed
  }
  const toOwn = (shown: number): number => {
    let delta = 0
    for (const edit of mine) {
      const rows = rowsOf(edit.text).length
      const at = edit.at + delta
      if (shown <= at) return shown - delta
      if (shown < at + rows) throw new RangeError('inside an edit')
      delta += rows - edit.removed
    }
    return shown - delta
  }
  const ownFrom = taken[0] !== undefined && taken[0].at === from ? taken[0].edit.at : toOwn(from)
  const lastTaken = taken.at(-1)
  const ownTo =
    lastTaken !== undefined && lastTaken.at + lastTaken.rows === to
      ? lastTaken.edit.at + lastTaken.edit.removed
      : toOwn(to)
  const text = after.slice(from, after.length - (before.length - to)).join('')
  const made: GapEdit = { gap, at: ownFrom, removed: ownTo - ownFrom, text }
  const own = model.gaps[gap] as readonly Row[]
  const nothing = own.slice(ownFrom, ownTo).join('') === text
  return [...others, ...kept, ...(nothing ? [] : [made])].sort((a, b) => a.gap - b.gap || a.at - b.at)
}
