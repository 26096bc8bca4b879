import type { ConflictItem, ConflictSource, Draft, Refusal, ResolveOutcome } from '../../../../shared/model/index.ts'
import type { RunningOperation } from '../../operations/running.ts'
import type { ConflictReader } from '../provider.ts'
import type { ConflictTexts } from '../text/texts.ts'
import { lookAtItem } from './asGitWrote.ts'
import { captureForm, compareForm, type Found, look as lookAt } from './diskForms.ts'
import { findLeftovers } from './leftovers.ts'
import { outcomeOf } from './mend.ts'
import { ownFilters } from './ownCode.ts'
import { findPathClash } from './pathClash.ts'
import { findPlace, type SettlePlace } from './place.ts'
import { type DiskForm, type PathStep, sameEntries, stagesOf } from './plan.ts'
import { decidedResult, type ResultEntry } from './result.ts'
import { beginSteps, type LockedIndex, runSteps, type Steps } from './transition.ts'

export interface ResolveInput {
  readonly worktree: string
  readonly item: string
  readonly fingerprint: string
  readonly draft: Draft
  /** Digest of edited files that may be replaced. */
  readonly overDisk: string | null
}

export interface Readers {
  readonly reader: ConflictReader
  readonly texts: Pick<ConflictTexts, 'decided'>
}

const no = (refusal: Refusal): ResolveOutcome => ({ resolved: false, refusal })

/**
 * Marks one conflict of a worktree resolved: the decided bytes become its blob, index and files follow, the stages are
 * kept for taking it back. Refused, with nothing written, where the sides changed, something is open, markers are left
 * in the person's own text, a file was edited on disk, or a filter of the repository's own would have to run.
 */
export async function resolve(
  operation: RunningOperation,
  readers: Readers,
  input: ResolveInput,
): Promise<ResolveOutcome> {
  const { repo } = operation
  const place = await findPlace(operation, input.worktree)
  if ('refusal' in place) return no(place.refusal)
  const source: ConflictSource = { from: 'worktree', worktree: input.worktree }
  const { item, set } = await readers.reader.item(repo, source, input.item)
  const changed: Refusal = { refusal: 'conflict-changed', path: item.path }
  if (item.fingerprint !== input.fingerprint || item.state === 'resolved') return no(changed)
  const setup = { repo, git: place.reading, source, texts: readers.texts }
  const decided = await decidedResult(setup, item, input.draft)
  if ('refusal' in decided) return no(decided.refusal)
  const { result } = decided
  const refusal = await writeResult(operation, place, item, result, input.overDisk)
  if (refusal) return no(refusal)
  const left = set.items.filter((one) => one.state !== 'resolved' && one.id !== item.id).length
  return { resolved: true, operationId: operation.id, result: [...result], left }
}

/** Makes index and files of a worktree say what was decided; a refusal where that cannot be. */
export async function writeResult(
  operation: RunningOperation,
  place: SettlePlace,
  item: ConflictItem,
  result: readonly ResultEntry[],
  overDisk: string | null,
): Promise<Refusal | null> {
  const files = result.filter((one) => one.mode.startsWith('100')).map((one) => one.path)
  const untrusted = operation.trusted ? [] : await ownFilters(place, [], files)
  if (untrusted.length > 0) return { refusal: 'not-trusted', items: untrusted }
  const begun = await beginSteps(operation, place, item)
  const look = (index: LockedIndex) => stepsOf(operation, place, item, result, overDisk, index)
  return runSteps(operation, place, begun, look, { ...outcomeOf(begun), result })
}

async function stepsOf(
  operation: RunningOperation,
  place: SettlePlace,
  item: ConflictItem,
  result: readonly ResultEntry[],
  overDisk: string | null,
  index: LockedIndex,
): Promise<Steps> {
  const { git } = place
  const changed: Steps = { refusal: { refusal: 'conflict-changed', path: item.path } }
  const paths = [...new Set([...item.paths, ...item.stages.map((one) => one.path)])]
  for (const path of paths) {
    const entries = index.entries.get(path) ?? []
    const unmerged = entries.filter((one) => one.stage !== 0)
    if (!sameEntries(unmerged, stagesOf(item.stages, path))) return changed
  }
  const wanted = new Map(result.map((one) => [one.path, one]))
  const disk = { git, objects: operation.repo.objects }
  const onDisk = await lookAtItem(place, paths, item.stages)
  const all = [...new Set([...paths, ...wanted.keys()])]
  const clash = findPathClash(git.cwd, all, wanted, index.entries)
  if (clash) return { refusal: clash }
  const steps: PathStep[] = []
  const strangers: string[] = []
  for (const path of all) {
    const found = onDisk.found.get(path) ?? lookAt(git.cwd, path)
    const entry = wanted.get(path)
    const to = formOf(entry)
    const settled = (await compareForm(disk, path, found, to)) === 'same'
    if (!onDisk.found.has(path) && found.is !== 'nothing' && !settled) strangers.push(path)
    if (onDisk.edited.includes(path) && !settled && onDisk.digest !== overDisk) strangers.push(path)
    steps.push({
      path,
      index: {
        from: index.entries.get(path) ?? [],
        to: entry ? [{ stage: 0, mode: entry.mode, oid: entry.oid }] : [],
      },
      disk: { from: await captureForm(git, found), to: staysAsItIs(found, entry) ? { is: 'as-it-is' } : to },
    })
  }
  if (strangers.length > 0) return { refusal: { refusal: 'edited-on-disk', paths: strangers } }
  steps.push(...(await findLeftovers(place, item, index.entries, new Set(all))))
  return { steps }
}

const formOf = (entry: ResultEntry | undefined): DiskForm =>
  entry === undefined ? { is: 'nothing' } : { is: 'checkout', mode: entry.mode, oid: entry.oid }

/** A submodule's own working tree is never touched: neither filled, nor moved, nor removed. */
const staysAsItIs = (found: Found, entry: ResultEntry | undefined): boolean =>
  found.is === 'folder' && (entry === undefined || entry.mode === '160000')
