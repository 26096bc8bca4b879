import { success } from '../answer.ts'
import { usageError } from '../usage.ts'
import type { Verb } from '../verb.ts'
import { plain } from '../words.ts'

const USAGE = 'daybreak config set KEY [VALUE]'

export const verb: Verb = {
  options: {},
  words: 2,
  help: ['Without VALUE: back to the default.'],
  async run({ session, positionals: [key, value] }) {
    if (key === undefined) throw usageError(`Say which setting. Usage: ${USAGE}`, USAGE, 'daybreak config get')
    const { id: repoId } = await session.repository()
    const config = await session.call('config.get', { repoId })
    if (!Object.hasOwn(config, key)) {
      const keys = Object.keys(config).join(', ')
      throw usageError(`There is no setting ${plain(key)}. There are: ${keys}.`, USAGE, 'daybreak config get')
    }
    await session.call('config.set', { repoId, key, value: value ?? null })
    const now = (await session.call('config.get', { repoId }))[key]
    return success('config.set', { key, ...now }, `${key} is ${plain(now?.value ?? '')}.`)
  },
}
