import { resolve } from 'node:path'
import { openApp } from '../openApp.ts'
import { text, type Verb } from '../verb.ts'

export const verb: Verb = {
  options: { host: { type: 'string' } },
  words: 1,
  help: [],
  async run(call) {
    const folder = call.positionals[0] ?? text(call.values, 'repo')
    return openApp(call, folder === undefined ? null : resolve(call.cwd, folder), text(call.values, 'host'))
  },
}
