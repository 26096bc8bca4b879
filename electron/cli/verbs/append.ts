import { publishedText } from '../../core/documents/texts.ts'
import { success } from '../answer.ts'
import { needed, readBody } from '../documents/input.ts'
import { text, type Verb } from '../verb.ts'
import { plainLines } from '../words.ts'

const USAGE = 'daybreak append PATH [--body-file F|-]'

export const verb: Verb = {
  options: { 'body-file': { type: 'string' }, session: { type: 'string' } },
  words: 1,
  help: ['Adds text at the end of the document, on a line of its own. It never conflicts.'],
  async run(call) {
    const { session, values, positionals } = call
    const path = needed(positionals[0], 'path', USAGE)
    const { body } = await readBody(call)
    const { id } = await session.repository()
    const given = { repoId: id, path, body, session: text(values, 'session') ?? null }
    const done = await session.call('documents.append', given)
    return success('append', done, plainLines(publishedText(done)))
  },
}
