import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** One watcher a folder, kept in step with the folders that there are. */
export interface FolderWatchers {
  /** Starts watching what is new and stops watching what is gone. */
  arm(): void
  /** Whether every folder could be watched: where the system refuses more watchers, a shorter timer takes over. */
  complete(): boolean
  count(): number
  close(): void
}

/** Watches the folders that `list` names; `onChange` is called for every event, without saying what it was. */
export function createFolderWatchers(list: () => readonly string[], onChange: () => void): FolderWatchers {
  const watchers = new Map<string, FSWatcher>()
  let refused = false
  let closed = false

  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false })
      watcher.on('change', onChange)
      // A folder that goes ends its watcher; the next `arm` looks for it again.
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') refused = true
    }
  }
  return {
    arm() {
      if (closed) return
      refused = false
      const wanted = new Set(list())
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder)
      for (const folder of wanted) if (!watchers.has(folder)) add(folder)
    },
    complete: () => !refused,
    count: () => watchers.size,
    close() {
      closed = true
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

/** A refs folder can be a tree of any size; beyond this many folders the timer has to do. */
const MOST_FOLDERS = 2000

/** The folders of a repository in which git writes refs, HEAD, an index, or the state of an operation. */
export function gitFolders(commonDir: string): string[] {
  const found = [commonDir]
  const walk = (folder: string) => {
    for (const entry of entriesOf(folder)) {
      if (!entry.isDirectory() || found.length >= MOST_FOLDERS) continue
      found.push(join(folder, entry.name))
      walk(join(folder, entry.name))
    }
  }
  const refs = join(commonDir, 'refs')
  found.push(refs)
  for (const part of ['heads', 'remotes']) {
    found.push(join(refs, part))
    walk(join(refs, part))
  }
  const worktrees = join(commonDir, 'worktrees')
  found.push(worktrees, join(commonDir, 'reftable'))
  for (const entry of entriesOf(worktrees)) if (entry.isDirectory()) found.push(join(worktrees, entry.name))
  return found
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
