import { createHash } from 'node:crypto'
import { AppError } from '../../../../shared/errors/index.ts'
import type { FetchedDocument } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { readCommits, trailerValues } from '../../git/log.ts'
import { entryAt, isFileMode } from '../../git/trees.ts'
import type { TrunkTip } from '../versions/history.ts'
import { type VersionFacts, versionsOf } from '../versions/versions.ts'
import { readingPath, versionedPath } from './documentPath.ts'

/** The trailers that say which actor wrote a commit, and in which session. */
export const ACTOR = 'Daybreak-Actor'
export const SESSION = 'Daybreak-Session'

/** The hash of a document's bytes, as it is told. */
export const contentHashOf = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`

interface Found {
  readonly path: string
  readonly facts: VersionFacts
  readonly current: number
}

/**
 * A document at a version, the newest where none is named. `given` may end in `/vN`; where trunk has a file of exactly
 * that name, the file is meant. Errors: ERR_NO_SUCH_DOCUMENT, ERR_NO_SUCH_VERSION, ERR_BAD_PATH, ERR_REPOSITORY_DAMAGED
 * where the bytes of a version that left trunk are gone.
 */
export async function fetchDocument(
  repo: RepositoryContext,
  given: string,
  version: number | null,
): Promise<FetchedDocument> {
  const { path, facts, current } = await find(repo, readingPath(given), version)
  const damaged = (missing: string) => new AppError('ERR_REPOSITORY_DAMAGED', { path: repo.repository.path, missing })
  const commit = (await readCommits(repo.git, [facts.commit])).get(facts.commit)
  if (!commit) throw damaged(facts.commit)
  const blob = facts.oid === null ? null : await repo.objects.read(facts.oid)
  if (facts.oid !== null && blob?.type !== 'blob') throw damaged(facts.oid)
  return {
    path,
    status: blob ? 'ok' : 'archived',
    version: facts.version,
    current,
    modified: commit.at,
    contentHash: blob ? contentHashOf(blob.bytes) : null,
    ...bodyOf(blob?.bytes ?? Buffer.alloc(0)),
    author: commit.author,
    actor: trailerValues(commit, ACTOR)[0] ?? null,
    subject: commit.subject,
    commit: facts.commit,
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as text where they are UTF-8, byte for byte; else in base64. */
function bodyOf(bytes: Buffer): Pick<FetchedDocument, 'encoding' | 'body'> {
  try {
    return { encoding: 'utf-8', body: strict.decode(bytes) }
  } catch {
    return { encoding: 'base64', body: bytes.toString('base64') }
  }
}

async function find(repo: RepositoryContext, path: string, version: number | null): Promise<Found> {
  const { trunk } = await repo.sources()
  const tip = trunk.oid === null ? null : { branch: trunk.branch, oid: trunk.oid }
  if (version !== null) return findVersion(repo, path, version, tip)
  const versioned = versionedPath(path)
  if (!versioned || (await isThere(repo, path, tip))) return findHead(repo, path, tip)
  const older = await versionsOf(repo).all(versioned.path, tip ?? undefined)
  if (older.length > 0) return findVersion(repo, versioned.path, versioned.version, tip)
  // A file of that name that is not there any more, or nothing at all.
  return findHead(repo, path, tip)
}

async function isThere(repo: RepositoryContext, path: string, tip: TrunkTip | null): Promise<boolean> {
  const entry = tip && (await entryAt(repo.objects, tip.oid, path))
  return isFileMode(entry?.mode ?? null)
}

async function findHead(repo: RepositoryContext, path: string, tip: TrunkTip | null): Promise<Found> {
  const head = tip && (await versionsOf(repo).head(path, tip))
  if (!head) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
  return { path, facts: head, current: head.version }
}

async function findVersion(
  repo: RepositoryContext,
  path: string,
  version: number,
  tip: TrunkTip | null,
): Promise<Found> {
  const versions = versionsOf(repo)
  const head = tip && (await versions.head(path, tip))
  const all = head ? [] : await versions.all(path, tip ?? undefined)
  const current = head?.version ?? all.at(-1)?.version
  if (current === undefined) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
  const facts = head?.version === version ? head : await versions.at(path, version, tip ?? undefined)
  if (!facts) throw new AppError('ERR_NO_SUCH_VERSION', { path, version, current })
  return { path, facts, current }
}
