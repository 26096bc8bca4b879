import type { ConflictItem, ConflictSource, OnDisk, Resolution } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'
import { gitDirOf } from '../git/gitDirOf.ts'
import type { ConflictReader } from './provider.ts'
import { digestOf, lookAtItem } from './settle/asGitWrote.ts'
import { lookOf, sidesOf } from './sides.ts'
import type { ConflictTexts } from './text/texts.ts'

const NOTHING: OnDisk = { state: 'none', digest: null, text: null, seen: '' }

/** One conflict with all that its page shows. Writes nothing. Errors: ERR_NO_SUCH_CONFLICT, ERR_REPOSITORY_DAMAGED, ERR_CANCELLED. */
export async function getConflict(
  reader: ConflictReader,
  texts: Pick<ConflictTexts, 'open'>,
  repo: RepositoryContext,
  given: { readonly source: ConflictSource; readonly item: string },
  signal?: AbortSignal,
): Promise<Resolution> {
  const { source } = given
  const { set, item } = await reader.item(repo, source, given.item)
  const [sides, opened, onDisk] = await Promise.all([
    sidesOf(reader, repo, source, item),
    texts.open(repo, source, item, signal),
    onDiskOf(repo, source, item),
  ])
  return {
    source,
    item,
    ours: set.ours,
    theirs: set.theirs,
    baseLabel: set.baseLabel,
    publishing: set.publishing,
    sides,
    ...opened,
    carried: [...opened.carried],
    onDisk,
  }
}

/** What lies in the working tree; only that git stopped in has anything to do with it. */
async function onDiskOf(repo: RepositoryContext, source: ConflictSource, item: ConflictItem): Promise<OnDisk> {
  if (source.from !== 'worktree' || item.state === 'resolved') return NOTHING
  const git = repo.git.at(source.worktree)
  const gitDir = await gitDirOf(git)
  const place = { git, gitDir, commonDir: repo.repository.commonDir }
  const { state, digest, edited, found } = await lookAtItem(place, item.paths, item.stages)
  const there = edited[0] === undefined ? undefined : found.get(edited[0])
  const text = there?.is === 'file' ? lookOf(there.bytes).text : null
  return { state, digest, text, seen: digestOf([...found.keys()], found) }
}
