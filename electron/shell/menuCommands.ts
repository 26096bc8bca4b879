/** An entry of the native menu that runs a command of the page. */
export interface MenuCommand {
  readonly menu: 'file' | 'review' | 'conflicts' | 'view' | 'help'
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
  {
    menu: 'review',
    label: 'Viewed, all that are alike or of the kind in focus',
    command: 'review.viewedAlike',
  },
  { menu: 'review', label: 'Include this file, or leave it out', command: 'review.include', accelerator: 'X' },
  { menu: 'review', label: 'Walk to the next commit', command: 'review.nextCommit', accelerator: '}' },
  { menu: 'review', label: 'Walk to the previous commit', command: 'review.previousCommit', accelerator: '{' },
  { menu: 'review', label: 'Show the whole run', command: 'review.allCommits' },
  { menu: 'review', label: 'Memory text or raw lines', command: 'review.raw', accelerator: 'R' },
  { menu: 'review', label: 'Side by side or inline', command: 'review.inline', accelerator: 'I' },
  { menu: 'review', label: 'Filter the changes', command: 'review.filter', accelerator: '/' },
  { menu: 'review', label: 'Cancel what runs', command: 'operation.cancel' },
  { menu: 'conflicts', label: 'Show conflicts', command: 'show-conflicts' },
  { menu: 'conflicts', label: 'Show all files in conflict', command: 'conflict.overview' },
  { menu: 'conflicts', label: 'Next conflict', command: 'conflict.next', accelerator: 'N' },
  { menu: 'conflicts', label: 'Previous conflict', command: 'conflict.previous', accelerator: 'P' },
  { menu: 'conflicts', label: 'Next file in conflict', command: 'conflict.nextFile', accelerator: ']' },
  { menu: 'conflicts', label: 'Previous file in conflict', command: 'conflict.previousFile', accelerator: '[' },
  { menu: 'conflicts', label: 'Accept the first side', command: 'conflict.ours', accelerator: 'Alt+1' },
  { menu: 'conflicts', label: 'Accept the second side', command: 'conflict.theirs', accelerator: 'Alt+2' },
  { menu: 'conflicts', label: 'Accept both', command: 'conflict.both', accelerator: 'Alt+3' },
  { menu: 'conflicts', label: 'Accept both, the second side first', command: 'conflict.bothTheirsFirst' },
  { menu: 'conflicts', label: 'Keep base', command: 'conflict.base', accelerator: 'Alt+0' },
  { menu: 'conflicts', label: 'Resolve simple conflicts', command: 'conflict.simple', accelerator: 'S' },
  { menu: 'conflicts', label: 'Fold or unfold base', command: 'conflict.foldBase', accelerator: 'B' },
  { menu: 'conflicts', label: 'Undo in this file', command: 'conflict.undo' },
  { menu: 'conflicts', label: 'Redo in this file', command: 'conflict.redo' },
  { menu: 'conflicts', label: 'Drop all lost lines on purpose', command: 'conflict.dropLost' },
  { menu: 'conflicts', label: 'Mark resolved', command: 'conflict.resolve', accelerator: 'CmdOrCtrl+Enter' },
  { menu: 'conflicts', label: 'Continue what git stopped in', command: 'conflict.continue' },
  { menu: 'conflicts', label: 'Copy state as JSON', command: 'conflict.copyState' },
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
