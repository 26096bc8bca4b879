import { AppError } from '../../../shared/errors/index.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak candidate restore ID LINE'

export const verb: Verb = {
  options: {},
  words: 2,
  help: ['LINE   its number in candidate losses'],
  async run({ session, positionals }) {
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const line = needed(positionals[1], 'line', USAGE)
    if (!/^\d{1,6}$/.test(line))
      throw new AppError('ERR_USAGE', {
        issue: `${line} is no number of a line`,
        usage: USAGE,
        suggestion: 'daybreak candidate losses',
      })
    const { id } = await session.repository()
    const done = await session.call('candidates.restoreLine', { repoId: id, candidate, index: Number(line) })
    const words = done.there ? 'has that line again already' : `has that line again, as version ${done.version}`
    return success('candidate.restore', done, plainLines(`${done.path} ${words}`))
  },
}
