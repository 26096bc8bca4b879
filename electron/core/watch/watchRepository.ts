import type { Emit, EventPayload } from '../../../shared/contract/index.ts'
import type { RepositoryContext } from '../context.ts'
import { CLEAN_TREE, type Fingerprint, readFingerprint, readTreeFingerprint } from './fingerprint.ts'
import { createFolderWatchers, gitFolders } from './folders.ts'

type What = EventPayload<'repo.changed'>['what'][number]

export interface RepositoryWatch {
  /** Number of folders that are watched; 0 after `stop`. */
  readonly folders: () => number
  /** Ends every watcher and timer and waits for the look that runs. */
  stop(): Promise<void>
}

/** All in milliseconds. */
export interface WatchTimes {
  /** Events that come together are answered by one look. */
  readonly settle: number
  /** Everything is read again so often, working tree included. */
  readonly again: number
  /** The same without the working tree, where the system refused a watcher. */
  readonly withoutWatchers: number
}

export const WATCH_TIMES: WatchTimes = { settle: 120, again: 8000, withoutWatchers: 1500 }

/**
 * Watches a repository for what others do to it and announces it as `repo.changed`. Resolves once a change from now
 * on will be noticed. Never keeps the process alive.
 */
export async function watchRepository(
  repo: RepositoryContext,
  emit: Emit,
  log: (line: string) => void,
  times: WatchTimes = WATCH_TIMES,
): Promise<RepositoryWatch> {
  let known: Fingerprint | null = null
  // Taken for clean until it was read: a change before the first reading is announced, at the price of one event more.
  let tree = CLEAN_TREE
  let stopped = false
  let looking: Promise<void> = Promise.resolve()
  let settle: NodeJS.Timeout | null = null

  const announce = (what: readonly What[]) => {
    if (what.length > 0 && !stopped) emit('repo.changed', { repoId: repo.repository.id, what: [...what] })
  }
  const look = async (withTree: boolean) => {
    if (stopped) return
    folders.arm()
    try {
      const [now, treeNow] = await Promise.all([readFingerprint(repo), withTree ? readTreeFingerprint(repo) : tree])
      const what = known === null ? [] : differences(known, now)
      if (treeNow !== tree && !what.includes('worktree')) what.push('worktree')
      known = now
      tree = treeNow
      announce(what)
    } catch (error) {
      // The repository may be in the middle of being moved or removed; the next look tells.
      if (!stopped) log(`watching ${repo.repository.path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // At most one look waits behind the one that runs: it will see whatever happens until it starts.
  let waiting: { withTree: boolean } | null = null
  const queue = (withTree: boolean) => {
    if (waiting) {
      waiting.withTree ||= withTree
      return looking
    }
    const next = { withTree }
    waiting = next
    looking = looking.then(() => {
      waiting = null
      return look(next.withTree)
    })
    return looking
  }
  const folders = createFolderWatchers(
    () => gitFolders(repo.repository.commonDir),
    () => {
      if (stopped || settle) return
      settle = setTimeout(() => {
        settle = null
        void queue(false)
      }, times.settle)
      settle.unref()
    },
  )

  const again = every(times.again, () => queue(true))
  const poll = every(times.withoutWatchers, async () => {
    if (!folders.complete()) await queue(false)
  })
  await queue(false)
  void queue(true)
  return {
    folders: () => folders.count(),
    async stop() {
      stopped = true
      again()
      poll()
      if (settle) clearTimeout(settle)
      folders.close()
      await looking
    },
  }
}

function differences(before: Fingerprint, now: Fingerprint): What[] {
  const kinds: readonly (keyof Fingerprint & What)[] = ['refs', 'worktree', 'settings', 'marks', 'history']
  return kinds.filter((kind) => before[kind] !== now[kind])
}

/** Runs `work` at a fixed pace, never twice at once; returns the way to stop. Does not keep the process alive. */
function every(ms: number, work: () => Promise<void>): () => void {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    void work().finally(() => {
      busy = false
    })
  }, ms)
  timer.unref()
  return () => clearInterval(timer)
}
