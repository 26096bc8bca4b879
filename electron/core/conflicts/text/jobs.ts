import { openCount } from '../../../../shared/merge/draft/index.ts'
import type { Draft, DraftCheck, MergeView, Repro } from '../../../../shared/model/index.ts'
import { aboutOf, type Carried, carryOver, conflictKeys, misfit } from './about.ts'
import type { About } from './aboutSchema.ts'
import { auditRows } from './check/auditRows.ts'
import { type AnswerCheck, checkAnswer } from './check/checkAnswer.ts'
import { type CheckSetup, checkDraft } from './check/checkDraft.ts'
import { Places } from './check/places.ts'
import type { Names } from './check/warningRows.ts'
import { draftBytes } from './draftBytes.ts'
import { finish } from './finish.ts'
import { encodeLegacy } from './legacy.ts'
import { makeOffer, type Offer } from './offer.ts'
import type { Prepared, SideBytes } from './prepare.ts'
import { makeRepro } from './repro.ts'
import { type TextMerge, textMerge } from './textMerge.ts'

/** The sides of one file. `key` names them: equal keys, equal bytes. */
export interface TextInput {
  readonly key: string
  readonly sides: SideBytes
  /** What rerere has for the whole file. */
  readonly recorded: Uint8Array | null
}

/** What is asked about a file's merge; plain data, so that a worker thread can be asked. */
export type TextJob =
  /** The merge as the page needs it, and what was kept about other sides as far as it applies. */
  | { readonly do: 'view'; readonly input: TextInput; readonly kept: Kept | null }
  /** What a draft is about. */
  | { readonly do: 'about'; readonly input: TextInput; readonly draft: Draft }
  /** The result of a draft, checked against the sides. */
  | { readonly do: 'check'; readonly input: TextInput; readonly draft: Draft; readonly setup: CheckSetup }
  /** The merge and its draft as a bug report. */
  | { readonly do: 'repro'; readonly input: TextInput; readonly draft: Draft; readonly version: string }
  /** The merge as a candidate: hunks, marked text, what may be wrong. */
  | { readonly do: 'offer'; readonly input: TextInput; readonly names: Names }
  /** What an answer to a candidate still holds of its markers, and what it lost. */
  | { readonly do: 'answer'; readonly input: TextInput; readonly body: Uint8Array }
  /** The bytes of the file that a draft makes. */
  | { readonly do: 'bytes'; readonly input: TextInput; readonly draft: Draft }

export interface Kept {
  readonly draft: Draft
  /** The sides are those that it was made about. */
  readonly sameSides: boolean
  readonly about: About
}

export interface TextAnswers {
  /** Null where the sides are not merged by line. */
  readonly view: { readonly view: MergeView; readonly kept: Carried | null } | null
  readonly about: { readonly about: About } | Misfit
  readonly bytes: MadeBytes | Misfit
  readonly check: { readonly check: DraftCheck } | Misfit
  readonly repro: { readonly repro: Repro } | Misfit
  /** Null where the sides are not merged by line, or are no UTF-8. */
  readonly offer: Offer | null
  readonly answer: AnswerCheck | null
}

/** The draft is not one of these sides. */
export interface Misfit {
  readonly misfit: string
}

export type MadeBytes =
  /** `lost`: lines that went without anyone's decision; told where nothing is open. */
  | { readonly bytes: Uint8Array; readonly open: number; readonly lost: number }
  /** Lines of the result, 0-based, with characters that the file's encoding does not have. */
  | { readonly unwritable: readonly number[]; readonly encoding: Prepared['result']['encoding'] }

export type AnswerOf<J extends TextJob> = TextAnswers[J['do']]

/** Merges that were made lately, by key. */
export type MergeCache = Map<string, TextMerge | null>

/** Merges that are kept, and how many bytes their sides may have all together. */
const KEPT = 8
const KEPT_BYTES = 64_000_000

