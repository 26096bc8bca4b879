import { AppError } from '../../../shared/errors/index.ts'
import { success } from '../answer.ts'
import { runLines } from '../inboxText.ts'
import { resolveRun } from '../runs.ts'
import type { Verb } from '../verb.ts'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['Without RUN: all of them.'],
  async run({ session, positionals: [run] }) {
    const repository = await session.repository()
    const inbox = await session.call('inbox.get', { repoId: repository.id })
    const now = new Date()
    if (run === undefined) {
      const { sleepBranches, marksWaiting, lastRun } = inbox
      const lines = sleepBranches.length === 0 ? ['No sleep branch waits.'] : runLines(sleepBranches, now)
      return success('sleep.status', { sleepBranches, marksWaiting, lastRun }, lines.join('\n'))
    }
    const branch = await resolveRun(session, repository, run, 'sleep status')
    const found = inbox.sleepBranches.find((one) => one.branch === branch)
    if (!found) throw new AppError('ERR_NO_SUCH_BRANCH', { branch })
    return success('sleep.status', found, runLines([found], now).join('\n'))
  },
}
