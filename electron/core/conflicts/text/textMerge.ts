import { type DraftModel, draftModel, regionRow } from '../../../../shared/merge/draft/index.ts'
import { type Merge, merge, refine } from '../../../../shared/merge/index.ts'
import type { MergeView } from '../../../../shared/model/index.ts'
import { type Prepared, prepare, type SideBytes } from './prepare.ts'
import { alignRecorded } from './recorded.ts'
import { shown } from './show.ts'

/** One file's three-way merge with all that is asked of it: bytes for writing, text for showing. */
export interface TextMerge {
  readonly prepared: Prepared
  readonly merge: Merge
  readonly view: MergeView
  readonly model: DraftModel
  /** Both sides' word edits together, one for each conflict; null where they overlap. */
  readonly combined: readonly (Uint8Array | null)[]
}

/**
 * Merges three files by line. `recorded`: what rerere has for the whole file. Null where a side is no text that comes back
 * byte for byte.
 */
export function textMerge(sides: SideBytes, recorded: Uint8Array | null = null): TextMerge | null {
  const prepared = prepare(sides)
  if (prepared === null) return null
  const merged = merge(prepared.input)
  const combined = merged.conflicts.map((conflict) => refine(merged, conflict).combined)
  const text = (bytes: Uint8Array) => shown(prepared, bytes)
  const bare: MergeView = {
    base: text(prepared.input.base),
    ours: text(prepared.input.ours),
    theirs: text(prepared.input.theirs),
    regions: merged.regions.map(regionRow),
    conflicts: combined.map((bytes) => ({ combined: bytes === null ? null : text(bytes), recorded: null })),
    exact: merged.exact,
  }
  const model = draftModel(bare)
  const answers = recorded === null ? null : alignRecorded(model, recorded, text)
  if (answers === null) return { prepared, merge: merged, view: bare, model, combined }
  const conflicts = bare.conflicts.map((one, i) => ({ ...one, recorded: answers[i] ?? null }))
  const view = { ...bare, conflicts }
  return { prepared, merge: merged, view, model: { ...model, view }, combined }
}
