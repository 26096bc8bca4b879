import { dirname } from 'node:path'
import { success } from '../answer.ts'
import { openApp } from '../openApp.ts'
import { text, type Verb } from '../verb.ts'
import { plain } from '../words.ts'

export const verb: Verb = {
  options: { 'no-open': { type: 'boolean' }, host: { type: 'string' } },
  words: 0,
  help: ['--no-open   only build it. With --json it is not opened either.'],
  async run(call) {
    const { session, values, json, print } = call
    const repository = await session.call('demo.create', {})
    const answer = success(
      'demo',
      repository,
      `The sample repository is at ${plain(repository.path)}\nSamples are kept until you delete them, each in a folder of its own in ${plain(dirname(dirname(repository.path)))}`,
    )
    if (json || values['no-open'] === true) return answer
    await print(answer)
    // The app has a core of its own.
    await session.dispose()
    return openApp(call, repository.path, text(values, 'host'))
  },
}
