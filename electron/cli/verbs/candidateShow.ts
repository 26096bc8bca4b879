import { candidateLine, candidateText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak candidate show ID'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['Merged with the newest head. --json has the hunks, the warnings and how it ended.'],
  async run({ session, positionals }) {
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const { id } = await session.repository()
    const found = await session.call('candidates.show', { repoId: id, candidate })
    return success('candidate.show', found, plainLines(`${candidateLine(found)}\n\n${candidateText(found)}`))
  },
}
