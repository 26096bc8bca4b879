import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that holds package.json and dist/: the clone, or the packaged app's archive. */
export function appRoot(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** The built page. */
export const pageFolder = () => join(appRoot(), 'dist', 'renderer')
