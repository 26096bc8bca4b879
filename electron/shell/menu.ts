import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron'
import type { RecentRepository } from '../../shared/model/index.ts'
import { menuCommands, shownAccelerator } from './menuCommands.ts'

export interface MenuActions {
  /** Runs a command of the page. */
  readonly command: (id: string) => void
  readonly open: (path: string) => void
  readonly installTools: () => void
  readonly recent: () => Promise<readonly RecentRepository[]> | readonly RecentRepository[]
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }
/** So many recent repositories are in the menu and the jump list. */
const RECENT = 10

/** Sets the native menu, the dock's and the jump list, and keeps the recent repositories in them up to date. */
export function setMenu(actions: MenuActions): void {
  const refresh = async () => {
    const recent = (await actions.recent()).filter((one) => !one.missing).slice(0, RECENT)
    Menu.setApplicationMenu(Menu.buildFromTemplate(template(actions, recent)))
    if (process.platform === 'darwin')
      app.dock?.setMenu(Menu.buildFromTemplate(recent.map((one) => recentItem(one, actions))))
    if (process.platform === 'win32') setJumpList(recent)
  }
  void refresh()
  app.on('browser-window-focus', () => void refresh())
}

const recentItem = (one: RecentRepository, actions: MenuActions): MenuItemConstructorOptions => ({
  label: one.path,
  click: () => actions.open(one.path),
})

function setJumpList(recent: readonly RecentRepository[]): void {
  const own = app.isPackaged ? '' : `"${app.getAppPath()}" `
  const items = recent.map((one) => ({
    type: 'task' as const,
    title: one.name,
    description: one.path,
    program: process.execPath,
    args: `${own}"${one.path}"`,
  }))
  app.setJumpList([{ type: 'custom', name: 'Recent repositories', items }])
}

function template(actions: MenuActions, recent: readonly RecentRepository[]): MenuItemConstructorOptions[] {
  const mac = process.platform === 'darwin'
  const entries = (menu: string): MenuItemConstructorOptions[] =>
    menuCommands
      .filter((row) => row.menu === menu)
      .map(({ label, command, accelerator }) => {
        const shown = shownAccelerator(accelerator, process.platform)
        // The page hears its keys itself; shown here, but not taken from it.
        const key = shown === undefined ? {} : { accelerator: shown, registerAccelerator: false }
        return { label, ...key, click: () => actions.command(command) }
      })
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        ...entries('file'),
        {
          label: 'Open recent',
          enabled: recent.length > 0,
          submenu: recent.map((one) => recentItem(one, actions)),
        },
        SEPARATOR,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    { label: '&Review', submenu: entries('review') },
    { label: '&Conflicts', submenu: entries('conflicts') },
    {
      label: '&View',
      submenu: [
        ...entries('view'),
        SEPARATOR,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        ...entries('help'),
        { label: 'Install command line tools…', click: actions.installTools },
        { label: 'About git', click: () => void shell.openExternal('https://git-scm.com') },
      ],
    },
  ]
}
