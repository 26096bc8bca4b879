import { emptyDraft } from '../../../../shared/merge/draft/index.ts'
import { cleanBytes, markedText } from '../../../../shared/merge/index.ts'
import type { CandidateHunk, WarningRow } from '../../../../shared/model/index.ts'
import { Places } from './check/places.ts'
import { type Names, warningRows } from './check/warningRows.ts'
import { finish } from './finish.ts'
import type { TextMerge } from './textMerge.ts'

/** A merge offered for review. */
export interface Offer {
  /** The merged file, with markers where lines are in conflict. */
  readonly body: Uint8Array
  readonly hunks: readonly CandidateHunk[]
  readonly conflicts: number
  /** Of a merge without conflicts; else they come with the answer. */
  readonly warnings: readonly WarningRow[]
}

/** The merge as a candidate. Null where the result is not UTF-8: such a file is not offered as text. */
export function makeOffer(text: TextMerge, names: Names): Offer | null {
  const { merge, model, prepared } = text
  if (prepared.reading !== 'utf-8' || !prepared.result.encoding.startsWith('utf-8')) return null
  const body = finish(prepared, markedText(merge).bytes)
  if (body === null) return null
  const clean = cleanBytes(merge)
  const warnings = clean === null ? [] : warningRows(text, clean, new Places(text, emptyDraft(model)), names)
  const hunks: CandidateHunk[] = []
  let conflict = 0
  for (const { kind, base, ours, theirs } of merge.regions) {
    if (kind === 'unchanged') continue
    const side = (lines: readonly string[], { start, end }: { readonly start: number; readonly end: number }) => ({
      start,
      end,
      text: lines.slice(start, end).join(''),
    })
    hunks.push({
      index: hunks.length,
      kind,
      conflict: kind === 'conflict' ? conflict++ : null,
      base: side(model.base, base),
      ours: side(model.ours, ours),
      theirs: side(model.theirs, theirs),
    })
  }
  return { body, hunks, conflicts: conflict, warnings }
}