/** Does one piece of work here and now. */
export function runJob<J extends TextJob>(job: J, cache: MergeCache): AnswerOf<J> {
  return answer(job, cache) as AnswerOf<J>
}

function answer(job: TextJob, cache: MergeCache): TextAnswers[keyof TextAnswers] {
  const text = mergeOf(job.input, cache)
  switch (job.do) {
    case 'view':
      return text === null ? null : { view: text.view, kept: keptFor(text, job.kept) }
    case 'offer':
      return text === null ? null : makeOffer(text, job.names)
    case 'answer':
      return text === null ? null : checkAnswer(text, job.body)
    case 'about': {
      const wrong = misfit(text?.model ?? null, job.draft)
      if (wrong !== null || text === null) return { misfit: wrong ?? NO_TEXT }
      return { about: aboutOf(text.model, conflictKeys(text.model), job.draft) }
    }
    case 'check': {
      const wrong = misfit(text?.model ?? null, job.draft)
      if (wrong !== null || text === null) return { misfit: wrong ?? NO_TEXT }
      return { check: checkDraft(text, job.draft, job.setup) }
    }
    case 'repro': {
      const wrong = misfit(text?.model ?? null, job.draft)
      if (wrong !== null || text === null) return { misfit: wrong ?? NO_TEXT }
      const made = madeBytes(text, job.draft)
      const result = 'bytes' in made && made.open === 0 ? made.bytes : null
      const { sides } = job.input
      const parts = { sides, merge: text.merge, options: null, draft: job.draft, result, version: job.version }
      return { repro: makeRepro(parts) }
    }
    case 'bytes': {
      const wrong = misfit(text?.model ?? null, job.draft)
      return wrong !== null || text === null ? { misfit: wrong ?? NO_TEXT } : madeBytes(text, job.draft)
    }
  }
}

const NO_TEXT = 'the sides are not merged by line'

function mergeOf(input: TextInput, cache: MergeCache): TextMerge | null {
  const known = cache.get(input.key)
  if (known !== undefined) {
    cache.delete(input.key)
    cache.set(input.key, known)
    return known
  }
  const made = textMerge(input.sides, input.recorded)
  cache.set(input.key, made)
  let bytes = 0
  for (const one of cache.values()) if (one !== null) bytes += sizeOf(one.prepared.input)
  for (const [oldest, one] of cache) {
    if (cache.size <= 1 || (cache.size <= KEPT && bytes <= KEPT_BYTES)) break
    cache.delete(oldest)
    if (one !== null) bytes -= sizeOf(one.prepared.input)
  }
  return made
}

export const sizeOf = (sides: SideBytes): number => (sides.base?.length ?? 0) + sides.ours.length + sides.theirs.length

function keptFor({ model }: TextMerge, kept: Kept | null): Carried | null {
  if (kept === null) return null
  const keys = conflictKeys(model)
  // Another version of the engine may have cut the same sides into other conflicts.
  const same =
    kept.sameSides &&
    keys.length === kept.about.conflicts.length &&
    keys.every((key, i) => key === kept.about.conflicts[i])
  if (same && misfit(model, kept.draft) === null) return { draft: kept.draft, left: [] }
  return carryOver(model, keys, kept.draft, kept.about)
}

function madeBytes(text: TextMerge, draft: Draft): MadeBytes {
  const { prepared } = text
  const { bytes, unwritable } = draftBytes(text, draft)
  const { encoding } = prepared.result
  if (unwritable.length > 0) return { unwritable, encoding }
  const file = finish(prepared, bytes)
  if (file === null) return { unwritable: unwritableLines(bytes), encoding }
  const open = openCount(draft)
  return { bytes: file, open, lost: open > 0 ? 0 : auditRows(text, draft, bytes, new Places(text, draft)).lost }
}

/** Lines of UTF-8 text that the legacy encoding has no bytes for. */
export function unwritableLines(bytes: Uint8Array): number[] {
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  return lines.flatMap((line, i) => (encodeLegacy(line) === null ? [i] : []))
}
