import type { RepositoryContext } from '../../context.ts'

/** What a side's heading says of a commit. */
export interface CommitFacts {
  readonly oid: string
  readonly parents: readonly string[]
  readonly author: string | null
  /** The author's time, ISO 8601 UTC. */
  readonly at: string | null
  readonly subject: string | null
}

/** Reads a commit; null where there is none by that name. */
export async function readCommit(repo: Pick<RepositoryContext, 'objects'>, name: string): Promise<CommitFacts | null> {
  const object = await repo.objects.read(name)
  if (object?.type !== 'commit') return null
  const text = object.bytes.toString('utf8')
  const cut = text.indexOf('\n\n')
  const head = cut === -1 ? text : text.slice(0, cut)
  const [, author, time] = /^author (.*?) ?<[^>]*> (-?\d+) [+-]\d{4}$/m.exec(head) ?? []
  return {
    oid: object.oid,
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map((found) => found[1] as string),
    author: author || null,
    at: time === undefined ? null : instant(Number(time)),
    subject: cut === -1 ? null : (text.slice(cut + 2).split('\n')[0] ?? null),
  }
}

function instant(seconds: number): string | null {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
