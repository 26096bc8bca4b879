import type { RepositoryContext } from '../../context.ts'
import { entryAt } from '../../git/trees.ts'
import { readTrunkLog } from '../../git/trunkLog.ts'

/** Every path that was ever removed on the way to a commit; null while that is not known. */
interface Removed {
  readonly base: string
  asked: number
  paths: ReadonlySet<string> | null
}

/** So many paths are asked for one by one before all of the history is read for the rest. */
const PATIENCE = 4
/** More than these are not kept. */
const MOST = 500_000

const known = new WeakMap<RepositoryContext, Removed>()

/**
 * Whether it is certain that no commit up to `base` had this path: it is not there, and nothing removed it. Only a yes
 * means something. The history is read once, beside the work of whoever asks, after a few paths were asked for.
 */
export async function wasNeverThere(repo: RepositoryContext, path: string, base: string): Promise<boolean> {
  const found = known.get(repo)
  const removed = found?.base === base ? found : { base, asked: 0, paths: null }
  if (removed !== found) known.set(repo, removed)
  removed.asked += 1
  if (removed.asked === PATIENCE) void readRemoved(repo, removed)
  if (removed.paths === null || removed.paths.has(path)) return false
  return (await entryAt(repo.objects, base, path)) === null
}

async function readRemoved(repo: RepositoryContext, removed: Removed): Promise<void> {
  const paths = new Set<string>()
  try {
    for await (const commit of readTrunkLog(repo.git, { from: null, to: removed.base, deletions: true })) {
      for (const { path } of commit.changes) paths.add(path)
      if (paths.size > MOST || known.get(repo) !== removed) return
    }
    removed.paths = paths
  } catch {
    // Each path is asked for by itself, and what is wrong is told then.
  }
}
