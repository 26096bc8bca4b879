import type { ConflictSet } from '../../shared/model/index.ts'

/** Asks a core of the repository in a folder. */
export type AskOf = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>

/**
 * The parameters of an act on the conflicts of a worktree, or of a branch: the folder and what waits there differ from
 * copy to copy. `conflict` names the path, or is empty where the whole operation is meant; `lines` says how many conflicts
 * its text has.
 */
export async function completed(
  params: Readonly<Record<string, unknown>>,
  dir: string,
  ask: AskOf,
): Promise<Readonly<Record<string, unknown>>> {
  const { conflict, lines, branch, ...rest } = params
  if (typeof conflict !== 'string') return params
  const source = typeof branch === 'string' ? { from: 'branch', branch } : { from: 'worktree', worktree: dir }
  if (conflict === '') return { ...rest, source }
  const { sets } = (await ask('conflicts.list', {})) as { sets: ConflictSet[] }
  const item = sets
    .filter((set) => set.source.from === source.from)
    .flatMap((set) => set.items)
    .find((one) => one.paths.includes(conflict))
  if (!item) throw new Error(`no conflict at ${conflict}`)
  const draft = {
    version: 1,
    lines: Array.from({ length: Number(lines ?? 0) }, () => ({ take: 'theirs', by: 'mine' })),
    edits: [],
    choice: item.choices.at(-1)?.id ?? null,
    dropped: [],
  }
  return { ...rest, source, item: item.id, fingerprint: item.fingerprint, draft, overDisk: null }
}
