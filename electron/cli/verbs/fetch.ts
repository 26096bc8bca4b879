import { fetchText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak fetch PATH[/vN]'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['/vN reads version N; without it the newest.'],
  async run({ session, positionals }) {
    const path = needed(positionals[0], 'path', USAGE)
    const { id } = await session.repository()
    const found = await session.call('documents.fetch', { repoId: id, path })
    return success('fetch', found, plainLines(fetchText(found)))
  },
}
