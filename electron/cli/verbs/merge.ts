import { success } from '../answer.ts'
import { needed } from '../documents/input.ts'
import { text, type Verb } from '../verb.ts'
import { plain } from '../words.ts'

const USAGE = 'daybreak merge COMMITISH [--into BRANCH]'

export const verb: Verb = {
  options: { into: { type: 'string' } },
  words: 1,
  help: [
    '--into BRANCH   default: trunk',
    'Where both changed the same lines nothing moves, and every such file is named.',
  ],
  async run({ session, values, positionals }) {
    const commitish = needed(positionals[0], 'commit', USAGE)
    const { id } = await session.repository()
    const done = await session.call('branches.merge', { repoId: id, commitish, into: text(values, 'into') ?? null })
    const how = done.upToDate ? 'has it already' : done.fastForward ? 'was moved to it' : 'has it merged in now'
    return success('merge', done, `${plain(done.into)} ${how}, at ${done.to.slice(0, 7)}.`)
  },
}
