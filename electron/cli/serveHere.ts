import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { AppError } from '../../shared/errors/index.ts'
import { openerOf } from '../host/opener.ts'
import { pageFolder } from '../host/root.ts'
import { serve } from '../serve/serve.ts'
import { success } from './answer.ts'
import type { Invocation } from './verb.ts'

export interface ServeHere {
  /** Absolute; null: the last opened. */
  readonly folder: string | null
  /** 0: one that is free. */
  readonly port: number
  /** Open the link in the browser. */
  readonly open: boolean
}

/** Runs the loopback host in this process until the person ends it. */
export async function serveHere(call: Invocation, { folder, port, open }: ServeHere): Promise<null> {
  const { session, json, env, print, say, stay } = call
  if (folder !== null && !statSync(folder, { throwIfNoEntry: false }))
    throw new AppError('ERR_PATH_NOT_FOUND', { path: folder })
  const core = await session.core({ host: 'serve', ...(folder === null ? {} : { initialPath: folder }) })
  const served = await serve({ core, log: session.log, page: pageFolder(), port })
  const show = async () => {
    const url = served.newLink()
    await print(success('serve', { url, port: served.port }, `Daybreak is at ${url}`))
    return url
  }
  const ended = stay()
  const url = await show()
  if (!json) say('This link works once. Enter: a new link. Ctrl-C: end.')
  if (open) openInBrowser(url, env, say)
  const again = () => void show()
  if (process.stdin.isTTY) process.stdin.on('data', again)
  await ended
  process.stdin.off('data', again).pause()
  await served.close()
  return null
}

function openInBrowser(url: string, env: NodeJS.ProcessEnv, say: (line: string) => void): void {
  const { command, args } = openerOf(url)
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  child.on('error', () => say('No browser could be opened; open the link yourself.'))
  child.unref()
}
