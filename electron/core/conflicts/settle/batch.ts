import { count } from '../../../../shared/errors/refusals.ts'
import { auditLoss } from '../../../../shared/merge/index.ts'
import type { BatchRow, ConflictItem, ConflictSet, ConflictSource, Refusal } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { RunningOperation } from '../../operations/running.ts'
import type { ConflictReader } from '../provider.ts'
import { findPlace } from './place.ts'
import { writeResult } from './resolve.ts'
import type { ResultEntry } from './result.ts'

export type Take = 'ours' | 'theirs'

/**
 * What taking one side of an item whole leaves behind. Where lines would be merged the side's own blob is taken: of a file
 * that got two names the stages hold git's merge, markers and all, and never that.
 */
export function wholeSide(item: ConflictItem, take: Take): ResultEntry[] {
  const stages = item.stages.filter((one) => one.stage === (take === 'ours' ? 2 : 3))
  const own = item.sides?.[take]
  const choices = item.choices.filter((one) => one.side === take)
  const choice = choices.find((one) => one.result.every((entry) => entry.oid !== 'merged')) ?? choices[0]
  const merged = own ?? stages[0]?.oid
  if (choice && (merged !== undefined || choice.result.every((entry) => entry.oid !== 'merged')))
    return choice.result.map(({ path, mode, oid }) => ({ path, mode, oid: oid === 'merged' ? (merged ?? '') : oid }))
  return stages.map(({ path, mode, oid }) => ({ path, mode, oid: own ?? oid }))
}

/** What taking one side of these items would give, item by item. Writes nothing. Errors: ERR_NO_SUCH_CONFLICT. */
export async function previewBatch(
  repo: RepositoryContext,
  reader: ConflictReader,
  source: ConflictSource,
  items: readonly string[],
  take: Take,
): Promise<BatchRow[]> {
  const set = await reader.set(repo, source)
  const rows: BatchRow[] = []
  for (const id of items) {
    const item = set.items.find((one) => one.id === id)
    if (item) rows.push(await rowOf(repo, reader, set, item, take, null))
  }
  return rows
}

/** One row: what is taken and what is given up, in words. */
export async function rowOf(
  repo: RepositoryContext,
  reader: ConflictReader,
  set: ConflictSet,
  item: ConflictItem,
  take: Take,
  refusal: Refusal | null,
): Promise<BatchRow> {
  const sentence = await sentenceOf(repo, reader, set, item, take)
  return { item: item.id, path: item.path, sentence, result: wholeSide(item, take), refusal }
}

/** Takes one side of one item of a worktree whole. */
export async function takeWhole(
  operation: RunningOperation,
  reader: ConflictReader,
  given: {
    readonly worktree: string
    readonly set: ConflictSet
    readonly item: ConflictItem
    readonly fingerprint: string
    readonly take: Take
  },
): Promise<BatchRow> {
  const { set, item } = given
  const row = await rowOf(operation.repo, reader, set, item, given.take, null)
  const place = await findPlace(operation, given.worktree)
  if ('refusal' in place) return { ...row, refusal: place.refusal }
  if (item.fingerprint !== given.fingerprint || item.state === 'resolved')
    return { ...row, refusal: { refusal: 'conflict-changed', path: item.path } }
  return { ...row, refusal: await writeResult(operation, place, item, row.result, null) }
}

/** Beyond this the lines are not counted: it would take longer than a person waits for a list. */
const COUNTED = 256 * 1024

async function sentenceOf(
  repo: RepositoryContext,
  reader: ConflictReader,
  set: ConflictSet,
  item: ConflictItem,
  take: Take,
): Promise<string> {
  const [mine, other] = take === 'ours' ? [set.ours.name, set.theirs.name] : [set.theirs.name, set.ours.name]
  const given = item.choices.find((one) => one.side === take)
  // Of a file with two names whose other lines cannot be had, the choice says what it is.
  if (item.kind === 'rename-rename' && !item.lines && given && given.notes.length > 0)
    return `${given.label}. ${given.notes.join(' ')}`
  const has = (side: Take) => item.stages.some((one) => one.stage === (side === 'ours' ? 2 : 3))
  const otherSide = take === 'ours' ? 'theirs' : 'ours'
  const taken = has(take) ? `${mine}'s file` : `deleted, as ${mine} did`
  if (!has(otherSide)) return has(take) ? `${taken}, ${other}'s deletion given up` : taken
  const lost = item.lines || !has(take) ? await linesGivenUp(repo, reader, set.source, item, take) : null
  if (lost === null) return `${taken}, ${other}'s given up`
  return lost === 0
    ? `${taken}, nothing of ${other}'s given up`
    : `${taken}, ${count(lost, 'line')} of ${other}'s given up`
}

/** Lines that the other side added and the taken one lacks; null where they cannot be counted. */
async function linesGivenUp(
  repo: RepositoryContext,
  reader: ConflictReader,
  source: ConflictSource,
  item: ConflictItem,
  take: Take,
): Promise<number | null> {
  const bytes: Buffer[] = []
  const own = item.sides ? [item.sides.base ?? undefined, item.sides.ours, item.sides.theirs] : []
  for (const stage of [1, 2, 3]) {
    const found = item.stages.find((one) => one.stage === stage && one.mode.startsWith('100'))
    const oid = own[stage - 1] ?? found?.oid
    const read = oid !== undefined ? await reader.blob(repo, source, oid) : Buffer.alloc(0)
    if (read.length > COUNTED || read.includes(0)) return null
    bytes.push(read)
  }
  const [base = NONE, ours = NONE, theirs = NONE] = bytes
  const { lost } = auditLoss({ base, ours, theirs }, take === 'ours' ? ours : theirs)
  return lost.filter((line) => line.side !== take).length
}

const NONE = Buffer.alloc(0)
