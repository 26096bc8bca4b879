import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The app's own data folder, absolute: `DAYBREAK_HOME`, else where the OS keeps such data. Every door uses the same one,
 * so that settings, recent repositories and trust are shared. Creates nothing.
 */
export function appHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env.DAYBREAK_HOME) return resolve(env.DAYBREAK_HOME)
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Daybreak')
  if (platform === 'win32') return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), 'Daybreak')
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'daybreak')
}
