import { isStoreFile } from '../../../shared/model/phase.ts'
import type { FileChange } from '../../../shared/model/review.ts'
import type { Git } from '../git/process.ts'
import { readDeclined } from '../store/declined.ts'
import { readLeftOut } from '../store/leftOut.ts'
import type { StateDb } from '../store/stateDb.ts'
import { readViewed, type ViewedChange, type ViewedMarks } from '../store/viewed.ts'
import type { ReviewedFile } from './review.ts'
import { readFileContent } from './reviewFile.ts'
import type { ReviewedItem } from './reviewFiles.ts'

/** Keys of a file's parts, in the two ways in which it can be looked at. */
interface PartKeys {
  readonly memory: readonly string[]
  readonly raw: readonly string[]
}

/** What the reviewer did, laid over a review. */
export interface Overlay {
  readonly marks: ViewedMarks
  readonly leftOut: ReadonlySet<string>
  readonly declined: ReadonlySet<string>
}

/** What the reviewer did to the files of a branch at these paths. */
export function readOverlay(state: StateDb, branch: string, paths: readonly string[]): Overlay {
  return { marks: readViewed(state, paths), leftOut: readLeftOut(state, branch), declined: readDeclined(state) }
}

const KEPT = 4000
const kept = new Map<string, PartKeys>()

/** Keys of the parts of a file; kept by its content, since they follow from it alone. */
export async function partKeys(git: Git, file: ReviewedItem): Promise<PartKeys> {
  const known = kept.get(file.item.contentKey)
  if (known) return known
  const content = await readFileContent(git, file)
  const keys = { memory: content.memory.map((part) => part.key), raw: content.raw.map((part) => part.key) }
  kept.set(file.item.contentKey, keys)
  if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '')
  return keys
}

/**
 * How much of a file was viewed: 'yes' when it was ticked, or every part of it in one of the two ways to look at it.
 * Only a file on whose path a mark was given is looked into.
 */
export async function viewedOf(git: Git, marks: ViewedMarks, file: ReviewedItem): Promise<FileChange['viewed']> {
  if (marks.has(file.item.contentKey)) return 'yes'
  if (file.missing !== null || !marks.onPath(file.item.path)) return 'no'
  const keys = await partKeys(git, file)
  const all = (list: readonly string[]) => list.length > 0 && list.every((key) => marks.has(key))
  if (all(keys.memory) || all(keys.raw)) return 'yes'
  return [...keys.memory, ...keys.raw].some((key) => marks.has(key)) ? 'some' : 'no'
}

/** Whether a change is among these; its key is not made where there is nothing to look in. */
const holds = (keys: ReadonlySet<string>, file: Pick<ReviewedFile, 'changeKey'>): boolean =>
  keys.size > 0 && keys.has(file.changeKey())

/** Whether a file lands on approval: not left out of this branch, nor declined on an earlier night. */
export const isIncluded = (overlay: Overlay, file: Pick<ReviewedFile, 'changeKey' | 'item'>): boolean =>
  isStoreFile(file.item.path) || !(holds(overlay.leftOut, file) || holds(overlay.declined, file))

/** A reviewed file as every door shows it. */
export async function toFileChange(git: Git, overlay: Overlay, file: ReviewedFile): Promise<FileChange> {
  const { item } = file
  return {
    path: item.path,
    fromPath: item.fromPath,
    kind: file.kind,
    format: file.format,
    fields: [...file.fields],
    gist: file.gist,
    missing: file.missing,
    oldOid: item.oldOid,
    newOid: item.newOid,
    oldMode: item.oldMode,
    newMode: item.newMode,
    phases: [...file.phases],
    commits: [...file.commits],
    foreign: file.foreign,
    contentKey: item.contentKey,
    viewed: await viewedOf(git, overlay.marks, file),
    included: isIncluded(overlay, file),
    cannotLeaveOut: isStoreFile(item.path) ? 'store-file' : null,
    declinedBefore: holds(overlay.declined, file),
    alsoOnTrunk: file.alsoOnTrunk,
  }
}

/** What ticking or unticking a file, or parts of it, does to its marks. */
export async function markChange(
  git: Git,
  marks: ViewedMarks,
  file: ReviewedFile,
  keys: readonly string[] | undefined,
  viewed: boolean,
): Promise<ViewedChange> {
  const { path, contentKey } = file.item
  if (keys === undefined) {
    if (viewed) return { path, add: [contentKey], remove: [] }
    if (file.missing !== null || !marks.onPath(path)) return { path, add: [], remove: [contentKey] }
    const parts = await partKeys(git, file)
    return { path, add: [], remove: [contentKey, ...parts.memory, ...parts.raw] }
  }
  const parts = await partKeys(git, file)
  const chosen = new Set(keys)
  if (viewed) {
    const now = (key: string) => chosen.has(key) || marks.has(key)
    const whole = [parts.memory, parts.raw].some((list) => list.length > 0 && list.every(now))
    return { path, add: whole ? [...chosen, contentKey] : [...chosen], remove: [] }
  }
  const rest = [parts.memory, parts.raw].map((list) => (list.some((key) => chosen.has(key)) ? list : []))
  const others = [parts.memory, parts.raw].flatMap((list) => (list.some((key) => chosen.has(key)) ? [] : list))
  // What a tick of the whole file covered stays viewed, but for what is unticked now.
  const kept = marks.has(contentKey) ? rest.flat().filter((key) => !chosen.has(key)) : []
  return { path, add: kept, remove: [contentKey, ...chosen, ...others] }
}

/** Marks as they will be, for a look before they are written. */
export function withChanges(marks: ViewedMarks, changes: readonly ViewedChange[]): ViewedMarks {
  const added = new Set<string>()
  const removed = new Set<string>()
  const paths = new Set<string>()
  for (const change of changes) {
    for (const key of change.remove) {
      added.delete(key)
      removed.add(key)
    }
    for (const key of change.add) {
      added.add(key)
      removed.delete(key)
    }
    if (change.add.length > 0) paths.add(change.path)
  }
  return {
    has: (key) => added.has(key) || (marks.has(key) && !removed.has(key)),
    onPath: (path) => paths.has(path) || marks.onPath(path),
  }
}
