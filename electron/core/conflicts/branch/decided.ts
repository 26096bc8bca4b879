import type { ConflictItem, ConflictSource, Draft, Refusal } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { ConflictReader } from '../provider.ts'
import { wholeSide } from '../settle/batch.ts'
import { markersLeft } from '../settle/markersLeft.ts'
import { mergedMode } from '../settle/result.ts'
import { blobId } from '../text/check/checkDraft.ts'
import type { ConflictTexts, Decided } from '../text/texts.ts'

/** What a decision leaves at a path; `bytes` where the lines were decided and no object holds them yet. */
export interface DecidedEntry {
  readonly path: string
  readonly mode: string
  readonly oid: string
  readonly bytes: Uint8Array | null
}

export interface DecideSetup {
  readonly repo: RepositoryContext
  readonly source: ConflictSource
  readonly reader: Pick<ConflictReader, 'blob'>
  readonly texts: Pick<ConflictTexts, 'decided'>
  readonly markerSize: number
}

/** What an item becomes by a decision. Writes nothing. Refused while anything is open. */
export async function entriesOf(
  setup: DecideSetup,
  item: ConflictItem,
  { draft, whole }: Decided,
): Promise<{ readonly entries: readonly DecidedEntry[] } | { readonly refusal: Refusal }> {
  const { repo, source, texts } = setup
  if (whole !== null) return { entries: wholeSide(item, whole).map((one) => ({ ...one, bytes: null })) }
  const open = { refusal: { refusal: 'unresolved' as const, conflicts: [item.path] } }
  const choice = item.choices.find((one) => one.id === draft.choice)
  if (item.choices.length > 0 && choice === undefined) return open
  const wanted = choice?.result ?? [{ path: item.path, mode: mergedMode(item), oid: 'merged' as const }]
  if (!wanted.some((one) => one.oid === 'merged')) return { entries: wanted.map((one) => ({ ...one, bytes: null })) }
  const made = await texts.decided(repo, source, item, draft)
  if ('refusal' in made) return made
  if ('open' in made) return open
  const left = await markersIn(setup, item, draft, made.bytes)
  if (left.length > 0) return { refusal: { refusal: 'markers-left', path: item.path, lines: left } }
  if (made.lost > 0) return { refusal: { refusal: 'lines-lost', path: item.path, lines: made.lost } }
  const oid = blobId(made.bytes, item.stages[0]?.oid.length === 64 ? 'sha256' : 'sha1')
  return {
    entries: wanted.map((one) => (one.oid === 'merged' ? { ...one, oid, bytes: made.bytes } : { ...one, bytes: null })),
  }
}

async function markersIn(setup: DecideSetup, item: ConflictItem, draft: Draft, result: Uint8Array): Promise<number[]> {
  const { repo, source, reader, markerSize } = setup
  const files = item.stages.filter((one) => one.mode.startsWith('100'))
  const sides = await Promise.all(files.map((one) => reader.blob(repo, source, one.oid)))
  return markersLeft(draft, markerSize, textOf(result), sides.map(textOf))
}

/** Text as far as markers go. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const wide = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(wide).decode(bytes)
}
