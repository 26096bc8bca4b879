import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, BrowserWindow, session } from 'electron'
import { createCore } from '../core/createCore.ts'
import { createDoor } from '../host/door.ts'
import { appHome } from '../host/home.ts'
import { createLog } from '../host/log.ts'
import { appRoot, pageFolder } from '../host/root.ts'
import { startToolRun, type ToolCall, takeToolCall } from '../host/toolRun.ts'
import { VERSION } from '../host/version.ts'
import { registerScheme, servePage } from './appProtocol.ts'
import { folderArgument } from './argument.ts'
import { denyPermissions, guardNavigation } from './guards.ts'
import { connectPages } from './ipc.ts'
import { loginPath } from './loginPath.ts'
import { setMenu } from './menu.ts'
import { nativeHandlers } from './native.ts'
import { notifyOfCandidates } from './notifications.ts'
import { createOpener } from './opening.ts'
import { installTools } from './tools.ts'
import { openWindow } from './window.ts'

/** Starts the app, or hands the folder to the one that already runs. Called once, before the app is ready. */
export function start(): void {
  const home = appHome(process.env)
  const tool = takeToolCall(process.env)
  app.setName('Daybreak')
  // A merge tool is an app of its own beside the one that runs: two cannot share such a folder.
  const data = tool === null ? join(home, 'electron') : mkdtempSync(join(tmpdir(), 'daybreak-tool-'))
  app.setPath('userData', data)
  if (tool !== null) process.on('exit', () => rmSync(data, { recursive: true, force: true }))
  const folder = folderArgument(process.argv, app.isPackaged ? 1 : 2, process.cwd())
  if (tool === null && !app.requestSingleInstanceLock({ folder })) {
    app.quit()
    return
  }

  app.enableSandbox()
  registerScheme()
  guardNavigation()
  const opener = createOpener()
  app.on('second-instance', (_event, _argv, _cwd, data) => opener.show(folderOf(data)))
  app.on('open-file', (event, path) => {
    event.preventDefault()
    opener.show(path)
  })
  void app.whenReady().then(() => run(home, folder, opener, tool))
}

const folderOf = (data: unknown): string | null =>
  typeof data === 'object' && data !== null && 'folder' in data && typeof data.folder === 'string' ? data.folder : null

async function run(
  home: string,
  folder: string | null,
  opener: ReturnType<typeof createOpener>,
  call: ToolCall | null,
): Promise<void> {
  let exitCode = call === null ? 0 : 1
  const running = call === null ? null : startToolRun(call)
  void running?.ended.then((resolved) => {
    exitCode = resolved ? 0 : 1
    app.quit()
  })
  const log = createLog(home)
  const env = { ...process.env, PATH: await loginPath(process.env, process.platform) }
  const core = createCore({
    home,
    env,
    clock: () => new Date(),
    host: 'electron',
    version: VERSION,
    log: log.line,
    ...(folder === null ? {} : { initialPath: folder }),
    ...(running === null ? {} : { tool: running.tool }),
  })
  const windows = () => BrowserWindow.getAllWindows()
  const front = () => BrowserWindow.getFocusedWindow() ?? windows()[0] ?? null
  const door = createDoor(core, nativeHandlers({ window: front, core }), log)

  denyPermissions(session.defaultSession)
  servePage(pageFolder())
  const disconnect = connectPages(door, () => windows().map((window) => window.webContents))
  const open = () =>
    openWindow({
      preload: join(appRoot(), 'dist', 'preload', 'preload.cjs'),
      stateFile: join(home, 'electron', 'window.json'),
      onFailure: (error) => log.report(error, 'showing the page'),
    })
  setMenu({
    command: (command) => opener.send('app.command', { command }),
    open: (path) => opener.show(path),
    installTools: () => void installTools(front(), env),
    recent: () => core.handlers['repo.recent']({}, { via: 'app' }),
  })
  opener.begin(open)
  const silence = notifyOfCandidates(core, {
    focused: () => BrowserWindow.getFocusedWindow() !== null,
    show: () => opener.show(null),
  })
  app.on('activate', () => opener.show(null))
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' || call !== null) app.quit()
  })

  let ending: Promise<void> | null = null
  app.on('will-quit', (event) => {
    if (ending !== null) return
    event.preventDefault()
    disconnect()
    silence()
    // A running verb ends first: a window that is closed interrupts nothing halfway.
    ending = core
      .dispose()
      .catch((error: unknown) => void log.report(error, 'ending'))
      .then(() => app.exit(exitCode))
  })
}
