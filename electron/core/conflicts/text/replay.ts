import { openCount } from '../../../../shared/merge/draft/index.ts'
import { markedText, merge } from '../../../../shared/merge/index.ts'
import { Repro } from '../../../../shared/model/index.ts'
import { draftBytes } from './draftBytes.ts'
import { finish } from './finish.ts'
import type { SideBytes } from './prepare.ts'
import { makeRepro } from './repro.ts'
import { textMerge } from './textMerge.ts'

/** Reads a repro: by itself, or in the envelope of `daybreak merge-file --repro`. Throws where it is none. */
export function readRepro(json: string): Repro {
  const given = JSON.parse(json) as { readonly data?: { readonly repro?: unknown } }
  return Repro.parse(given.data?.repro ?? given)
}

/** Does the same again with this version: what it gives now, in the same form. */
export function replay(repro: Repro): Repro {
  const { options, draft } = repro
  const sides: SideBytes = {
    base: repro.base === null ? null : bytesOf(repro.base),
    ours: bytesOf(repro.ours),
    theirs: bytesOf(repro.theirs),
  }
  const { daybreak: version = '' } = repro.versions
  if (options !== null) {
    const merged = merge({ ...sides, base: sides.base ?? new Uint8Array(0) }, { emptyBase: 'whole' })
    const { favor, ...rest } = options
    const marked = markedText(merged, favor === null ? rest : { ...rest, favor })
    return {
      ...makeRepro({ sides, merge: merged, options, draft, result: marked.bytes, version }),
      versions: repro.versions,
    }
  }
  const text = textMerge(sides)
  if (text === null) return { ...repro, regions: [], exact: true, result: null }
  const open = draft === null || openCount(draft) > 0
  const result = open ? null : finish(text.prepared, draftBytes(text, draft).bytes)
  return { ...makeRepro({ sides, merge: text.merge, options, draft, result, version }), versions: repro.versions }
}

const bytesOf = (text: { readonly text: string } | { readonly base64: string }): Uint8Array =>
  'text' in text ? Buffer.from(text.text) : Buffer.from(text.base64, 'base64')
