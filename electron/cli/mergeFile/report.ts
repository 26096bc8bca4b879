import { auditLoss } from '../../../shared/merge/audit/loss.ts'
import { decidedBytes } from '../../../shared/merge/threeway/decide.ts'
import { hunksOf, readable } from '../../../shared/merge/threeway/hunks.ts'
import type { Merge, MergeInput } from '../../../shared/merge/threeway/merge.ts'
import { type MarkedText, markedText } from '../../../shared/merge/threeway/render.ts'
import { warningsOf } from '../../../shared/merge/warnings/index.ts'
import { bareLabel, makeRepro } from '../../core/conflicts/text/repro.ts'
import { VERSION } from '../../host/version.ts'
import { API_VERSION } from '../answer.ts'
import type { MergeFileOptions } from './options.ts'

/** The envelope of `merge-file --json`, one line. */
export function mergeFileEnvelope(
  input: MergeInput,
  merge: Merge,
  marked: MarkedText,
  options: MergeFileOptions,
  written: boolean,
): string {
  const data = {
    conflicts: marked.conflicts,
    hasMarkers: marked.conflicts > 0,
    exact: merge.exact,
    written,
    hunks: hunksOf(merge),
    ...(marked.conflicts === 0 ? { loss: lossOf(input, marked.bytes), warnings: warningsIn(merge) } : {}),
    ...(written ? {} : { merged: readable(marked.bytes) }),
    ...(options.repro ? { repro: reproOf(input, merge, options) } : {}),
  }
  return JSON.stringify({ apiVersion: API_VERSION, type: 'merge-file', data })
}

function lossOf(input: MergeInput, result: Uint8Array) {
  const { lost, missing, duplicated } = auditLoss(input, result)
  const line = (entry: { readonly line: number; readonly bytes: Uint8Array }) => ({
    line: entry.line + 1,
    ...readable(entry.bytes),
  })
  return {
    lost: lost.map((entry) => ({ side: entry.side, ...line(entry) })),
    missing: missing.map(line),
    duplicated: duplicated.map(line),
  }
}

/** Warnings about a clean merge; none where a side was favoured. */
function warningsIn(merge: Merge) {
  if (merge.conflicts.length > 0) return []
  return warningsOf(merge, decidedBytes(merge, [])).map(({ kind, subject, lines }) => ({
    kind,
    ...(subject === undefined ? {} : { subject }),
    lines: lines.map(({ side, line, text }) => ({ side, line: line + 1, ...readable(Buffer.from(text, 'latin1')) })),
  }))
}

/** All that is needed to run the same merge again. */
function reproOf(sides: MergeInput, merge: Merge, options: MergeFileOptions) {
  const { favor, markerSize, labels: given } = options
  const labels = { ours: bareLabel(given.ours), base: bareLabel(given.base), theirs: bareLabel(given.theirs) }
  const asked = { style: options.style ?? 'merge', markerSize, labels }
  const { bytes } = markedText(merge, { ...asked, ...(favor === null ? {} : { favor }) })
  return makeRepro({ sides, merge, options: { ...asked, favor }, draft: null, result: bytes, version: VERSION })
}
