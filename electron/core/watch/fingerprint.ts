import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RepositoryContext } from '../context.ts'
import { ongoingOperation } from '../git/operationState.ts'
import { LOCAL, REMOTE } from '../git/refs.ts'
import { holdersOf, readWorktrees } from '../git/worktrees.ts'
import { storeSignature } from '../store/storeRuns.ts'

/** What is compared; equal text means that nothing changed. */
export interface Fingerprint {
  readonly refs: string
  readonly worktree: string
  readonly settings: string
  readonly marks: string
  readonly history: string
}

/** Stands for everything where the repository's folder is gone. */
const GONE: Fingerprint = { refs: 'gone', worktree: 'gone', settings: 'gone', marks: 'gone', history: 'gone' }

/** Reads refs, HEADs, worktrees, indexes, configuration and databases as they are now. Cheap: two git processes. */
export async function readFingerprint(repo: RepositoryContext): Promise<Fingerprint> {
  const { commonDir } = repo.repository
  if (!existsSync(commonDir)) return GONE
  const [refs, worktrees] = await Promise.all([
    repo.git.run(['for-each-ref', '--format=%(refname) %(objectname) %(symref)', LOCAL, REMOTE]),
    repo.git.run(['worktree', 'list', '--porcelain', '-z']),
  ])
  return {
    refs: hash(refs.stdout, worktrees.stdout),
    worktree: gitDirs(commonDir).map(stateOf).join('\n'),
    settings: [join(commonDir, 'config'), join(repo.gitDir, 'config.worktree')].map(stamp).join(' '),
    marks: repo.worktree ? storeSignature(repo.worktree) : '',
    history: String(repo.state.db.pragma('data_version', { simple: true })),
  }
}

/** What `readTreeFingerprint` gives for a tree without local changes. */
export const CLEAN_TREE = createHash('sha256').digest('hex')

/**
 * Local changes of the opened working tree, and of those that hold trunk, as one text. Dear on a big tree, so it is
 * read on the timer only.
 */
export async function readTreeFingerprint(repo: RepositoryContext): Promise<string> {
  const { commonDir } = repo.repository
  if (!existsSync(commonDir)) return CLEAN_TREE
  // `status` runs filters: what was configured since the last look is taken out of force first.
  const { trunk } = (await repo.look()).repository
  const holders = holdersOf(await readWorktrees(repo.git, commonDir), trunk.branch)
  const folders = new Set([...(repo.worktree ? [repo.worktree] : []), ...holders.map((one) => one.path)])
  const found = await Promise.all([...folders].filter((folder) => existsSync(folder)).map((at) => changesIn(repo, at)))
  return hash(...found.filter((bytes) => bytes.length > 0))
}

async function changesIn(repo: RepositoryContext, folder: string): Promise<Buffer> {
  const flags = ['--porcelain=v2', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=dirty']
  return (await repo.git.run(['status', ...flags], { cwd: folder })).stdout
}

const hash = (...parts: Uint8Array[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

/** Size, time and identity of a file; empty where there is none. */
function stamp(file: string): string {
  try {
    const stat = statSync(file, { bigint: true })
    return `${stat.ino}:${stat.size}:${stat.mtimeNs}`
  } catch {
    return ''
  }
}

const stateOf = (gitDir: string) => `${gitDir} ${stamp(join(gitDir, 'index'))} ${ongoingOperation(gitDir) ?? ''}`

function gitDirs(commonDir: string): string[] {
  try {
    const home = join(commonDir, 'worktrees')
    return [commonDir, ...readdirSync(home).map((id) => join(home, id))]
  } catch {
    return [commonDir]
  }
}
