import { createHash } from 'node:crypto'
import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { PublishedDocument } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import type { TreeChange } from '../../git/treeEdit.ts'
import type { Answering, CandidateDesk } from '../candidates/desk.ts'
import { type Head, versionsOf } from '../versions/versions.ts'
import { actorName, agentAuthor, isAgent } from './author.ts'
import { messageOf } from './commitText.ts'
import { documentPath, isProtected } from './paths.ts'
import type { Decision, WriteTools } from './trunkWriter.ts'
import type { TrunkView } from './view.ts'

/** What the writes of documents need. */
export interface PublishSetup {
  readonly core: CoreContext
  readonly repo: RepositoryContext
  readonly desk: CandidateDesk
}

/** The mode of a new file. */
export const REGULAR = '100644'

/** `sha256-<hex>` of a file's bytes. */
const contentHash = (bytes: Uint8Array): string => `sha256-${createHash('sha256').update(bytes).digest('hex')}`

/** The path, where this caller may write it. Errors: ERR_BAD_PATH, ERR_PROTECTED_PATH. */
export function writablePath(given: string, caller: Caller): string {
  const path = documentPath(given)
  if (isAgent(caller) && isProtected(path)) throw new AppError('ERR_PROTECTED_PATH', { path })
  return path
}

/** The head of a document; null where there never was one. Errors: ERR_NO_VERSION. */
export async function headOf(view: TrunkView, path: string): Promise<Head | null> {
  const head = await view.head(path)
  if (head === null) return null
  if (!Number.isInteger(head.version) || head.version <= 0) throw new AppError('ERR_NO_VERSION', { path })
  return head
}

interface WriteOf<T> {
  readonly path: string
  readonly changes: readonly TreeChange[]
  readonly subject: string
  readonly caller: Caller
  readonly tools: WriteTools
  readonly session: string | null
  readonly answers: Answering | null
  outcome(made: PublishedAt): T
}

export type PublishedAt = Pick<Head, 'version' | 'commit' | 'at'>

/** One commit for a document, with its trailers. The number that it has on trunk is handed out once it has landed. */
export function commitFor<T>(setup: PublishSetup, write: WriteOf<T>): Decision<T> {
  const { repo } = setup
  const { caller, tools, session, answers, path } = write
  const who = actorName(caller, tools.situation.config)
  const trailers: [string, string][] = [['Daybreak-Actor', who]]
  if (session !== null && session !== '') trailers.push(['Daybreak-Session', session])
  if (answers) trailers.push(['Daybreak-Candidate', answers.candidate])
  const at = setup.core.ports.clock().toISOString()
  return {
    wanted: {
      changes: write.changes,
      ...(isAgent(caller) ? { author: agentAuthor(who) } : {}),
      message: messageOf(write.subject, trailers),
      ...(answers && !answers.over
        ? {
            answered: {
              candidate: answers.candidate,
              answer: { by: who, at, loss: answers.loss },
              lost: toLookAt(answers, caller),
            },
          }
        : {}),
    },
    landed: async (commit) => {
      const head = await versionsOf(repo).head(path, { branch: tools.situation.trunk.branch, oid: commit })
      if (head === null) throw new AppError('ERR_NO_VERSION', { path })
      return write.outcome(head)
    },
  }
}

/** How many lines of a loss somebody is to look at: what the person gave up was looked at. */
export const toLookAt = ({ loss }: Answering, caller: Caller): number => (isAgent(caller) ? loss.length : 0)

/** The answer to a write that landed, or needed not. */
export function published(
  path: string,
  made: PublishedAt,
  body: Uint8Array | null,
  more: Partial<PublishedDocument> = {},
): PublishedDocument {
  return {
    status: 'ok',
    path,
    version: made.version,
    modified: made.at,
    contentHash: body === null ? null : contentHash(body),
    commit: made.commit,
    unchanged: false,
    reconciled: false,
    answered: null,
    loss: [],
    notes: [],
    ...more,
  }
}
