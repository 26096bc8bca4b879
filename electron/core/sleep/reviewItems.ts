import { hash } from 'node:crypto'
import { isGeneratedList, isMemoryPath, isStoreFile } from '../../../shared/model/phase.ts'
import type { RawChange } from '../git/diffTree.ts'

/** One reviewable file of a night, before its content was looked at. */
export interface ReviewItem {
  readonly path: string
  readonly fromPath: string | null
  readonly oldOid: string | null
  readonly newOid: string | null
  readonly oldMode: string | null
  readonly newMode: string | null
  readonly change: 'created' | 'deleted' | 'modified' | 'archived' | 'moved'
  /** `index.html`, `sitemap.xml`, `.memhtml/**`; attributes are looked at later. */
  readonly generated: boolean
  /** Identity by content, the same in every run that makes the same change: 32 hex digits. */
  readonly contentKey: string
}

type Side = Pick<RawChange, 'path'> & { readonly oid: string; readonly mode: string }

const ARCHIVED = /^archive\/\d{4}\/(.+)$/
const ORDINAL = /-\d{1,4}(?=\.[^./]+$)/

/** Whether a path is in a year's archive. */
export const inArchive = (path: string): boolean => ARCHIVED.test(path)

/** The path an archived file had before, by the mapping `archive/<YYYY>/<path>`; null for any other path. */
export const unarchived = (path: string): string | null => ARCHIVED.exec(path)?.[1] ?? null

/** Whether sleep generates the file, by its path alone. */
export const isGeneratedPath = (path: string): boolean => isStoreFile(path) || isGeneratedList(path)

/** The key of a change by what it does to which path: no commit, no time. */
export function contentKey(change: Omit<ReviewItem, 'contentKey' | 'change' | 'generated'>): string {
  const parts = [change.fromPath, change.path, change.oldMode, change.newMode, change.oldOid, change.newOid]
  return hash('sha256', parts.join('\0'), 'hex').slice(0, 32)
}

/**
 * The files of a night, sorted by path. An archived file is one item, paired by the path mapping at any similarity
 * (also where the archive added an ordinal to the name), and so is a memory that kept its file name in another
 * folder; what git takes for a rename is one item too. Generated
 * files are never paired: two lists look alike without being one file.
 */
export function reviewItems(changes: readonly RawChange[]): readonly ReviewItem[] {
  const known = paired.get(changes)
  if (known) return known
  const items = pairUp(changes)
  paired.set(changes, items)
  return items
}

/** A diff is looked at from several sides: its pairs are found once. */
const paired = new WeakMap<readonly RawChange[], readonly ReviewItem[]>()

function pairUp(changes: readonly RawChange[]): ReviewItem[] {
  const items: ReviewItem[] = []
  const gone = new Map<string, Side>()
  const born = new Map<string, Side>()
  const renames: { from: string; to: string }[] = []
  for (const change of changes) {
    if (change.status === 'M' || change.status === 'T') items.push(itemOf('modified', change, change))
    if (change.status === 'D' || change.status === 'R') {
      const path = change.fromPath ?? change.path
      gone.set(path, { path, oid: change.oldOid ?? '', mode: change.oldMode ?? '' })
    }
    if (change.status === 'A' || change.status === 'R')
      born.set(change.path, { path: change.path, oid: change.newOid ?? '', mode: change.newMode ?? '' })
    if (change.status === 'R' && isMove(change)) renames.push({ from: change.fromPath as string, to: change.path })
  }

  const pair = (from: string | null, to: string, as: 'archived' | 'moved') => {
    const old = from === null ? undefined : gone.get(from)
    const now = born.get(to)
    if (!old || !now || isGeneratedPath(old.path) || isGeneratedPath(now.path)) return
    gone.delete(old.path)
    born.delete(now.path)
    items.push(pairOf(as, old, now))
  }
  const archive = [...born.keys()].filter(inArchive)
  for (const to of archive) pair(unarchived(to), to, 'archived')
  for (const to of archive) if (born.has(to)) pair(unarchived(to.replace(ORDINAL, '')), to, 'archived')
  for (const from of [...gone.keys()]) {
    const back = unarchived(from)
    if (back !== null) pair(from, back, 'moved')
  }
  for (const { from, to } of renames) pair(from, to, inArchive(to) && !inArchive(from) ? 'archived' : 'moved')
  for (const [from, to] of sameNames(gone, born))
    pair(from, to, inArchive(to) && !inArchive(from) ? 'archived' : 'moved')

  for (const old of gone.values()) items.push(sideOf('deleted', old, null))
  for (const now of born.values()) items.push(sideOf('created', null, now))
  return items.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * Memories that went from one folder and came in another under the same file name, however much else changed: the
 * name is made of the title. Only where one alone of that name went and one alone came.
 */
function sameNames(gone: ReadonlyMap<string, Side>, born: ReadonlyMap<string, Side>): [from: string, to: string][] {
  const byName = (sides: ReadonlyMap<string, Side>) => {
    const found = new Map<string, string[]>()
    for (const path of sides.keys()) {
      if (!isMemoryPath(path) || isGeneratedPath(path)) continue
      const name = nameOf(path)
      found.set(name, [...(found.get(name) ?? []), path])
    }
    return found
  }
  const came = byName(born)
  return [...byName(gone)].flatMap(([name, [from, ...others]]): [string, string][] => {
    const [to, ...more] = came.get(name) ?? []
    return from !== undefined && to !== undefined && others.length + more.length === 0 ? [[from, to]] : []
  })
}

/** Least similarity, in percent, at which git's word is taken for it that a memory was moved. */
const SAME_MEMORY = 80

/** Two memories of other names are alike in all but a line or two: short of that they are one that went and one that came. */
const isMove = (change: RawChange): boolean =>
  (change.similarity ?? 0) >= SAME_MEMORY || !(isMemoryPath(change.path) && isMemoryPath(change.fromPath ?? ''))

/** How many files a person has to look at: a pair counts once. */
export const countItems = (changes: readonly RawChange[]): number => reviewItems(changes).length

function build(
  change: ReviewItem['change'],
  facts: Omit<ReviewItem, 'contentKey' | 'change' | 'generated'>,
): ReviewItem {
  const generated = isGeneratedPath(facts.path) || (facts.fromPath !== null && isGeneratedPath(facts.fromPath))
  let key: string | null = null
  return {
    ...facts,
    change,
    generated,
    // Only asked for where a mark may be on it: most items of most diffs never are.
    get contentKey() {
      key ??= contentKey(facts)
      return key
    },
  }
}

const itemOf = (change: 'modified', old: RawChange, now: RawChange): ReviewItem =>
  build(change, {
    path: now.path,
    fromPath: null,
    oldOid: old.oldOid,
    newOid: now.newOid,
    oldMode: old.oldMode,
    newMode: now.newMode,
  })

const pairOf = (change: 'archived' | 'moved', old: Side, now: Side): ReviewItem =>
  build(change, {
    path: now.path,
    fromPath: old.path,
    oldOid: old.oid,
    newOid: now.oid,
    oldMode: old.mode,
    newMode: now.mode,
  })

const sideOf = (change: 'created' | 'deleted', old: Side | null, now: Side | null): ReviewItem =>
  build(change, {
    path: (now ?? old)?.path ?? '',
    fromPath: null,
    oldOid: old?.oid ?? null,
    newOid: now?.oid ?? null,
    oldMode: old?.mode ?? null,
    newMode: now?.mode ?? null,
  })
