import { candidatesText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

export const verb: Verb = {
  options: { all: { type: 'boolean' } },
  words: 0,
  help: ['--all   also those that are over'],
  async run({ session, values }) {
    const { id } = await session.repository()
    const rows = await session.call('candidates.list', { repoId: id, all: values.all === true })
    return success('candidate.list', rows, plainLines(candidatesText(rows)))
  },
}
