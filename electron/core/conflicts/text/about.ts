import { createHash } from 'node:crypto'
import { type DraftModel, type Row, rowsOf } from '../../../../shared/merge/draft/index.ts'
import type { Draft, GapEdit } from '../../../../shared/model/index.ts'
import type { About } from './aboutSchema.ts'

const CONTEXT = 3

/** A digest of the three texts of each conflict. */
export function conflictKeys(model: DraftModel): string[] {
  return model.conflicts.map((ranges) => {
    const hash = createHash('sha256')
    for (const name of ['base', 'ours', 'theirs'] as const)
      hash.update(JSON.stringify(model[name].slice(ranges[name].start, ranges[name].end)))
    return hash.digest('base64url').slice(0, 27)
  })
}

export function aboutOf(model: DraftModel, keys: readonly string[], draft: Draft): About {
  return {
    whole: null,
    conflicts: [...keys],
    edits: draft.edits.map((edit) => {
      const own = model.gaps[edit.gap] as readonly Row[]
      const end = edit.at + edit.removed
      return {
        before: own.slice(Math.max(0, edit.at - CONTEXT), edit.at),
        removed: own.slice(edit.at, end),
        after: own.slice(end, end + CONTEXT),
      }
    }),
  }
}

/** What is wrong with a draft for this merge; null where it fits. */
export function misfit(model: DraftModel | null, draft: Draft): string | null {
  if (model === null) return draft.lines.length > 0 || draft.edits.length > 0 ? 'lines are not decided here' : null
  if (draft.lines.length !== model.conflicts.length)
    return `${model.conflicts.length} conflicts, ${draft.lines.length} decisions`
  for (const [i, one] of draft.lines.entries())
    if ((one?.take === 'combined' || one?.take === 'recorded') && model.view.conflicts[i]?.[one.take] == null)
      return `conflict ${i} has nothing ${one.take}`
  let last: GapEdit | null = null
  for (const edit of draft.edits) {
    const own = model.gaps[edit.gap]
    if (own === undefined || edit.at < 0 || edit.removed < 0 || edit.at + edit.removed > own.length)
      return 'an edit lies outside of its gap'
    const follows = last === null || edit.gap > last.gap || (edit.gap === last.gap && edit.at >= last.at + last.removed)
    if (!follows) return 'edits overlap'
    last = edit
  }
  return null
}

export interface Carried {
  readonly draft: Draft
  /** What was left out, in words. */
  readonly left: readonly string[]
}

/**
 * A draft about other sides, as far as it still applies: decisions of conflicts whose three texts are the same, edits
 * whose lines and surroundings stand in one place, and lines dropped on purpose. The choice is the caller's affair.
 */
export function carryOver(model: DraftModel, keys: readonly string[], kept: Draft, about: About): Carried {
  const left: string[] = []
  const decided = new Map<string, number[]>()
  for (const [i, key] of about.conflicts.entries()) {
    if (kept.lines[i] == null) continue
    const list = decided.get(key)
    if (list === undefined) decided.set(key, [i])
    else list.push(i)
  }
  const lines = keys.map((key, i) => {
    const one = kept.lines[decided.get(key)?.shift() ?? -1] ?? null
    const offered =
      one?.take !== 'combined' && one?.take !== 'recorded' ? true : model.view.conflicts[i]?.[one.take] != null
    return offered ? one : null
  })
  const gone = kept.lines.filter((one) => one !== null).length - lines.filter((one) => one !== null).length
  if (gone > 0)
    left.push(
      `${gone === 1 ? 'The decision of one conflict' : `The decisions of ${gone} conflicts`} whose lines are others now.`,
    )
  const edits = carriedEdits(model, kept.edits, about, left)
  return { draft: { ...kept, lines, edits }, left }
}

function carriedEdits(model: DraftModel, edits: readonly GapEdit[], about: About, left: string[]): GapEdit[] {
  const found = edits.map((edit, i) => {
    const around = about.edits[i]
    const places = around === undefined ? [] : placesOf(model, around)
    return { edit, place: places.length === 1 ? places[0] : undefined }
  })
  const carried: GapEdit[] = []
  for (const { edit, place } of found.sort((a, b) => order(a.place) - order(b.place))) {
    const last = carried.at(-1)
    const free =
      place !== undefined && (last === undefined || place.gap > last.gap || place.at >= last.at + last.removed)
    if (place !== undefined && free) carried.push({ ...edit, ...place })
    else
      left.push(`A change by hand, “${titleOf(edit)}”: what was around it is not there any more, or in several places.`)
  }
  return carried
}

const order = (place: { readonly gap: number; readonly at: number } | undefined): number =>
  place === undefined ? Number.MAX_SAFE_INTEGER : place.gap * 1e9 + place.at

function titleOf(edit: GapEdit): string {
  const first = (rowsOf(edit.text).find((row) => row.trim() !== '') ?? '').trim()
  if (first === '') return edit.removed === 1 ? 'one line taken out' : `${edit.removed} lines taken out`
  return first.length > 60 ? `${first.slice(0, 59)}…` : first
}

function placesOf(
  model: DraftModel,
  { before, removed, after }: About['edits'][number],
): { gap: number; at: number }[] {
  const wanted = [...before, ...removed, ...after]
  if (wanted.length === 0) return []
  const places: { gap: number; at: number }[] = []
  for (const [gap, own] of model.gaps.entries())
    for (let at = 0; at + wanted.length <= own.length; at++)
      if (wanted.every((row, i) => own[at + i] === row)) places.push({ gap, at: at + before.length })
  return places
}
