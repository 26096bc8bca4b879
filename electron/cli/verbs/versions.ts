import { versionsText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import type { Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak versions PATH'

export const verb: Verb = {
  options: {},
  words: 1,
  help: ['The newest first. There is no diff of versions: fetch two of them.'],
  async run({ session, positionals }) {
    const path = needed(positionals[0], 'path', USAGE)
    const { id } = await session.repository()
    const found = await session.call('documents.versions', { repoId: id, path, limit: 1000 })
    return success('versions', found, plainLines(versionsText(found)))
  },
}
