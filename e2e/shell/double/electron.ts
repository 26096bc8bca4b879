import { EventEmitter } from 'node:events'
import type { Page } from '@playwright/test'
import { invokeHandlers, type SchemeHandler, schemes, shownAs, WebContents } from './page.ts'
import { doubleState, type MenuEntry, type PermissionCheck, type PermissionRequest } from './state.ts'

const state = doubleState()

class App extends EventEmitter {
  readonly isPackaged = false
  readonly paths = new Map<string, string>()
  setName(): void {}
  setPath(name: string, path: string): void {
    this.paths.set(name, path)
  }
  getAppPath(): string {
    return process.cwd()
  }
  enableSandbox(): void {}
  readonly dock = {
    setMenu: (menu: MenuEntry[]) => {
      state.dock = menu
    },
  }
  setJumpList(list: unknown): void {
    state.jumpList = list
  }
  requestSingleInstanceLock(data: unknown): boolean {
    state.lockData = data
    return state.first
  }
  whenReady(): Promise<void> {
    return Promise.resolve()
  }
  quit(): void {
    for (const window of [...windows]) window.close()
    let prevented = false
    this.emit('will-quit', { preventDefault: () => (prevented = true) })
    if (!prevented) this.exit(0)
  }
  exit(code: number): void {
    state.exitCode = code
    state.exit(code)
  }
}
export const app = new App()
state.app = app

const windows = new Set<BrowserWindow>()

export class BrowserWindow extends EventEmitter {
  static getAllWindows = () => [...windows]
  static getFocusedWindow = () => [...windows].find((window) => window.focused) ?? null

  readonly webContents = new WebContents()
  readonly options: Record<string, unknown>
  shown = false
  focused = false
  minimized = false
  maximized = false

  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
  }
  get page(): Promise<Page> {
    return this.webContents.ready
  }
  async loadURL(address: string): Promise<void> {
    const page = await this.page
    await page.goto(shownAs(address))
    this.emit('ready-to-show')
  }
  show(): void {
    this.shown = true
  }
  focus(): void {
    this.focused = true
    app.emit('browser-window-focus')
  }
  isDestroyed(): boolean {
    return !windows.has(this)
  }
  isMinimized(): boolean {
    return this.minimized
  }
  restore(): void {
    this.minimized = false
  }
  maximize(): void {
    this.maximized = true
  }
  isMaximized(): boolean {
    return this.maximized
  }
  getNormalBounds(): unknown {
    const { x, y, width, height } = this.options
    return { x, y, width, height }
  }
  close(): void {
    this.emit('close')
    windows.delete(this)
    void this.page.then((page) => page.close())
    this.emit('closed')
    if (windows.size === 0 && state.exitCode === null) app.emit('window-all-closed')
  }
}

export const ipcMain = {
  handle: (channel: string, handler: (event: unknown, ...args: unknown[]) => unknown) =>
    void invokeHandlers.set(channel, handler),
  removeHandler: (channel: string) => void invokeHandlers.delete(channel),
}

export const protocol = {
  registerSchemesAsPrivileged: () => {},
  handle: (scheme: string, handler: SchemeHandler) => void schemes.set(scheme, handler),
}

export const dialog = {
  async showOpenDialog(...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> {
    state.dialogs.push(args.at(-1))
    return state.dialogAnswers.shift() ?? { canceled: true, filePaths: [] }
  },
  async showMessageBox(...args: unknown[]): Promise<void> {
    state.dialogs.push(args.at(-1))
  },
}

export const shell = {
  openExternal: async (url: string) => void state.openedOutside.push(url),
  showItemInFolder: (path: string) => void state.shownInFolder.push(path),
}

export const Menu = {
  buildFromTemplate: (template: MenuEntry[]) => template,
  setApplicationMenu: (menu: MenuEntry[]) => {
    state.menu = menu
  },
}

export const screen = {
  getPrimaryDisplay: () => state.displays[0],
  getAllDisplays: () => state.displays,
}

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: PermissionRequest) => {
      state.permissionRequest = handler
    },
    setPermissionCheckHandler: (handler: PermissionCheck) => {
      state.permissionCheck = handler
    },
    setDevicePermissionHandler: () => {},
  },
}
