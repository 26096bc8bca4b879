import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { ConflictStage } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { MergeTool } from '../../ports.ts'
import { blobId } from '../text/check/checkDraft.ts'
import type { SideBytes } from '../text/prepare.ts'

/** The files of the merge tool as they are now. */
export interface ToolFiles {
  /** Within the worktree. */
  readonly path: string
  readonly sides: SideBytes
  readonly stages: readonly ConflictStage[]
  /** Bytes by the id of each stage. */
  readonly blobs: ReadonlyMap<string, Buffer>
}

/** Where the result lies in the repository's opened worktree; null where it lies elsewhere. */
export function pathInRepository(repo: RepositoryContext, tool: MergeTool): string | null {
  if (repo.worktree === null) return null
  const folder = (path: string): string | null => {
    try {
      return realpathSync(path)
    } catch {
      return null
    }
  }
  const [top, at] = [folder(repo.worktree), folder(dirname(tool.merged))]
  if (top === null || at === null || (at !== top && !at.startsWith(top + sep))) return null
  return relative(top, join(at, basename(tool.merged)))
    .split(sep)
    .join('/')
}

/** Reads them. Null where ours or theirs is gone: git has ended, and removed its copies. */
export function readToolFiles(tool: MergeTool, path: string, hash: 'sha1' | 'sha256'): ToolFiles | null {
  const base = tool.base === null ? null : read(tool.base)
  const [ours, theirs] = [read(tool.ours), read(tool.theirs)]
  if (ours === null || theirs === null) return null
  const mode = modeOf(tool.merged)
  const blobs = new Map<string, Buffer>()
  const stages: ConflictStage[] = []
  for (const [stage, bytes] of [
    [1, base],
    [2, ours],
    [3, theirs],
  ] as const) {
    if (bytes === null) continue
    const oid = blobId(bytes, hash)
    blobs.set(oid, bytes)
    stages.push({ path, stage, mode, oid })
  }
  return { path, sides: { base, ours, theirs }, stages, blobs }
}

/** Null where it is not there; `/dev/null` is empty. */
function read(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function modeOf(path: string): string {
  try {
    return (lstatSync(path).mode & 0o100) === 0 ? '100644' : '100755'
  } catch {
    return '100644'
  }
}
