import type { Draft, GapEdit, LineDecision } from '../../model/resolution.ts'
import type { LineRange } from '../threeway/regions.ts'
import { type DraftModel, ended, joined, type Row, rowsOf } from './model.ts'

/** A result as an editor shows it. Line ranges are 0-based and half-open, in `lines`. */
export interface ResultLayout {
  /** The result's text split at `\n`: the last one is empty where the text ends with `\n` or is empty. */
  readonly lines: readonly string[]
  readonly gaps: readonly LineRange[]
  readonly conflicts: readonly LineRange[]
  readonly finalNewline: boolean
}

/** The draft where nothing is decided. */
export function emptyDraft(model: DraftModel | null): Draft {
  return {
    version: 1,
    lines: model === null ? [] : model.conflicts.map(() => null),
    edits: [],
    choice: null,
    dropped: [],
  }
}

/** Conflicts in the lines that are still open. */
export function openCount(draft: Draft): number {
  return draft.lines.reduce((sum, one) => sum + (one === null ? 1 : 0), 0)
}

/** What a decision makes of a conflict. Open ones hold base. A decision that the conflict does not offer counts as open. */
export function decisionRows(model: DraftModel, conflict: number, decision: LineDecision | null): readonly Row[] {
  const ranges = model.conflicts[conflict]
  if (ranges === undefined) throw new RangeError(`conflict ${conflict} of ${model.conflicts.length}`)
  const of = (side: 'base' | 'ours' | 'theirs') => model[side].slice(ranges[side].start, ranges[side].end)
  switch (decision?.take) {
    case undefined:
    case 'base':
      return of('base')
    case 'ours':
    case 'theirs':
      return of(decision.take)
    case 'ours-then-theirs':
      return joined(of('ours'), of('theirs'))
    case 'theirs-then-ours':
      return joined(of('theirs'), of('ours'))
    case 'combined':
    case 'recorded': {
      const text = model.view.conflicts[conflict]?.[decision.take]
      return text === null || text === undefined ? of('base') : rowsOf(text)
    }
    case 'text':
      return rowsOf(decision.text)
  }
}

/** A gap's rows with its hand edits. */
export function gapRows(model: DraftModel, gap: number, edits: readonly GapEdit[]): readonly Row[] {
  const own = model.gaps[gap]
  if (own === undefined) throw new RangeError(`gap ${gap} of ${model.gaps.length}`)
  const mine = edits.filter((edit) => edit.gap === gap)
  if (mine.length === 0) return own
  let rows: readonly Row[] = []
  let at = 0
  for (const edit of mine) {
    rows = joined(rows, own.slice(at, edit.at))
    rows = joined(rows, rowsOf(edit.text))
    at = edit.at + edit.removed
  }
  return joined(rows, own.slice(at))
}

/** All slots of a draft, in order: gap 0, conflict 0, gap 1 … Rows are ended wherever something follows. */
export function slotsOf(model: DraftModel, draft: Draft): (readonly Row[])[] {
  const slots: (readonly Row[])[] = []
  for (const [i] of model.gaps.entries()) {
    slots.push(gapRows(model, i, draft.edits))
    if (i < model.conflicts.length) slots.push(decisionRows(model, i, draft.lines[i] ?? null))
  }
  let follows = false
  for (let i = slots.length - 1; i >= 0; i--) {
    const rows = slots[i] as readonly Row[]
    const last = rows.at(-1)
    if (last === undefined) continue
    if (follows && !last.endsWith('\n')) slots[i] = [...rows.slice(0, -1), ended(last)]
    follows = true
  }
  return slots
}

/** What the result of a draft looks like, line by line. */
export function layoutOf(model: DraftModel, draft: Draft): ResultLayout {
  const lines: string[] = []
  const gaps: LineRange[] = []
  const conflicts: LineRange[] = []
  let finalNewline = true
  for (const [i, rows] of slotsOf(model, draft).entries()) {
    const start = lines.length
    for (const row of rows) {
      finalNewline = row.endsWith('\n')
      lines.push(finalNewline ? row.slice(0, -1) : row)
    }
    ;(i % 2 === 0 ? gaps : conflicts).push({ start, end: lines.length })
  }
  if (finalNewline) lines.push('')
  return { lines, gaps, conflicts, finalNewline: finalNewline && lines.length > 1 }
}
