/** An entry of the native menu that runs a command of the page. */
export interface MenuCommand {
  readonly menu: 'file' | 'review' | 'view' | 'help'
  readonly label: string
  /** Id from the renderer's command table. */
  readonly command: string
  /** In Electron's notation, as the page's own key map has it: the page listens to it, the menu shows it. */
  readonly accelerator?: string
}

export const menuCommands: readonly MenuCommand[] = [
  { menu: 'file', label: 'Open repository…', command: 'repository.open', accelerator: 'CmdOrCtrl+O' },
  { menu: 'file', label: 'Try the sample repository', command: 'repository.sample' },
  { menu: 'file', label: "This repository's commands…", command: 'trust.show' },
  { menu: 'file', label: 'Settings…', command: 'settings.show', accelerator: 'CmdOrCtrl+,' },
  { menu: 'review', label: 'Approve sleep merge', command: 'sleep.approve', accelerator: 'CmdOrCtrl+Enter' },
  { menu: 'review', label: 'Bring main in and approve', command: 'sleep.bringMainInAndApprove' },
  { menu: 'review', label: 'Bring main in', command: 'sleep.bringMainIn' },
  { menu: 'review', label: 'Abort sleep branch', command: 'sleep.abort' },
  { menu: 'review', label: 'Apply marks again', command: 'sleep.applyMarks' },
  { menu: 'review', label: 'Viewed and next', command: 'review.viewedAndNext', accelerator: 'V' },
  { menu: 'review', label: 'Next file', command: 'review.nextFile', accelerator: ']' },
  { menu: 'review', label: 'Previous file', command: 'review.previousFile', accelerator: '[' },
  { menu: 'review', label: 'Next change', command: 'review.nextChange', accelerator: 'F7' },
  { menu: 'review', label: 'Previous change', command: 'review.previousChange', accelerator: 'Shift+F7' },
  { menu: 'view', label: 'Inbox', command: 'inbox.show' },
  { menu: 'view', label: 'History', command: 'history.show' },
  { menu: 'view', label: 'Command palette…', command: 'palette.show', accelerator: 'CmdOrCtrl+Shift+P' },
  { menu: 'help', label: 'Keyboard shortcuts', command: 'shortcuts.show', accelerator: 'CmdOrCtrl+/' },
  { menu: 'help', label: 'About Daybreak', command: 'app.about' },
]

/**
 * The accelerator to show. macOS registers every one it shows, and a bare letter there would be taken from what a person
 * types, so those stay out of its menu.
 */
export function shownAccelerator(accelerator: string | undefined, platform: NodeJS.Platform): string | undefined {
  return platform === 'darwin' && accelerator?.length === 1 ? undefined : accelerator
}
