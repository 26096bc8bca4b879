import type { ConflictItem, ConflictSource, Draft, Refusal } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Git } from '../../git/process.ts'
import type { ConflictTexts } from '../text/texts.ts'
import { writeBlob } from './diskForms.ts'
import { markerSize } from './markerSize.ts'
import { markersLeft } from './markersLeft.ts'

/** An entry that a decision leaves behind. Paths of the item that are not named go. */
export interface ResultEntry {
  readonly path: string
  readonly mode: string
  readonly oid: string
}

export type DecidedResult = { readonly result: readonly ResultEntry[] } | { readonly refusal: Refusal }

interface Setup {
  readonly repo: RepositoryContext
  /** Runs in the worktree's top folder. */
  readonly git: Git
  readonly source: ConflictSource
  readonly texts: Pick<ConflictTexts, 'decided'>
}

/** What an item becomes by a draft; its merged lines are written as a blob. Refused while anything is open. */
export async function decidedResult(setup: Setup, item: ConflictItem, draft: Draft): Promise<DecidedResult> {
  const open = { refusal: { refusal: 'unresolved' as const, conflicts: [item.path] } }
  const choice = item.choices.find((one) => one.id === draft.choice)
  if (item.choices.length > 0 && !choice) return open
  const wanted = choice?.result ?? [{ path: item.path, mode: mergedMode(item), oid: 'merged' as const }]
  if (!wanted.some((one) => one.oid === 'merged')) return { result: wanted as readonly ResultEntry[] }
  const decided = await setup.texts.decided(setup.repo, setup.source, item, draft)
  if ('open' in decided) return open
  if ('refusal' in decided) return decided
  const left = await markersIn(setup, item, draft, decided.bytes)
  if (left.length > 0) return { refusal: { refusal: 'markers-left', path: item.path, lines: left } }
  if (decided.lost > 0) return { refusal: { refusal: 'lines-lost', path: item.path, lines: decided.lost } }
  const merged = await writeBlob(setup.git, decided.bytes)
  return { result: wanted.map((one) => (one.oid === 'merged' ? { ...one, oid: merged } : one)) }
}

/** The mode that both sides agree on, or that one of them changed. */
export function mergedMode(item: Pick<ConflictItem, 'stages' | 'path'>): string {
  const at = (stage: number) => item.stages.find((one) => one.path === item.path && one.stage === stage)?.mode
  const [base, ours, theirs] = [at(1), at(2), at(3)]
  return (ours === base ? (theirs ?? ours) : ours) ?? theirs ?? '100644'
}

async function markersIn(setup: Setup, item: ConflictItem, draft: Draft, bytes: Uint8Array): Promise<number[]> {
  const byHand = draft.edits.length > 0 || draft.lines.some((one) => one?.take === 'text')
  if (!byHand) return []
  const sides: string[] = []
  for (const stage of item.stages) {
    const object = stage.mode === '160000' ? null : await setup.repo.objects.read(stage.oid)
    if (object) sides.push(textOf(object.bytes))
  }
  return markersLeft(draft, await markerSize(setup.git, item.path), textOf(bytes), sides)
}

/** Text as far as markers go: UTF-16 by its BOM, else one character a byte for all that is not UTF-8. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}
