import { isGeneratedList, isStoreFile, ledgerPath, type Mark, type Refusal } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { type TreeEntry, treePaths } from '../git/touched.ts'
import type { BranchFacts } from '../inbox/facts.ts'
import { heldMarks } from './heldMarks.ts'
import { parseLedger } from './ledger.ts'
import { danglingLinks } from './links.ts'
import type { ReviewItem } from './reviewItems.ts'

/** What leaving some files out of a night comes to. */
export interface LeftOutPlan {
  readonly items: readonly ReviewItem[]
  /** The entries that go back to what the merge base has. */
  readonly entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[]
  readonly held: readonly Mark[]
  /** The ledger without the held marks, null where it stays as it is; empty: it goes. */
  readonly ledger: { readonly path: string; readonly bytes: Buffer } | null
  readonly stale: readonly string[]
  readonly dangling: readonly { readonly path: string; readonly target: string }[]
}

export interface LeaveOutInput {
  readonly run: string
  readonly tip: string
  readonly facts: BranchFacts
  readonly except: readonly string[]
}

type NotLeftOut = Extract<Refusal, { refusal: 'cannot-leave-out' }>['paths'][number]
type Reading = Pick<RepositoryContext, 'git' | 'objects'>

/** Works it out, reading only. Naming either half of a pair leaves the pair out. */
export async function planLeaveOut(
  repo: Reading,
  input: LeaveOutInput,
): Promise<LeftOutPlan | { readonly refusal: Refusal }> {
  const { facts, tip } = input
  const byPath = new Map<string, ReviewItem>()
  for (const item of facts.items) {
    if (item.fromPath !== null) byPath.set(item.fromPath, item)
    byPath.set(item.path, item)
  }
  const refused: NotLeftOut[] = []
  for (const path of input.except) {
    if (isStoreFile(path)) refused.push({ path, why: 'store-file' })
    else if (!byPath.has(path)) refused.push({ path, why: 'not-changed' })
  }
  if (refused.length > 0) return { refusal: { refusal: 'cannot-leave-out', paths: refused } }
  const items = [...new Set(input.except.map((path) => byPath.get(path) as ReviewItem))]
  const stays = facts.items.some((item) => !item.generated && !items.includes(item))
  if (!stays) {
    const paths = items.map(({ path }): NotLeftOut => ({ path, why: 'everything' }))
    return { refusal: { refusal: 'cannot-leave-out', paths } }
  }
  const entries = items.flatMap(restored)
  const paths = new Set(await treePaths(repo.git, tip))
  const clashes = clashesOf(paths, entries)
  if (clashes.length > 0) return { refusal: { refusal: 'path-clash', clashes } }
  const ledger = await repo.objects.read(`${tip}:${ledgerPath(input.run)}`)
  const held = ledger ? await heldMarks(repo, parseLedger(ledger.bytes), items) : []
  return {
    items,
    entries,
    held,
    ledger: ledger && held.length > 0 ? { path: ledgerPath(input.run), bytes: withoutMarks(ledger.bytes, held) } : null,
    stale: staleLists(facts.items, items),
    dangling: await danglingLinks(repo, facts.items, items, paths, entries),
  }
}

/** The entries of an item as the merge base has them; what the night put elsewhere goes. */
function restored(item: ReviewItem): { path: string; entry: TreeEntry | null }[] {
  const old = item.oldOid && item.oldMode ? { mode: item.oldMode, oid: item.oldOid } : null
  if (item.fromPath === null) return [{ path: item.path, entry: old }]
  return [
    { path: item.path, entry: null },
    { path: item.fromPath, entry: old },
  ]
}

/** A file that comes back where the night has a folder, or below what the night made a file. */
function clashesOf(
  tip: ReadonlySet<string>,
  entries: readonly { readonly path: string; readonly entry: TreeEntry | null }[],
): { file: string; inside: string }[] {
  const gone = new Set(entries.filter((one) => one.entry === null).map((one) => one.path))
  const back = new Set(entries.filter((one) => one.entry !== null).map((one) => one.path))
  const files = new Set([...tip].filter((path) => !gone.has(path)))
  for (const path of back) files.add(path)
  const found: { file: string; inside: string }[] = []
  for (const path of files)
    for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1)) {
      const file = path.slice(0, cut)
      if (files.has(file) && (back.has(file) || back.has(path))) found.push({ file, inside: path })
    }
  return found
}

/** Generated lists of the night that list a folder from which something is left out. */
function staleLists(all: readonly ReviewItem[], out: readonly ReviewItem[]): string[] {
  const left = out.flatMap((item) => [item.path, ...(item.fromPath === null ? [] : [item.fromPath])])
  return all
    .filter((item) => item.newOid !== null && isGeneratedList(item.path) && !out.includes(item))
    .map((item) => item.path)
    .filter((path) => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      return left.some((one) => one.startsWith(folder))
    })
}

/** A ledger's bytes without the lines of these marks; all other lines keep theirs. */
function withoutMarks(bytes: Uint8Array, held: readonly Mark[]): Buffer {
  const drop = new Set(held.map((mark) => JSON.stringify(mark)))
  const kept: Buffer[] = []
  const buffer = Buffer.from(bytes)
  for (let from = 0; from < buffer.length; ) {
    const end = buffer.indexOf(10, from)
    const line = buffer.subarray(from, end === -1 ? buffer.length : end + 1)
    const [mark] = parseLedger(line)
    if (!mark || !drop.has(JSON.stringify(mark))) kept.push(line)
    from += line.length
  }
  return Buffer.concat(kept)
}
