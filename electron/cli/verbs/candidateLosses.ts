import { lossesText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

export const verb: Verb = {
  options: {},
  words: 0,
  help: ['Each line has a number; candidate restore puts it back.'],
  async run({ session }) {
    const { id } = await session.repository()
    const reports = await session.call('candidates.losses', { repoId: id })
    return success('candidate.losses', reports, plainLines(lossesText(reports)))
  },
}
