import { diffWords } from '../../../shared/merge/words.ts'
import type { FieldDifference } from '../memory/compare.ts'

/** Longest gist, in characters. */
const MOST = 90
/** Longest side of a `before → after` gist. */
const SIDE = 30

/** Fields that every night stamps: they say nothing by themselves. */
const STAMPS = new Set(['updated', 'content-hash', 'archived'])

/** A text cut to what a list shows. */
export function clip(text: string, most = MOST): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  return [...flat].length <= most ? flat : `${[...flat].slice(0, most - 1).join('')}…`
}

/** What changed between two claims in a few words: `40 → 60` where one run of words did, else the new claim. */
export function claimGist(before: string | null, after: string | null): string | null {
  if (after === null) return before === null ? null : `no claim any more (${clip(before, 60)})`
  if (before === null) return clip(after)
  const words = diffWords(before, after)
  const gone = words.before.filter((span) => span.op === 'delete')
  const come = words.after.filter((span) => span.op === 'insert')
  const old = gone[0]?.text.trim() ?? ''
  const now = come[0]?.text.trim() ?? ''
  if (gone.length === 1 && come.length === 1 && old !== '' && now !== '' && old.length <= SIDE && now.length <= SIDE)
    return `${old} → ${now}`
  return clip(after)
}

/** What changed in the fields, in a few words; null where that takes more. */
export function fieldsGist(fields: readonly FieldDifference[]): string | null {
  const telling = fields.filter((field) => !STAMPS.has(field.name))
  const [only] = telling
  if (!only || telling.length > 1) return null
  const gone = only.before.filter((value) => !only.after.includes(value))
  const come = only.after.filter((value) => !only.before.includes(value))
  if (gone.length === 1 && come.length === 1) return clip(`${short(gone[0])} → ${short(come[0])}`)
  if (gone.length === 0 && come.length === 1) return clip(`+ ${short(come[0])}`)
  if (gone.length === 1 && come.length === 0) return clip(`− ${short(gone[0])}`)
  return null
}

/** A link's target by its last name, any other value as it is. */
function short(value: string | undefined): string {
  const text = value ?? ''
  return text.startsWith('/') ? text.slice(text.lastIndexOf('/') + 1).replace(/\.html$/, '') : text
}
