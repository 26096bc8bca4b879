import { resolve } from 'node:path'
import { serveHere } from '../serveHere.ts'
import { usageError } from '../usage.ts'
import { text, type Verb } from '../verb.ts'

const USAGE = 'daybreak serve [FOLDER] [--port N] [--open]'

export const verb: Verb = {
  options: { port: { type: 'string' }, open: { type: 'boolean' } },
  words: 1,
  help: [
    '--port N   listen on this port (0, the default: one that is free)',
    '--open     open the link in the browser',
    'Enter prints a new link, Ctrl-C ends it.',
  ],
  async run(call) {
    const { values, positionals, cwd } = call
    const folder = positionals[0] ?? text(values, 'repo')
    return serveHere(call, {
      folder: folder === undefined ? null : resolve(cwd, folder),
      port: readPort(text(values, 'port')),
      open: values.open === true,
    })
  },
}

function readPort(value: string | undefined): number {
  if (value === undefined) return 0
  const port = Number(value)
  if (/^\d{1,5}$/.test(value) && port < 65_536) return port
  throw usageError(`--port wants a number from 0 to 65535. Usage: ${USAGE}`, USAGE, 'daybreak serve --help')
}
