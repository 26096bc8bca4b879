import type { Who } from '../../../../shared/model/index.ts'
import type { Names } from '../../conflicts/text/check/warningRows.ts'
import { readCommit } from '../../conflicts/worktree/commitFacts.ts'
import type { RepositoryContext } from '../../context.ts'
import type { StoredCandidate } from '../../store/candidates.ts'

type Row = Pick<StoredCandidate, 'actor' | 'session' | 'message' | 'createdAt' | 'headCommit'>

/** Who stands behind the sides of a candidate: who offered it, and who wrote the head it met. Their names differ. */
export async function whoOf(repo: RepositoryContext, row: Row): Promise<{ readonly ours: Who; readonly theirs: Who }> {
  const commit = await readCommit(repo, row.headCommit)
  const author = commit?.author ?? 'trunk'
  const same = author === row.actor
  const ours: Who = {
    name: same ? `${row.actor} (candidate)` : row.actor,
    branch: null,
    oid: null,
    author: row.actor,
    at: row.createdAt,
    subject: row.message,
  }
  const theirs: Who = {
    name: author,
    branch: repo.repository.trunk.branch,
    oid: commit?.oid ?? null,
    author: commit?.author ?? null,
    at: commit?.at ?? null,
    subject: commit?.subject ?? null,
  }
  return { ours, theirs }
}

/** The names alone, for sentences. */
export async function namesOf(repo: RepositoryContext, row: Row): Promise<Names> {
  const { ours, theirs } = await whoOf(repo, row)
  return { ours: ours.name, theirs: theirs.name }
}
