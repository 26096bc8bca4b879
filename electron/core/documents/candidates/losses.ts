import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import { restoreLine } from '../../../../shared/merge/index.ts'
import type { AuditRow, LossReport, RestoredLine } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { mustBeWritable } from '../../operations/verb.ts'
import { listLosses, noteAnswer, type StoredCandidate } from '../../store/candidates.ts'
import type { PublishSetup } from '../publish/common.ts'
import { publishDocument } from '../publish/publish.ts'
import { live } from '../publish/view.ts'
import { versionsOf } from '../versions/versions.ts'
import { type Answer, answerOf, unsettled } from './answer.ts'
import { versionOf } from './describe.ts'
import { whoOf } from './names.ts'
import { candidateOf } from './settle.ts'
import { blob, inputOf } from './sides.ts'

/** How often the document may move on while a line is put back. */
const ROUNDS = 5

/** What agents' answers lost and nobody has put back or let go, the newest first. */
export async function lossReports(repo: RepositoryContext): Promise<LossReport[]> {
  const reports = listLosses(repo.state).map(async (row): Promise<LossReport[]> => {
    const answer = answerOf(row.answer)
    if (answer === null) return []
    const lines = unsettled(answer).map((index) => ({ index, ...pick(answer.loss[index] as AuditRow) }))
    const [{ ours, theirs }, version] = await Promise.all([whoOf(repo, row), versionOf(repo, row.path, answer.commit)])
    const { id: candidate, path } = row
    return [{ candidate, path, by: answer.by, at: answer.at, version, ours: ours.name, theirs: theirs.name, lines }]
  })
  return (await Promise.all(reports)).flat()
}

const pick = ({ side, line, text }: AuditRow) => ({ side, line, text })

/**
 * Publishes a document with a lost line put back: where it stood, as far as its neighbours are still there. A line that the
 * document has again is only noted. Errors: ERR_NO_SUCH_CANDIDATE, ERR_BAD_REQUEST where that line was not lost,
 * ERR_NO_SUCH_DOCUMENT where the document is archived, ERR_LOCKED where others wrote it at every try, and those of
 * `publishDocument`.
 */
export async function restoreLost(
  setup: PublishSetup,
  given: { readonly candidate: string; readonly index: number },
  caller: Caller,
): Promise<RestoredLine> {
  const { repo } = setup
  const row = candidateOf(repo, given.candidate)
  const { path } = row
  const lost = lostLine(row, given.index)
  const { sides } = await inputOf(repo, row)
  const side = lost.side === 'theirs' ? sides.theirs : sides.ours
  for (let round = 0; round < ROUNDS; round++) {
    const head = live(await versionsOf(repo).head(path))
    if (head === null) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
    const bytes = await blob(repo, head.oid)
    if (hasLine(bytes, lost.text)) {
      settle(setup, row.id, [given.index], head.version)
      return { path, version: head.version, there: true }
    }
    const outcome = await publishDocument(
      setup,
      {
        path,
        body: Buffer.from(restoreLine(side, lost.line, bytes)).toString('base64'),
        encoding: 'base64',
        expectedVersion: head.version,
        onConflict: 'fail',
        metadata: null,
        candidate: null,
        message: `Restore a line of ${path}`,
        session: null,
      },
      caller,
    )
    if (outcome.status !== 'ok') continue
    settle(setup, row.id, [given.index], outcome.version)
    return { path, version: outcome.version, there: false }
  }
  throw new AppError('ERR_LOCKED', { path, ageSeconds: 0, what: 'The document' })
}

/** Lets one lost line go, or all of an answer (null). Errors: ERR_NO_SUCH_CANDIDATE, ERR_BAD_REQUEST. */
export function letGo(setup: PublishSetup, given: { readonly candidate: string; readonly index: number | null }): void {
  mustBeWritable(setup.repo)
  const row = candidateOf(setup.repo, given.candidate)
  if (given.index !== null) lostLine(row, given.index)
  const answer = answerOf(row.answer)
  settle(setup, row.id, given.index !== null ? [given.index] : answer === null ? [] : unsettled(answer), null)
}

function lostLine(row: StoredCandidate, index: number): AuditRow {
  const line = answerOf(row.answer)?.loss[index]
  if (line === undefined)
    throw new AppError('ERR_BAD_REQUEST', {
      method: 'candidates.restoreLine',
      issues: [`index: ${index} was not lost`],
    })
  return line
}

function settle({ core, repo }: PublishSetup, id: string, indices: readonly number[], version: number | null): void {
  noteAnswer(repo.state, id, (kept) => {
    const answer = answerOf(kept) as Answer
    const settled = { ...answer.settled }
    for (const index of indices) settled[index] ??= version
    const now = { ...answer, settled }
    return { answer: JSON.stringify(now), lost: unsettled(now).length }
  })
  core.emit('repo.changed', { repoId: repo.repository.id, what: ['candidates'] })
}

const hasLine = (bytes: Buffer, text: string): boolean =>
  bytes
    .toString('utf8')
    .split('\n')
    .some((line) => line.trim() === text.trim())
