import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { CandidateRow, Draft, HunkChoice, LineDecision, PublishOutcome } from '../../../../shared/model/index.ts'
import type { TextRunner } from '../../conflicts/text/runner.ts'
import type { RepositoryContext } from '../../context.ts'
import { readConfig } from '../../git/drivers.ts'
import { mustBeWritable } from '../../operations/verb.ts'
import { endCandidate, escalateCandidate, findCandidate, type StoredCandidate } from '../../store/candidates.ts'
import { actorName, isAgent } from '../publish/author.ts'
import type { PublishSetup } from '../publish/common.ts'
import { publishDocument } from '../publish/publish.ts'
import { describeCandidate, onHead, rowOf } from './describe.ts'
import { closed } from './desk.ts'
import { inputOf } from './sides.ts'

/** A candidate of `state.db`. Errors: ERR_NO_SUCH_CANDIDATE. */
export function candidateOf(repo: RepositoryContext, id: string): StoredCandidate {
  const row = findCandidate(repo.state, id)
  if (row === null) throw new AppError('ERR_NO_SUCH_CANDIDATE', { candidate: id })
  return row
}

async function openFor(
  setup: PublishSetup,
  id: string,
  caller: Caller,
): Promise<{ row: StoredCandidate; who: string }> {
  const row = candidateOf(setup.repo, id)
  const who = actorName(caller, await readConfig(setup.repo.git))
  if (isAgent(caller) && row.actor !== who) throw new AppError('ERR_NO_SUCH_CANDIDATE', { candidate: id })
  if (row.state !== 'open') throw closed(row)
  return { row, who }
}

/**
 * Publishes a candidate with these choices for its conflicts; nothing outside of them can change. A head that moved
 * meanwhile gives the candidate anew. Errors: ERR_NO_SUCH_CANDIDATE, ERR_CANDIDATE_CLOSED, ERR_HUNKS_OPEN,
 * ERR_BAD_REQUEST, those of `publishDocument`.
 */
export async function resolveCandidate(
  setup: PublishSetup & { readonly runner: TextRunner },
  given: { readonly candidate: string; readonly choices: readonly HunkChoice[]; readonly session: string | null },
  caller: Caller,
): Promise<PublishOutcome> {
  const { core, repo, runner } = setup
  const { row: stored } = await openFor(setup, given.candidate, caller)
  const describing = { repo, ports: core.ports, runner }
  const row = await onHead(describing, stored)
  if (row.headVersion !== stored.headVersion)
    return { status: 'merge-candidate', candidate: await describeCandidate(describing, row) }
  const shown = await describeCandidate(describing, row)
  const lines: (LineDecision | null)[] = shown.structured.flatMap((hunk) => (hunk.kind === 'conflict' ? [null] : []))
  for (const choice of given.choices) {
    const hunk = shown.structured[choice.hunk]
    if (hunk?.conflict === null || hunk === undefined)
      throw wrong(`choices: hunk ${choice.hunk} is no conflict of this candidate`)
    if (lines[hunk.conflict] !== null) throw wrong(`choices: hunk ${choice.hunk} is named twice`)
    lines[hunk.conflict] = decisionOf(choice)
  }
  const open = shown.structured.filter((hunk) => hunk.conflict !== null && lines[hunk.conflict] === null)
  if (open.length > 0) throw new AppError('ERR_HUNKS_OPEN', { candidate: row.id, hunks: open.map((one) => one.index) })
  const draft: Draft = { version: 1, lines, edits: [], choice: null, dropped: [] }
  const made = await runner.run({ do: 'bytes', input: await inputOf(repo, row), draft })
  if (!('bytes' in made)) throw wrong('choices: they do not fit this candidate')
  const outcome = await publishDocument(
    setup,
    {
      path: row.path,
      body: Buffer.from(made.bytes).toString('base64'),
      encoding: 'base64',
      expectedVersion: row.headVersion,
      onConflict: 'fail',
      metadata: null,
      candidate: row.id,
      message: row.message,
      session: given.session,
    },
    caller,
  )
  if (outcome.status !== 'conflict') return outcome
  return { status: 'merge-candidate', candidate: await describeCandidate(describing, candidateOf(repo, row.id)) }
}

const wrong = (issue: string) => new AppError('ERR_BAD_REQUEST', { method: 'candidates.resolve', issues: [issue] })

function decisionOf(choice: HunkChoice): LineDecision {
  if ('text' in choice) return { take: 'text', text: choice.text, by: 'mine' }
  return { take: choice.take === 'both' ? 'ours-then-theirs' : choice.take, by: 'mine' }
}

/** Ends a candidate without publishing: theirs stays, and what of ours is given up is recorded. Errors: as `resolveCandidate`. */
export async function discardCandidate(setup: PublishSetup, id: string, caller: Caller): Promise<CandidateRow> {
  const { core, repo, desk } = setup
  mustBeWritable(repo)
  const { row, who } = await openFor(setup, id, caller)
  const at = core.ports.clock().toISOString()
  const loss = await desk.lostBy(repo, row)
  if (!endCandidate(repo.state, id, 'discarded', JSON.stringify({ by: who, at, commit: null, loss }), at))
    throw closed(candidateOf(repo, id))
  core.emit('repo.changed', { repoId: repo.repository.id, what: ['candidates'] })
  return rowOf({ repo, ports: core.ports }, candidateOf(repo, id))
}

/** Hands a candidate to the person. Errors: as `resolveCandidate`. */
export async function handOver(
  setup: PublishSetup,
  given: { readonly candidate: string; readonly reason: string },
  caller: Caller,
): Promise<CandidateRow> {
  const { core, repo } = setup
  mustBeWritable(repo)
  await openFor(setup, given.candidate, caller)
  const at = core.ports.clock().toISOString()
  if (!escalateCandidate(repo.state, given.candidate, given.reason, at))
    throw closed(candidateOf(repo, given.candidate))
  core.emit('repo.changed', { repoId: repo.repository.id, what: ['candidates'] })
  return rowOf({ repo, ports: core.ports }, candidateOf(repo, given.candidate))
}
