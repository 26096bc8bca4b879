import { publishAnswer } from '../documents/answers.ts'
import { needed, readBody } from '../documents/input.ts'
import { text, type Verb } from '../verb.ts'

const USAGE = 'daybreak candidate publish ID [--body-file F|-]'

export const verb: Verb = {
  options: { 'body-file': { type: 'string' }, session: { type: 'string' } },
  words: 1,
  help: ['Publishes this text as the answer to a candidate, at its publish-at-version.'],
  async run(call) {
    const { session, values, positionals } = call
    const candidate = needed(positionals[0], 'candidate', USAGE)
    const body = await readBody(call)
    const { id } = await session.repository()
    const found = await session.call('candidates.show', { repoId: id, candidate })
    const outcome = await session.call('documents.publish', {
      repoId: id,
      path: found.path,
      ...body,
      expectedVersion: found.publishAtVersion,
      candidate,
      session: text(values, 'session') ?? found.session,
    })
    return publishAnswer('candidate.publish', outcome)
  },
}
