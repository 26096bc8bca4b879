import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { AppError } from '../../shared/errors/index.ts'
import { addressFor, type LinkAddress, openerOf } from '../host/opener.ts'
import { pageFolder } from '../host/root.ts'
import type { ToolRun } from '../host/toolRun.ts'
import type { Link } from '../serve/access.ts'
import { serve } from '../serve/serve.ts'
import { type Answer, EXIT, success } from './answer.ts'
import type { Invocation } from './verb.ts'

export interface ServeHere {
  /** Absolute; null: the last opened. */
  readonly folder: string | null
  /** 0: one that is free. */
  readonly port: number
  /** Open the link in the browser. */
  readonly open: boolean
  /** For one file of a merge, until that is decided. */
  readonly tool?: ToolRun
}

/** The answer of a merge tool whose file was not resolved. */
export const notResolved = (): Answer => ({
  type: 'mergetool',
  data: { resolved: false },
  text: 'Not resolved; the file is as it was.',
  exitCode: EXIT.failed,
})

/** Runs the loopback host in this process until the person ends it. */
export async function serveHere(call: Invocation, given: ServeHere): Promise<Answer | null> {
  const { folder, port, open, tool } = given
  const { session, json, env, print, say, stay } = call
  if (folder !== null && !statSync(folder, { throwIfNoEntry: false }))
    throw new AppError('ERR_PATH_NOT_FOUND', { path: folder })
  const core = await session.core({
    host: 'serve',
    ...(folder === null ? {} : { initialPath: folder }),
    ...(tool ? { tool: tool.tool } : {}),
  })
  const pages = tool ? { onPages: tool.onPages } : {}
  const served = await serve({ core, log: session.log, page: pageFolder(), port, ...pages })
  const show = async () => {
    const link = served.newLink()
    await print(success('serve', { url: link.url, port: served.port }, `Daybreak is at ${link.url}`))
    return link
  }
  const ended = stay()
  const link = await show()
  if (!json) say('This link works once. Enter: a new link. Ctrl-C: end.')
  const opened = open ? openInBrowser(link, env, say) : null
  const again = () => void show()
  if (process.stdin.isTTY) process.stdin.on('data', again)
  const resolved = await Promise.race([ended.then(() => false), ...(tool ? [tool.ended] : [])])
  process.stdin.off('data', again).pause()
  await served.close()
  opened?.remove()
  return tool && !resolved ? notResolved() : null
}

/** Sends the browser to the app; what is returned must stay until the browser has been there. */
function openInBrowser(link: Link, env: NodeJS.ProcessEnv, say: (line: string) => void): LinkAddress | null {
  const failed = () => say('No browser could be opened; open the link yourself.')
  const address = addressFor(link)
  if (address === null) {
    failed()
    return null
  }
  const { command, args } = openerOf(address.address)
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  child.on('error', failed)
  child.unref()
  return address
}
