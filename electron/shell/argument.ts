import { resolve } from 'node:path'

/**
 * The folder that the app was started on, absolute; null where none was named. Switches of Chromium and Electron are
 * not folders. `own`: how many first words are the app itself (the binary; unpackaged also the app's folder).
 */
export function folderArgument(argv: readonly string[], own: number, cwd: string): string | null {
  const folder = argv.slice(own).find((word) => word !== '' && !word.startsWith('-'))
  return folder === undefined ? null : resolve(cwd, folder)
}
