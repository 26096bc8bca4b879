import { AppError } from '../../../../shared/errors/index.ts'
import type { DocumentVersion, DocumentVersions } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { readCommits, trailerValues } from '../../git/log.ts'
import { versionsOf } from '../versions/versions.ts'
import { readingPath } from './documentPath.ts'
import { ACTOR, SESSION } from './fetch.ts'

/**
 * The versions of a document, the newest first, at most `limit`; those that left trunk too, as long as their commits
 * are there. Errors: ERR_NO_SUCH_DOCUMENT, ERR_BAD_PATH.
 */
export async function listVersions(repo: RepositoryContext, given: string, limit: number): Promise<DocumentVersions> {
  const path = readingPath(given)
  const all = await versionsOf(repo).all(path)
  const newest = all.findLast((one) => !one.rewritten)
  const highest = all.at(-1)
  if (!highest) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
  const listed = all.reverse().slice(0, limit)
  const commits = await readCommits(
    repo.git,
    listed.map((one) => one.commit),
  )
  const versions = listed.flatMap(({ version, commit, oid, rewritten }): DocumentVersion[] => {
    const facts = commits.get(commit)
    if (!facts) return []
    return [
      {
        version,
        commit,
        oid,
        at: facts.at,
        author: facts.author,
        actor: trailerValues(facts, ACTOR)[0] ?? null,
        session: trailerValues(facts, SESSION)[0] ?? null,
        subject: facts.subject,
        rewritten,
      },
    ]
  })
  return { path, current: (newest ?? highest).version, archived: (newest?.oid ?? null) === null, versions }
}
