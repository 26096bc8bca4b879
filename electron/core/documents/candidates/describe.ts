import { createHash } from 'node:crypto'
import type { Candidate, CandidateRow } from '../../../../shared/model/index.ts'
import type { TextRunner } from '../../conflicts/text/runner.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Ports } from '../../ports.ts'
import { type CandidateFacts, rebaseCandidate, type StoredCandidate } from '../../store/candidates.ts'
import { live } from '../publish/view.ts'
import { versionsOf } from '../versions/versions.ts'
import { type Answer, answerOf } from './answer.ts'
import { namesOf, whoOf } from './names.ts'
import { patienceOf } from './patience.ts'
import { inputOf } from './sides.ts'

export interface DescribeSetup {
  readonly repo: RepositoryContext
  readonly ports: Ports
  readonly runner: TextRunner
}

/** One candidate as the inbox lists it. */
export async function rowOf(
  { repo, ports }: Pick<DescribeSetup, 'repo' | 'ports'>,
  row: CandidateFacts,
): Promise<CandidateRow> {
  const [{ ours, theirs }, head] = await Promise.all([whoOf(repo, row), versionsOf(repo).head(row.path)])
  const personAt = personAtOf(repo, row)
  const person = row.escalatedAt !== null || Date.parse(personAt) <= ports.clock().getTime()
  const answer = answerOf(row.answer)
  return {
    id: row.id,
    item: itemId(row.id),
    path: row.path,
    state: row.state === 'open' ? (person ? 'person' : 'agent') : row.state,
    ours,
    theirs,
    actor: row.actor,
    session: row.session,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    personAt: row.escalatedAt ?? personAt,
    escalated: row.escalatedAt === null ? null : { at: row.escalatedAt, reason: row.reason ?? '' },
    baseVersion: row.baseVersion,
    currentVersion: row.headVersion,
    stale: head === null || !head.live || head.version !== row.headVersion,
    hunks: row.hunks,
    conflicts: row.conflicts,
    answer: answer === null ? null : await answered(repo, row.path, answer),
  }
}

/** How it ended, with the version that its commit is. */
async function answered(repo: RepositoryContext, path: string, answer: Answer) {
  const { by, at, commit, loss } = answer
  return { by, at, version: await versionOf(repo, path, commit), loss }
}

/** The number of the version that a commit made; null where it is none. */
export async function versionOf(repo: RepositoryContext, path: string, commit: string | null): Promise<number | null> {
  const all = commit === null ? [] : await versionsOf(repo).all(path)
  return all.find((one) => one.commit === commit)?.version ?? null
}

/** The candidate as an item of the resolver. */
export const itemId = (candidate: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['candidate', candidate]))
    .digest('hex')
    .slice(0, 16)

/** When a candidate that nobody answered becomes the person's. */
export const personAtOf = (repo: RepositoryContext, row: Pick<StoredCandidate, 'createdAt'>): string =>
  new Date(Date.parse(row.createdAt) + patienceOf(repo.state)).toISOString()

/**
 * A candidate with its hunks, merged anew with the head where the document has moved on. Where the document is archived
 * by now it stands as it was offered last.
 */
export async function describeCandidate(setup: DescribeSetup, stored: StoredCandidate): Promise<Candidate> {
  const { repo, runner } = setup
  const row = stored.state === 'open' ? await onHead(setup, stored) : stored
  const [bare, input, names] = await Promise.all([rowOf(setup, row), inputOf(repo, row), namesOf(repo, row)])
  const offer = await runner.run({ do: 'offer', input, names })
  const lost = await runner.run({ do: 'answer', input, body: offer?.body ?? row.offered })
  return {
    ...bare,
    yourVersion: row.baseVersion,
    publishAtVersion: row.headVersion,
    hasMarkers: row.conflicts > 0,
    body: Buffer.from(offer?.body ?? row.offered).toString('utf8'),
    structured: [...(offer?.hunks ?? [])],
    warnings: [...(offer?.warnings ?? [])],
    audit: [...(lost?.loss ?? [])],
  }
}

/** The candidate on the document's head as it is now; noted, so that an answer at that version is known. */
export async function onHead({ repo, ports, runner }: DescribeSetup, row: StoredCandidate): Promise<StoredCandidate> {
  const head = await versionsOf(repo).head(row.path)
  const there = live(head)
  if (there === null || there.version === row.headVersion) return row
  const moved = { ...row, headVersion: there.version, headCommit: there.commit, headOid: there.oid }
  const offer = await runner.run({ do: 'offer', input: await inputOf(repo, moved), names: await namesOf(repo, moved) })
  if (offer === null) return row
  const now: StoredCandidate = {
    ...moved,
    offered: Buffer.from(offer.body),
    hunks: offer.hunks.length,
    conflicts: offer.conflicts,
    updatedAt: ports.clock().toISOString(),
  }
  rebaseCandidate(repo.state, row.id, now)
  return now
}
