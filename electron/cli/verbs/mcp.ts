import { resolve } from 'node:path'
import { VERSION } from '../../host/version.ts'
import { serveMcp } from '../../mcp/serveMcp.ts'
import { text, type Verb } from '../verb.ts'

export const verb: Verb = {
  options: { session: { type: 'string' } },
  words: 0,
  help: [
    'Speaks MCP on standard input and output, for agents. --actor: who writes (default: the name that the client gives).',
    '--session ID   tells the writes of this run from those of others',
  ],
  async run({ session, cwd, env, values, actor, stdin, stdout }) {
    const core = await session.core({ host: 'mcp' })
    const door = await session.door()
    const folder = resolve(cwd, text(values, 'repo') ?? '.')
    const { id } = await session.repository()
    const given = text(values, 'session') ?? env.DAYBREAK_SESSION
    session.log.line(`mcp: serving ${folder}`)
    await serveMcp({ core, door, repoId: id, version: VERSION, actor, session: given }, stdin, stdout)
    return null
  },
}
