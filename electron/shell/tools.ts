import { homedir } from 'node:os'
import { app, type BrowserWindow, dialog } from 'electron'
import { appRoot } from '../host/root.ts'
import { installCommandLine, installMessage, toolsPlace } from './commandLineTools.ts'

/** `Install command line tools…`: links the command and says what came of it. */
export async function installTools(parent: BrowserWindow | null, env: NodeJS.ProcessEnv): Promise<void> {
  const { message, detail } =
    process.platform === 'win32'
      ? {
          message: 'The command is daybreak.cmd.',
          detail: `Add its folder to your PATH: ${process.resourcesPath}\\bin`,
        }
      : installMessage(install(env))
  const options = { type: 'info' as const, message, detail }
  await (parent ? dialog.showMessageBox(parent, options) : dialog.showMessageBox(options))
}

function install(env: NodeJS.ProcessEnv) {
  const shipped = app.isPackaged ? process.resourcesPath : appRoot()
  return installCommandLine(toolsPlace(homedir(), shipped), env.PATH ?? '', env.APPIMAGE === undefined)
}
