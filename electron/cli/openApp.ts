import { spawn } from 'node:child_process'
import { downloadElectron, electronBinary } from '../host/electronBinary.ts'
import { hasDisplay, pickHost } from '../host/pickHost.ts'
import { appRoot } from '../host/root.ts'
import { TOOL_VARIABLE, type ToolRun } from '../host/toolRun.ts'
import type { Answer } from './answer.ts'
import { notResolved, serveHere } from './serveHere.ts'
import { usageError } from './usage.ts'
import type { Invocation } from './verb.ts'

/**
 * Opens the app on `folder` (null: the last opened), with the host that can be had here. Stays while the app runs. `tool`:
 * for one file of a merge, in a process of its own, until that is decided; exit code 1 where it was not resolved.
 */
export async function openApp(
  call: Invocation,
  folder: string | null,
  host?: string,
  tool?: ToolRun,
): Promise<Answer | null> {
  const { env, say, session } = call
  const words = folder === null ? [] : [folder]
  if (process.versions.electron)
    return tool ? runElectron(process.execPath, [], words, call, tool) : openPackaged(words, env)

  const asked = host ?? (env.DAYBREAK_HOST || undefined)
  const choice = pickHost({ asked, platform: process.platform, env, root: process.getuid?.() === 0 })
  if (choice === null) throw usageError(`There is no host ${asked}. There are: electron, serve.`, 'daybreak [FOLDER]')
  if (choice.host === 'electron') {
    const binary = electronBinary(appRoot(), env) ?? (await fetched(call))
    if (binary !== null) {
      await session.dispose()
      return runElectron(binary, [appRoot()], words, call, tool)
    }
    if (choice.asked) throw usageError('The Electron binary is not here and could not be downloaded.', 'daybreak serve')
    say('The Electron binary is not here and could not be downloaded, so Daybreak opens in a browser.')
  } else if (choice.why !== null) say(choice.why)
  return serveHere(call, { folder, port: 0, open: hasDisplay(process.platform, env), ...(tool ? { tool } : {}) })
}

async function fetched({ env, say }: Invocation): Promise<string | null> {
  say('Downloading Electron, once…')
  return downloadElectron(appRoot(), env)
}

/** The installed app's own command line: starts the app beside it, or hands the folder to the one that runs. */
function openPackaged(words: readonly string[], env: NodeJS.ProcessEnv): null {
  const { ELECTRON_RUN_AS_NODE: _, ...clean } = env
  spawn(process.execPath, words, { env: clean, stdio: 'ignore', detached: true }).unref()
  return null
}

async function runElectron(
  binary: string,
  own: readonly string[],
  words: readonly string[],
  { env, stay }: Invocation,
  tool?: ToolRun,
): Promise<Answer | null> {
  const { ELECTRON_RUN_AS_NODE: _, ...clean } = env
  const child = spawn(binary, [...own, ...words], { env: { ...clean, ...toolEnvironment(tool) }, stdio: 'inherit' })
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
  const code = await Promise.race([ended, stay().then(() => null)])
  if (code === null) child.kill('SIGTERM')
  if (code === null) await ended
  if (tool) return code === 0 ? null : notResolved()
  const exitCode = code ?? 0
  return exitCode === 0 ? null : { type: 'open', data: { exitCode }, text: 'The app ended unexpectedly.', exitCode: 1 }
}

function toolEnvironment(tool: ToolRun | undefined): NodeJS.ProcessEnv {
  if (tool === undefined) return {}
  const { end: _, ...files } = tool.tool
  return { [TOOL_VARIABLE]: JSON.stringify(files) }
}
