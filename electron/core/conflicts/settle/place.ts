import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../../../shared/errors/index.ts'
import type { Refusal } from '../../../../shared/model/index.ts'
import { readCheckouts } from '../../git/checkouts.ts'
import type { ConfigEntry } from '../../git/drivers.ts'
import type { Git } from '../../git/process.ts'
import { readConfigWithFilters } from '../../git/worktreeConfig.ts'
import type { RunningOperation } from '../../operations/running.ts'

/** The worktree in which conflicts are settled. */
export interface SettlePlace {
  /** Runs in the worktree's top folder; the repository's own filters act where it is trusted. */
  readonly git: Git
  /** The same with everything of the repository's own out of force. */
  readonly reading: Git
  readonly worktree: string
  readonly gitDir: string
  readonly commonDir: string
  readonly config: readonly ConfigEntry[]
}

/** Finds the worktree anew. Errors: ERR_NO_SUCH_CONFLICT where it is not one of the repository any more. */
export async function findPlace(
  operation: Pick<RunningOperation, 'repo' | 'git' | 'reading'>,
  worktree: string,
): Promise<SettlePlace | { readonly refusal: Refusal }> {
  const { repo } = operation
  const config = await readConfigWithFilters(repo.git, repo.repository.commonDir)
  const checkouts = await readCheckouts(repo.git, repo.repository, config)
  const found = checkouts.find((one) => one.path === worktree)
  if (!found || found.missing || found.gitDir === null)
    throw new AppError('ERR_NO_SUCH_CONFLICT', { what: worktree.toWellFormed() })
  if (found.outside !== null) return { refusal: { refusal: 'worktree-outside', worktree, target: found.outside } }
  return {
    git: operation.git.at(worktree),
    reading: operation.reading.at(worktree),
    worktree,
    gitDir: found.gitDir,
    commonDir: repo.repository.commonDir,
    config,
  }
}

/** What is read to tell one stop of an operation from another. */
const STATE_FILES = [
  'HEAD',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'REBASE_HEAD',
  'rebase-merge/stopped-sha',
  'rebase-merge/onto',
  'rebase-apply/next',
  'rebase-apply/orig-head',
]

/** What git is in the middle of here, as something to compare: another stop or another operation is another text. */
export async function duringOf(git: Git, gitDir: string): Promise<string> {
  const head = await git.run(['rev-parse', '-q', '--verify', 'HEAD^0'], { ok: [0, 1, 128] })
  const hash = createHash('sha256').update(head.stdout)
  for (const name of STATE_FILES) {
    const file = join(gitDir, name)
    const bytes = existsSync(file) ? readFileSync(file) : null
    hash.update(JSON.stringify([name, bytes?.length ?? null])).update(bytes ?? '')
  }
  return hash.digest('hex').slice(0, 32)
}
