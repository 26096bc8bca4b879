import { candidateLine } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import { text, type Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak candidate escalate ID [--reason TEXT]'

export const verb: Verb = {
  options: { reason: { type: 'string' } },
  words: 1,
  help: ['Hands the candidate to the person, with a reason.'],
  async run({ session, values, positionals }) {
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const { id } = await session.repository()
    const reason = text(values, 'reason') ?? 'Asked for on the command line.'
    const row = await session.call('candidates.escalate', { repoId: id, candidate, reason })
    return success('candidate.escalate', row, plainLines(candidateLine(row)))
  },
}
