import { success } from '../answer.ts'
import { usageError } from '../usage.ts'
import type { Verb } from '../verb.ts'
import { columns, plain } from '../words.ts'

const FROM = { default: 'the default', trunk: 'from .daybreak.yml', personal: 'set by you' } as const

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['Without KEY: all of them.'],
  async run({ session, positionals: [key] }) {
    const { id: repoId } = await session.repository()
    const config = await session.call('config.get', { repoId })
    if (key === undefined) {
      const rows = Object.entries(config).map(([name, { value, from }]) => [name, plain(value), FROM[from]])
      return success('config.get', config, columns(rows).join('\n'))
    }
    const found = Object.hasOwn(config, key) ? config[key] : undefined
    if (!found) {
      const keys = Object.keys(config).join(', ')
      throw usageError(
        `There is no setting ${plain(key)}. There are: ${keys}.`,
        'daybreak config get [KEY]',
        'daybreak config get',
      )
    }
    return success('config.get', { key, ...found }, plain(found.value))
  },
}
