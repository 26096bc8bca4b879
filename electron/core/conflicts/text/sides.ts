import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { ConflictItem, ConflictSource } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { diskPath } from '../../git/diskState.ts'
import { gitDirOf } from '../../git/gitDirOf.ts'
import type { ConflictReader } from '../provider.ts'
import { recordedOf } from '../worktree/rerere.ts'
import type { TextInput } from './jobs.ts'

/** The bytes of an item's sides, and what rerere has for it. Null where ours or theirs is not there. */
export async function readSides(
  reader: ConflictReader,
  repo: RepositoryContext,
  source: ConflictSource,
  item: ConflictItem,
): Promise<TextInput | null> {
  const of = (stage: 1 | 2 | 3) => item.stages.find((one) => one.stage === stage)?.oid
  const [base, ours, theirs] = item.sides
    ? [item.sides.base ?? undefined, item.sides.ours, item.sides.theirs]
    : [of(1), of(2), of(3)]
  if (ours === undefined || theirs === undefined) return null
  const read = (oid: string) => reader.blob(repo, source, oid)
  const [b, o, t] = await Promise.all([base === undefined ? null : read(base), read(ours), read(theirs)])
  const recorded =
    item.rerere === 'none' || source.from !== 'worktree' ? null : await recordedFor(repo, source.worktree, item)
  const hash = createHash('sha256').update(JSON.stringify([base ?? null, ours, theirs]))
  if (recorded !== null) hash.update(recorded)
  return { key: hash.digest('hex'), sides: { base: b, ours: o, theirs: t }, recorded }
}

/** The whole file that rerere has for a path: what it wrote itself, else what is recorded for its conflicts. */
async function recordedFor(repo: RepositoryContext, worktree: string, item: ConflictItem): Promise<Uint8Array | null> {
  try {
    if (item.rerere === 'written') return readFileSync(diskPath(worktree, item.path))
    const git = repo.git.at(worktree)
    const gitDir = await gitDirOf(git)
    return await recordedOf({ git, gitDir, commonDir: repo.repository.commonDir }, item)
  } catch {
    // rerere forgets in its own time: then there is nothing to show.
    return null
  }
}

/** What the drafts of a source are kept under; a repository that is moved as a whole keeps them. */
export function sourceKey(repo: RepositoryContext, source: ConflictSource): string {
  if (source.from === 'branch') return `branch:${source.branch}`
  if (source.from === 'tool') return 'tool'
  if (source.from === 'candidate') return `candidate:${source.candidate}`
  return `worktree:${JSON.stringify(relative(repo.repository.commonDir, source.worktree))}`
}
