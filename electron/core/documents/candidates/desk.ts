import { randomBytes } from 'node:crypto'
import { AppError } from '../../../../shared/errors/index.ts'
import type { AuditRow, Candidate, Metadata } from '../../../../shared/model/index.ts'
import type { TextRunner } from '../../conflicts/text/runner.ts'
import type { RepositoryContext } from '../../context.ts'
import type { Ports } from '../../ports.ts'
import { candidateToAnswer, findCandidate, keepCandidate, type StoredCandidate } from '../../store/candidates.ts'
import type { LiveHead } from '../publish/view.ts'
import { describeCandidate } from './describe.ts'
import { namesOf } from './names.ts'
import { inputOf } from './sides.ts'

/** A publish that met another head. */
export interface Offered {
  readonly path: string
  readonly actor: string
  readonly session: string | null
  readonly message: string | null
  readonly base: { readonly version: number; readonly oid: string | null }
  readonly head: LiveHead
  readonly ours: Buffer
  readonly metadata: Metadata | null
}

/** A publish that may answer a candidate. */
export interface Asked {
  readonly path: string
  readonly actor: string
  readonly session: string | null
  /** The version it is published at. */
  readonly version: number
  readonly candidate: string | null
  readonly body: Buffer
  /** The person may answer anybody's candidate, also one that is over. */
  readonly person: boolean
  /** Lines that are lost refuse the answer. */
  readonly strict: boolean
}

export interface Answering {
  readonly candidate: string
  readonly loss: readonly AuditRow[]
  /** The candidate is over already: its end stays as it is. */
  readonly over: boolean
}

/** Where candidates are made and answered. */
export interface CandidateDesk {
  /** Merges, keeps the result as a candidate and gives it; null where the texts cannot be merged by line. */
  offer(repo: RepositoryContext, offered: Offered): Promise<Candidate | null>
  /**
   * The candidate that a publish answers, its body checked against both sides; null where it answers none. Errors:
   * ERR_NO_SUCH_CANDIDATE, ERR_CANDIDATE_CLOSED, ERR_UNRESOLVED_MARKERS, ERR_LOSES_LINES.
   */
  answering(repo: RepositoryContext, asked: Asked): Promise<Answering | null>
  /** Lines of ours that are gone where theirs stays as it is. */
  lostBy(repo: RepositoryContext, row: StoredCandidate): Promise<readonly AuditRow[]>
}

/** A desk over the candidates of `state.db`. */
export function createDesk(ports: Ports, runner: TextRunner): CandidateDesk {
  return {
    async offer(repo, offered) {
      const { path, actor, session, message, base, head, ours, metadata } = offered
      const at = ports.clock().toISOString()
      const bare: StoredCandidate = {
        id: newId(),
        path,
        actor,
        session,
        state: 'open',
        message,
        createdAt: at,
        updatedAt: at,
        baseVersion: base.version,
        baseOid: base.oid,
        headVersion: head.version,
        headCommit: head.commit,
        headOid: head.oid,
        ours,
        offered: Buffer.alloc(0),
        hunks: 0,
        conflicts: 0,
        metadata: metadata === null ? null : JSON.stringify(metadata),
        escalatedAt: null,
        reason: null,
        answer: null,
      }
      const input = await inputOf(repo, bare)
      const offer = await runner.run({ do: 'offer', input, names: await namesOf(repo, bare) })
      if (offer === null) return null
      const row = { ...bare, offered: Buffer.from(offer.body), hunks: offer.hunks.length, conflicts: offer.conflicts }
      keepCandidate(repo.state, row)
      return describeCandidate({ repo, ports, runner }, row)
    },

    async answering(repo, asked) {
      const row = found(repo, asked)
      if (row === null) return null
      const over = row.state !== 'open'
      const answer = await runner.run({ do: 'answer', input: await inputOf(repo, row), body: asked.body })
      if (answer === null) return { candidate: row.id, loss: [], over }
      if (answer.markers.length > 0) {
        const lines = answer.markers.map((line) => line + 1)
        throw new AppError('ERR_UNRESOLVED_MARKERS', { path: row.path, candidate: row.id, lines })
      }
      if (asked.strict && answer.loss.length > 0) {
        const lines = answer.loss.map((one) => one.text)
        throw new AppError('ERR_LOSES_LINES', { path: row.path, candidate: row.id, lines })
      }
      return { candidate: row.id, loss: answer.loss, over }
    },

    async lostBy(repo, row) {
      const input = await inputOf(repo, row)
      const answer = await runner.run({ do: 'answer', input, body: input.sides.theirs })
      return answer?.loss ?? []
    },
  }
}

function found(repo: RepositoryContext, asked: Asked): StoredCandidate | null {
  if (asked.candidate === null) return asked.person ? null : candidateToAnswer(repo.state, asked)
  const row = findCandidate(repo.state, asked.candidate)
  const theirs = row !== null && (asked.person || row.actor === asked.actor)
  if (row === null || row.path !== asked.path || !theirs)
    throw new AppError('ERR_NO_SUCH_CANDIDATE', { candidate: asked.candidate })
  if (row.state !== 'open' && !asked.person) throw closed(row)
  return row
}

/** Why nothing more can be done about a candidate. */
export function closed(row: StoredCandidate): AppError {
  return new AppError('ERR_CANDIDATE_CLOSED', { candidate: row.id, state: row.state, path: row.path })
}

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz'
const newId = (): string => `c-${[...randomBytes(12)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
