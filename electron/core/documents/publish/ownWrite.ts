import type { RepositoryContext } from '../../context.ts'
import type { VersionFacts } from '../versions/versions.ts'
import { readTrailer } from './commitText.ts'
import type { PublishedAt } from './common.ts'

/** What a commit of trunk says of who made it. */
export interface CommitNotes {
  readonly actor: string | null
  readonly session: string | null
  /** Committer time, ISO 8601 UTC. */
  readonly at: string
  readonly author: string
  readonly subject: string
}

/** Reads a commit's author, subject and trailers; null where it is gone. */
export async function commitNotes(repo: Pick<RepositoryContext, 'objects'>, oid: string): Promise<CommitNotes | null> {
  const object = await repo.objects.read(oid)
  if (object?.type !== 'commit') return null
  const text = object.bytes.toString('utf8')
  const cut = text.indexOf('\n\n')
  const head = cut === -1 ? text : text.slice(0, cut)
  const message = cut === -1 ? '' : text.slice(cut + 2)
  const last = message.trimEnd().split(/\n\n+/).slice(1).at(-1) ?? ''
  const trailer = (key: string) => {
    const line = last.split('\n').findLast((one) => one.startsWith(`${key}: `))
    return line === undefined ? null : readTrailer(line.slice(key.length + 2))
  }
  const author = /^author (.*?) ?<[^>]*> /m.exec(head)?.[1] ?? ''
  const seconds = Number(/^committer .*> (-?\d+) [+-]\d{4}$/m.exec(head)?.[1] ?? 0)
  return {
    actor: trailer('Daybreak-Actor'),
    session: trailer('Daybreak-Session'),
    at: new Date(seconds * 1000).toISOString(),
    author,
    subject: message.split('\n')[0] ?? '',
  }
}

/** The version as a write that landed, where this actor made it in this session; else null. */
export async function ownWrite(
  repo: RepositoryContext,
  version: VersionFacts,
  actor: string,
  session: string | null,
): Promise<PublishedAt | null> {
  const notes = await commitNotes(repo, version.commit)
  if (notes === null || notes.actor !== actor || notes.session !== (session || null)) return null
  return { version: version.version, commit: version.commit, at: notes.at }
}
