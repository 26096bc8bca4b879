import type { ConflictItem, ConflictSet, Who } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { MergeTool } from '../../ports.ts'
import type { ConflictProvider } from '../provider.ts'
import { openIn } from '../text/lineConflicts.ts'
import { type Blob, holdsOf } from '../worktree/content.ts'
import { itemOf } from '../worktree/item.ts'
import { pathInRepository, readToolFiles, type ToolFiles } from './toolFiles.ts'

/** What was done about the file so far in this process. */
export interface ToolState {
  /** The fingerprint of the sides whose result stands in the file. */
  resolved: string | null
}

/**
 * The one file that `daybreak mergetool` was called for. `worktree`: the conflicts that git itself has in the working tree,
 * which know who stands behind the sides.
 */
export function toolProvider(
  tool: MergeTool | undefined,
  state: ToolState,
  worktree: ConflictProvider,
): ConflictProvider {
  const files = async (repo: RepositoryContext): Promise<ToolFiles | null> => {
    const path = tool === undefined ? null : pathInRepository(repo, tool)
    return tool === undefined || path === null ? null : readToolFiles(tool, path, await hashOf(repo))
  }
  const find = async (repo: RepositoryContext): Promise<ConflictSet | null> => {
    const found = await files(repo)
    if (found === null) return null
    const { ours, theirs, baseLabel } = await namesOf(repo, found.path, worktree)
    const item = withLeft(repo, described(found, ours, theirs, state))
    const done = item.state === 'resolved'
    return {
      source: { from: 'tool' },
      operation: 'mergetool',
      title: `Merging ${found.path}`,
      ours,
      theirs,
      baseLabel,
      items: [item],
      step: null,
      proceed: { able: done, why: done ? null : 'This file is not resolved yet.', label: 'Done' },
      abort: { able: !done, why: done ? 'The result is written.' : null, label: 'Give up' },
    }
  }
  return {
    list: async (repo) => {
      const set = await find(repo)
      return set === null ? [] : [set]
    },
    find,
    blob: async (repo, _source, oid) => (await files(repo))?.blobs.get(oid) ?? null,
  }
}

function withLeft(repo: RepositoryContext, item: ConflictItem): ConflictItem {
  const left = openIn(repo, { from: 'tool' }, item)
  return { ...item, left, state: item.state === 'open' && left === 0 ? 'decided' : item.state }
}

async function hashOf(repo: RepositoryContext): Promise<'sha1' | 'sha256'> {
  const format = await repo.git.text(['rev-parse', '--show-object-format'])
  return format === 'sha256' ? 'sha256' : 'sha1'
}

async function namesOf(repo: RepositoryContext, path: string, worktree: ConflictProvider) {
  const source = { from: 'worktree', worktree: repo.worktree ?? '' } as const
  const set = repo.worktree === null ? null : await worktree.find(repo, source)
  if (set?.items.some((one) => one.paths.includes(path))) return set
  const who = (name: string): Who => ({ name, branch: null, oid: null, author: null, at: null, subject: null })
  return { ours: who('Local'), theirs: who('Remote'), baseLabel: 'the version before both' }
}

function described({ path, stages, blobs }: ToolFiles, ours: Who, theirs: Who, state: ToolState): ConflictItem {
  const looked = new Map<string, Blob>(
    [...blobs].map(([oid, bytes]) => [oid, { size: bytes.length, holds: holdsOf(bytes), bytes }]),
  )
  const item = itemOf({
    place: 'tool',
    group: { path, stages, shape: { is: 'one' } },
    ours,
    theirs,
    blobs: looked,
    own: { ours: new Map(), theirs: new Map() },
    bySide: false,
    folder: [],
    unmerged: new Set([path]),
  })
  return state.resolved === item.fingerprint ? { ...item, state: 'resolved' } : item
}
