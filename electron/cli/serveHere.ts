import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { AppError } from '../../shared/errors/index.ts'
import { type LinkFile, writeLinkFile } from '../host/linkFile.ts'
import { openerOf } from '../host/opener.ts'
import { pageFolder } from '../host/root.ts'
import type { ToolRun } from '../host/toolRun.ts'
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
    const url = served.newLink()
    await print(success('serve', { url, port: served.port }, `Daybreak is at ${url}`))
    return url
  }
  const ended = stay()
  const url = await show()
  if (!json) say('This link works once. Enter: a new link. Ctrl-C: end.')
  const link = open ? openInBrowser(url, env, say) : null
  const again = () => void show()
  if (process.stdin.isTTY) process.stdin.on('data', again)
  const resolved = await Promise.race([ended.then(() => false), ...(tool ? [tool.ended] : [])])
  process.stdin.off('data', again).pause()
  await served.close()
  link?.remove()
  return tool && !resolved ? notResolved() : null
}

/** Returns the page that the browser is sent to, where there is one: it must stay until the browser has read it. */
function openInBrowser(url: string, env: NodeJS.ProcessEnv, say: (line: string) => void): LinkFile | null {
  const failed = () => say('No browser could be opened; open the link yourself.')
  // Windows shows the arguments of a process to its own user alone.
  const link = process.platform === 'win32' ? null : linkFileFor(url)
  if (process.platform !== 'win32' && link === null) {
    failed()
    return null
  }
  const { command, args } = openerOf(link?.address ?? url)
  const child = spawn(command, args, { env, stdio: 'ignore', detached: true })
  child.on('error', failed)
  child.unref()
  return link
}

function linkFileFor(url: string): LinkFile | null {
  try {
    return writeLinkFile(url)
  } catch {
    return null
  }
}
