import { publishAnswer } from '../documents/answers.ts'
import { needed, readBody, readMetadata, readVersion } from '../documents/input.ts'
import { usageError } from '../usage.ts'
import { text, type Verb } from '../verb.ts'

const USAGE =
  'daybreak publish PATH --expected-version N [--on-conflict merge|fail] [--body-file F|-] [--meta k=v …] [--candidate ID]'

export const verb: Verb = {
  options: {
    'expected-version': { type: 'string' },
    'on-conflict': { type: 'string' },
    'body-file': { type: 'string' },
    meta: { type: 'string', multiple: true },
    candidate: { type: 'string' },
    message: { type: 'string' },
    session: { type: 'string' },
    binary: { type: 'boolean' },
  },
  words: 1,
  help: [
    '--expected-version N   the version that was read; 0 creates',
    '--on-conflict MODE     merge (default): a candidate to review; fail: the plain conflict',
    '--body-file F          the whole text; - or nothing: standard input',
    '--meta k=v             sets a field of the front matter; k= removes it',
    '--candidate ID         the candidate that this answers',
    '--message TEXT         first line of the commit',
    '--binary               the body is not text',
    'A candidate or a conflict is printed with exit code 1; nothing is written then.',
  ],
  async run(call) {
    const { session, values, positionals } = call
    const path = needed(positionals[0], 'path', USAGE)
    const expectedVersion = readVersion(text(values, 'expected-version'), '--expected-version', 0, USAGE)
    const onConflict = text(values, 'on-conflict') ?? 'merge'
    if (onConflict !== 'merge' && onConflict !== 'fail')
      throw usageError(`--on-conflict is merge or fail. Usage: ${USAGE}`, USAGE)
    const metadata = readMetadata(call, USAGE)
    const body = await readBody(call)
    const { id } = await session.repository()
    const outcome = await session.call('documents.publish', {
      repoId: id,
      path,
      ...body,
      expectedVersion,
      onConflict,
      metadata,
      candidate: text(values, 'candidate') ?? null,
      message: text(values, 'message') ?? null,
      session: text(values, 'session') ?? null,
    })
    return publishAnswer('publish', outcome)
  },
}
