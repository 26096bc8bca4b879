import { AppError } from '../../../../shared/errors/index.ts'
import type { BatchRow, ConflictSource } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { readWorktrees } from '../../git/worktrees.ts'
import { runVerb } from '../../operations/verb.ts'
import type { ConflictReader } from '../provider.ts'
import type { ConflictSettling } from '../settling.ts'
import type { ConflictTexts } from '../text/texts.ts'
import { abortOperation } from './abortOperation.ts'
import { previewBatch, takeWhole } from './batch.ts'
import { proceed } from './proceed.ts'
import { reopen, reopenByGit, standingOf } from './reopen.ts'
import { resolve } from './resolve.ts'

/** Settles the conflicts that git left in a working tree. */
export function settleWorktree(
  core: CoreContext,
  reader: ConflictReader,
  texts: Pick<ConflictTexts, 'decided'>,
): ConflictSettling {
  return {
    async resolve({ repoId, source, item, fingerprint, draft, overDisk }, caller) {
      const worktree = worktreeOf(source)
      const branch = await branchOf(core.repo(repoId), worktree)
      return runVerb(
        { core, repoId, verb: 'resolve', branch, caller },
        (operation) => resolve(operation, { reader, texts }, { worktree, item, fingerprint, draft, overDisk }),
        (outcome) => (outcome.resolved ? null : outcome.refusal),
      )
    },
    async reopen({ repoId, source, item }, caller) {
      const repo = core.repo(repoId)
      const worktree = worktreeOf(source)
      return runVerb(
        { core, repoId, verb: 'reopen', branch: await branchOf(repo, worktree), caller },
        async (operation) => {
          const standing = await standingOf(repo, worktree, item)
          if (standing) return reopen(operation, standing)
          return reopenByGit(operation, worktree, (await reader.item(repo, source, item)).item)
        },
        (outcome) => (outcome.reopened ? null : outcome.refusal),
      )
    },
    previewBatch: ({ repoId, source, items, take }) => previewBatch(core.repo(repoId), reader, source, items, take),
    async batch({ repoId, source, items, take }, caller) {
      const worktree = worktreeOf(source)
      const repo = core.repo(repoId)
      const branch = await branchOf(repo, worktree)
      // Read once: whether an item is still as it was is seen again under the lock.
      const set = await reader.set(repo, source)
      const chosen = items.map(({ item: id, fingerprint }) => {
        const item = set.items.find((one) => one.id === id)
        if (!item) throw new AppError('ERR_NO_SUCH_CONFLICT', { what: id })
        return { item, fingerprint }
      })
      const rows: BatchRow[] = []
      for (const { item, fingerprint } of chosen)
        rows.push(
          await runVerb(
            { core, repoId, verb: 'resolve', branch, caller },
            (operation) => takeWhole(operation, reader, { worktree, set, item, fingerprint, take }),
            (row) => row.refusal,
          ),
        )
      return rows
    },
    async proceed({ repoId, source }, caller) {
      const worktree = worktreeOf(source)
      return runVerb(
        { core, repoId, verb: 'continue', branch: await branchOf(core.repo(repoId), worktree), caller },
        async (operation) => proceed(operation, await reader.set(operation.repo, source), worktree),
        (outcome) => (outcome.done ? null : outcome.refusal),
      )
    },
    async abort({ repoId, source }, caller) {
      const worktree = worktreeOf(source)
      return runVerb(
        { core, repoId, verb: 'abort-operation', branch: await branchOf(core.repo(repoId), worktree), caller },
        async (operation) => abortOperation(operation, await reader.set(operation.repo, source), worktree),
        (outcome) => (outcome.done ? null : outcome.refusal),
      )
    },
  }
}

function worktreeOf(source: ConflictSource): string {
  if (source.from !== 'worktree') throw new AppError('ERR_NO_SUCH_CONFLICT', { what: source.from })
  return source.worktree
}

/** The branch that a worktree is on, or that a rebase in it will come back to; `HEAD` where it is on none. */
async function branchOf(repo: RepositoryContext, worktree: string): Promise<string> {
  const found = (await readWorktrees(repo.git, repo.repository.commonDir)).find((one) => one.path === worktree)
  return found?.branch ?? found?.claims[0] ?? 'HEAD'
}
