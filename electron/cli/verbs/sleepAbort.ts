import { refused, success } from '../answer.ts'
import { resolveRun } from '../runs.ts'
import type { Verb } from '../verb.ts'
import { count, plain } from '../words.ts'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['RUN: a branch (sleep/2026-11-30) or a run (2026-11-30). Without it: the one that waits.'],
  async run({ session, positionals: [run] }) {
    const repository = await session.repository()
    const branch = await resolveRun(session, repository, run, 'sleep abort')
    const outcome = await session.call('sleep.abort', { repoId: repository.id, branch })
    if (!outcome.aborted) return refused('sleep.abort', { aborted: false }, outcome.refusal, branch)
    const marks = outcome.marksDiscarded === 0 ? '' : ` ${count(outcome.marksDiscarded, 'mark')} discarded.`
    return success(
      'sleep.abort',
      outcome,
      `${plain(outcome.branch)} was removed; it was at ${outcome.tip.slice(0, 7)}.${marks}\nTake it back: daybreak sleep undo`,
    )
  },
}
