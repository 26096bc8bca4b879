/** An entry of the native menu that runs a command of the page. */
export interface MenuCommand {
  readonly menu: 'file' | 'review' | 'view' | 'help'
  readonly label: string
  /** Id from the renderer's command table. */
  readonly command: string
  /** In Electron's notation; the page itself listens to it. */
  readonly accelerator?: string
}

export const menuCommands: readonly MenuCommand[] = [
  { menu: 'view', label: 'Command palette…', command: 'palette.show', accelerator: 'CmdOrCtrl+Shift+P' },
]
