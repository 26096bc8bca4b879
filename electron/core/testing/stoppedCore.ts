import { expect } from 'vitest'
import type { ConflictRepo } from '../../../e2e/support/conflicts.ts'
import { expectNoLocks, type OpenedCore, type OpenOptions, openCore } from '../../../e2e/support/core.ts'
import { copyRepo, workingTree } from '../../../e2e/support/index.ts'
import { type DraftModel, draftModel } from '../../../shared/merge/draft/index.ts'
import type { ConflictItem, ConflictSet, Draft, LineDecision } from '../../../shared/model/index.ts'

/** A core that has a repository open in which git stopped in conflicts. */
export interface Stopped extends OpenedCore {
  readonly repo: ConflictRepo
  readonly source: { readonly from: 'worktree'; readonly worktree: string }
  /** What waits here; null where nothing does. */
  set(): Promise<ConflictSet | null>
  item(path: string): Promise<ConflictItem>
}

export async function openStopped(repo: ConflictRepo, options: OpenOptions = {}): Promise<Stopped> {
  const opened = await openCore(repo, options)
  const source = { from: 'worktree', worktree: repo.dir } as const
  const set = async () => {
    const { sets } = await opened.ask('conflicts.list', {})
    return sets.find((one) => one.source.from === 'worktree' && one.source.worktree === repo.dir) ?? null
  }
  return {
    ...opened,
    repo,
    source,
    set,
    item: async (path) => {
      const found = (await set())?.items.find((one) => one.paths.includes(path))
      if (!found) throw new Error(`no conflict at ${path}`)
      return found
    },
  }
}

/** A copy of a repository that stopped in its main working tree. */
export const copyOf = (repo: ConflictRepo): ConflictRepo => {
  const copy = copyRepo(repo)
  return { ...repo, ...copy, main: copy }
}

/** A draft of an item: every conflict in its lines decided alike, and a choice. */
export async function draftOf(
  { ask, source }: Pick<Stopped, 'ask' | 'source'>,
  item: ConflictItem,
  take: LineDecision['take'] | ((conflict: number) => LineDecision | null) = 'ours',
  choice?: string,
): Promise<Draft> {
  let count = 0
  if (item.lines)
    count =
      item.total === null
        ? (await modelOf({ ask, source }, item)).conflicts.length
        : item.total - Number(item.choices.length > 0)
  const decide = typeof take === 'function' ? take : (): LineDecision => ({ take: take as 'ours', by: 'mine' })
  return {
    version: 1,
    lines: Array.from({ length: count }, (_, at) => decide(at)),
    edits: [],
    choice: choice ?? item.choices[0]?.id ?? null,
    dropped: [],
  }
}

/** The draft with every line dropped on purpose that its result lacks without a decision. */
export async function droppingLost(
  { ask, source }: Pick<Stopped, 'ask' | 'source'>,
  { id, fingerprint }: ConflictItem,
  draft: Draft,
): Promise<Draft> {
  const { audit } = await ask('conflicts.check', { source, item: id, fingerprint, draft })
  const dropped = audit.flatMap(({ needs, side, text }) => (needs && side !== 'result' ? [{ side, text }] : []))
  return { ...draft, dropped: [...draft.dropped, ...dropped] }
}

export async function modelOf(
  { ask, source }: Pick<Stopped, 'ask' | 'source'>,
  item: ConflictItem,
): Promise<DraftModel> {
  const { merge } = await ask('conflicts.get', { source, item: item.id })
  if (merge === null) throw new Error(`${item.path} has no lines`)
  return draftModel(merge)
}

/** Marks an item resolved and expects that it was. */
export async function resolveItem(stopped: Stopped, item: ConflictItem, draft: Draft, overDisk: string | null = null) {
  const { ask, source } = stopped
  const outcome = await ask('conflicts.resolve', {
    source,
    item: item.id,
    fingerprint: item.fingerprint,
    draft,
    overDisk,
  })
  if (!outcome.resolved) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`)
  return outcome
}

/** Marks every item resolved, by the first choice and our lines. */
export async function resolveAll(
  stopped: Stopped,
  take: 'ours' | 'theirs' | 'ours-then-theirs' = 'ours',
): Promise<void> {
  for (const item of (await stopped.set())?.items ?? [])
    if (item.state !== 'resolved') await resolveItem(stopped, item, await draftOf(stopped, item, take))
}

/** All that can be told of a worktree: index, files as bytes, refs, state files of git's. */
export function stateOf(repo: ConflictRepo) {
  return {
    index: repo.git('ls-files', '-s', '-z'),
    files: workingTree(repo.dir),
    refs: repo.refs(),
    status: repo.git('status', '--porcelain=v2', '-z', '--untracked-files=all'),
  }
}

/** Checks what holds after every act: objects are whole, no lock is left. */
export function expectSound(repo: ConflictRepo): void {
  repo.fsck()
  expectNoLocks(repo)
}

/** The index agrees with what was decided: nothing of the item is unmerged, and each path is there as it should be. */
export function expectResult(
  repo: ConflictRepo,
  item: ConflictItem,
  result: readonly { path: string; mode: string; oid: string }[],
): void {
  const rows = repo.git('ls-files', '-s', '-z').split('\0').filter(Boolean)
  const of = (path: string) => rows.filter((row) => row.slice(row.indexOf('\t') + 1) === path)
  const odd = (path: string) => !path.isWellFormed()
  for (const path of new Set([...item.paths, ...result.map((one) => one.path)])) {
    if (odd(path)) continue
    const entry = result.find((one) => one.path === path)
    expect(of(path)).toEqual(entry ? [`${entry.mode} ${entry.oid} 0\t${path}`] : [])
  }
}
