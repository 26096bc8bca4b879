import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type BrowserWindow, dialog, shell } from 'electron'
import type { NativeHandlers } from '../../shared/contract/index.ts'
import { AppError } from '../../shared/errors/index.ts'
import type { Core } from '../core/createCore.ts'

interface Native {
  readonly window: () => BrowserWindow | null
  readonly core: Core
}

/** What this host answers itself: the system's folder dialog and file manager. */
export function nativeHandlers({ window, core }: Native): NativeHandlers {
  return {
    'repo.pick': async () => ({ path: await pickFolder(window()) }),
    'repo.reveal': async ({ repoId, path }, caller) => {
      const recent = await core.handlers['repo.recent']({}, caller)
      const top = recent.find((one) => one.id === repoId)?.path
      if (top === undefined) throw new AppError('ERR_REPOSITORY_NOT_OPEN', { repoId })
      const file = join(top, path)
      const inside = file === top || file.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)
      if (!inside || !existsSync(file)) throw new AppError('ERR_PATH_NOT_FOUND', { path: file })
      shell.showItemInFolder(file)
      return {}
    },
  }
}

/** The system's folder dialog; null when it was dismissed. */
async function pickFolder(parent: BrowserWindow | null): Promise<string | null> {
  const options = { title: 'Open repository', properties: ['openDirectory' as const] }
  const { canceled, filePaths } = await (parent
    ? dialog.showOpenDialog(parent, options)
    : dialog.showOpenDialog(options))
  return canceled ? null : (filePaths[0] ?? null)
}
