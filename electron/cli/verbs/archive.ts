import { publishAnswer } from '../documents/answers.ts'
import { needed, readVersion } from '../documents/input.ts'
import { text, type Verb } from '../verb.ts'

const USAGE = 'daybreak archive PATH [--expected-version N]'

export const verb: Verb = {
  options: { 'expected-version': { type: 'string' }, session: { type: 'string' } },
  words: 1,
  help: ['Moves the document to archive/YYYY/PATH. Without --expected-version: as it is now.'],
  async run({ session, values, positionals }) {
    const path = needed(positionals[0], 'path', USAGE)
    const { id } = await session.repository()
    const given = text(values, 'expected-version')
    const expectedVersion =
      given === undefined
        ? (await session.call('documents.fetch', { repoId: id, path })).current
        : readVersion(given, '--expected-version', 1, USAGE)
    const write = { repoId: id, path, expectedVersion, session: text(values, 'session') ?? null }
    return publishAnswer('archive', await session.call('documents.archive', write))
  },
}
