import { createHash } from 'node:crypto'
import type { ConflictChoice, ConflictItem, ConflictSet, Who } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { MergeTool } from '../../ports.ts'
import type { ConflictProvider } from '../provider.ts'
import { lineConflicts, openIn } from '../text/lineConflicts.ts'
import { areTexts } from '../text/prepare.ts'
import { fingerprintOf, pathInRepository, readToolFiles, type ToolFiles } from './toolFiles.ts'

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
    const item = withLeft(repo, itemOf(found, ours, theirs, state))
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

function itemOf(files: ToolFiles, ours: Who, theirs: Who, state: ToolState): ConflictItem {
  const { path, sides, stages } = files
  const fingerprint = fingerprintOf(stages)
  const lines = areTexts(sides)
  return {
    id: createHash('sha256').update(`tool\0${path}`).digest('hex').slice(0, 16),
    path,
    paths: [path],
    kind: lines ? (sides.base === null ? 'add-add' : 'text') : 'binary',
    sentence:
      sides.base === null
        ? `${ours.name} and ${theirs.name} both created this file.`
        : `${ours.name} and ${theirs.name} both changed this file.`,
    stages: [...stages],
    fingerprint,
    state: state.resolved === fingerprint ? 'resolved' : 'open',
    lines,
    choices: lines ? [] : choicesOf(files, ours, theirs),
    total: lines ? lineConflicts(fingerprint, sides) : 1,
    left: null,
    rerere: 'none',
  }
}

function choicesOf({ path, stages }: ToolFiles, ours: Who, theirs: Who): ConflictChoice[] {
  const choice = (stage: 1 | 2 | 3, id: 'base' | 'ours' | 'theirs', label: string): ConflictChoice[] => {
    const found = stages.find((one) => one.stage === stage)
    if (found === undefined) return []
    return [{ id, side: id, label, result: [{ path, mode: found.mode, oid: found.oid }], notes: [] }]
  }
  return [
    ...choice(2, 'ours', `Take ${ours.name}'s file`),
    ...choice(3, 'theirs', `Take ${theirs.name}'s file`),
    ...choice(1, 'base', 'Keep the version before both'),
  ]
}
