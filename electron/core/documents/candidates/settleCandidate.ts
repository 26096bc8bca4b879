import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { ConflictSource } from '../../../../shared/model/index.ts'
import type { ConflictReader } from '../../conflicts/provider.ts'
import type { ConflictSettling } from '../../conflicts/settling.ts'
import { blobId } from '../../conflicts/text/check/checkDraft.ts'
import type { TextRunner } from '../../conflicts/text/runner.ts'
import type { ConflictTexts } from '../../conflicts/text/texts.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { ownMark } from '../../operations/processes.ts'
import { newOperationId } from '../../operations/running.ts'
import { findCandidate } from '../../store/candidates.ts'
import { recordOperation } from '../../store/operations.ts'
import { publishDocument } from '../publish/publish.ts'
import { onHead } from './describe.ts'
import type { CandidateDesk } from './desk.ts'
import { discardCandidate } from './settle.ts'

/** Publishes what the person decided about a candidate, or discards it. Nothing is written before. */
export function settleCandidate(
  core: CoreContext,
  reader: ConflictReader,
  texts: ConflictTexts,
  desk: CandidateDesk,
  runner: TextRunner,
): ConflictSettling {
  const none = (source: ConflictSource): never => {
    throw new AppError('ERR_BAD_REQUEST', { method: 'conflicts', issues: [`${source.from}: it is one document`] })
  }
  return {
    async resolve({ repoId, source, item: itemId, fingerprint, draft }, caller) {
      const repo = core.repo(repoId)
      const { item } = await reader.item(repo, source, itemId)
      const stored = findCandidate(repo.state, idOf(source))
      const row = stored === null ? null : await onHead({ repo, ports: core.ports, runner }, stored)
      const changed = { resolved: false as const, refusal: { refusal: 'conflict-changed' as const, path: item.path } }
      if (row === null || item.fingerprint !== fingerprint) return changed
      const made = await texts.decided(repo, source, item, draft)
      if ('refusal' in made) return { resolved: false, refusal: made.refusal }
      if ('open' in made) return { resolved: false, refusal: { refusal: 'unresolved', conflicts: [item.path] } }
      if (made.lost > 0)
        return { resolved: false, refusal: { refusal: 'lines-lost', path: item.path, lines: made.lost } }
      const outcome = await publishDocument(
        { core, repo, desk },
        {
          path: row.path,
          body: Buffer.from(made.bytes).toString('base64'),
          encoding: 'base64',
          expectedVersion: row.headVersion,
          onConflict: 'fail',
          metadata: null,
          candidate: row.id,
          message: `Resolve ${row.path}`,
          session: null,
        },
        personal(caller),
      )
      if (outcome.status !== 'ok') return changed
      const oid = blobId(made.bytes, row.headOid.length === 64 ? 'sha256' : 'sha1')
      const id = noteAct(core, repo, { verb: 'publish', path: row.path, caller, to: outcome.commit })
      return { resolved: true, operationId: id, result: [{ path: row.path, mode: '100644', oid }], left: 0 }
    },
    reopen: async ({ source }) => none(source),
    previewBatch: async ({ source }) => none(source),
    batch: async ({ source }) => none(source),
    proceed: async ({ source }) => none(source),
    async abort({ repoId, source }, caller) {
      const repo = core.repo(repoId)
      const { path } = await discardCandidate({ core, repo, desk }, idOf(source), personal(caller))
      const operationId = noteAct(core, repo, { verb: 'discard', path, caller, to: null })
      return { done: true, operationId, ended: true, to: null }
    },
  }
}

interface Act {
  readonly verb: 'publish' | 'discard'
  readonly path: string
  readonly caller: Caller
  readonly to: string | null
}

/** A line in the history for what the person settled; its id. */
function noteAct(core: CoreContext, repo: RepositoryContext, { verb, path, caller, to }: Act): string {
  const now = core.ports.clock()
  const at = now.toISOString()
  const id = newOperationId(verb, now)
  const ends = { startedAt: at, endedAt: at, from: null, to }
  const who = { actor: caller.actor ?? 'person', via: caller.via, owner: ownMark() }
  recordOperation(repo.state, { id, verb, branch: path, ...who, ...ends, stage: 'done', plan: null, outcome: null })
  return id
}

/** What is decided on the page is the person's, whatever name they gave. */
const personal = ({ via }: Caller): Caller => ({ via })

function idOf(source: ConflictSource): string {
  if (source.from !== 'candidate') throw new AppError('ERR_NO_SUCH_CONFLICT', { what: source.from })
  return source.candidate
}
