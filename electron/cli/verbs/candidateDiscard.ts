import { candidateLine } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak candidate discard ID'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['The document stays as it is; the lines that are given up are recorded.'],
  async run({ session, positionals }) {
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const { id } = await session.repository()
    const row = await session.call('candidates.discard', { repoId: id, candidate })
    const lost = (row.answer?.loss ?? []).map((one) => `given up: ${one.text}`)
    return success('candidate.discard', row, plainLines([candidateLine(row), ...lost].join('\n')))
  },
}
