import { AppError } from '../../../shared/errors/index.ts'
import type { HistoryEntry, UndoOutcome } from '../../../shared/model/index.ts'
import { refused, success } from '../answer.ts'
import type { Verb } from '../verb.ts'
import { plain } from '../words.ts'

type Undone = Extract<UndoOutcome, { undone: true }>

/** How far back an act is looked for. */
const LIMIT = 1000

export const verb: Verb = {
  options: { revert: { type: 'boolean' } },
  words: 1,
  help: [
    '--revert   when main has moved on since: one commit that takes the night back and keeps what came after',
    'RUN: a branch, a run or an operation of the history. Without it: the latest act that can be taken back.',
  ],
  async run({ session, positionals: [run], values }) {
    const { id: repoId } = await session.repository()
    const history = await session.call('history.list', { repoId, limit: LIMIT })
    const entry = find(history, run)
    const outcome = await session.call('sleep.undo', {
      repoId,
      operationId: entry.operationId,
      revert: values.revert === true,
    })
    if (!outcome.undone) return refused('sleep.undo', { undone: false }, outcome.refusal, entry.operationId)
    return success('sleep.undo', outcome, toText(outcome))
  },
}

/** The act that is meant: one that can be taken back before one that cannot, which is then refused with the reason. */
function find(history: readonly HistoryEntry[], run: string | undefined): HistoryEntry {
  // A resolved conflict is no night: it is meant only where its operation is named.
  const nights = history.filter((e) => e.verb !== 'resolve')
  const meant =
    run === undefined
      ? nights
      : [
          ...history.filter((e) => e.operationId === run),
          ...nights.filter((e) => e.branch === run || e.branch.endsWith(`/${run}`)),
        ]
  const entry = meant.find((e) => e.undo !== null) ?? (run === undefined ? undefined : meant[0])
  if (entry) return entry
  if (run !== undefined) throw new AppError('ERR_NO_SUCH_OPERATION', { operationId: run })
  throw new AppError('ERR_NOTHING_TO_UNDO', {})
}

function toText(outcome: Undone): string {
  const lines = [
    outcome.how === 'revert'
      ? `${plain(outcome.branch)} was reverted: one commit takes it back.`
      : `The ${outcome.verb} of ${plain(outcome.branch)} was taken back.`,
  ]
  if (outcome.restoredAs !== null) lines.push(`The branch is back as ${plain(outcome.restoredAs)}.`)
  return lines.join('\n')
}
