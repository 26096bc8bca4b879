import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How long a download of the binary may take, in milliseconds. */
const DOWNLOAD_WITHIN = 600_000

/**
 * The Electron binary of a clone, null where it is not there. Looks at the files of the npm package and never loads it,
 * since loading it starts a download.
 */
export function electronBinary(root: string, env: NodeJS.ProcessEnv): string | null {
  const folder = join(root, 'node_modules', 'electron')
  const pathFile = join(folder, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : null
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  const file = override ? join(override, name ?? 'electron') : name === null ? null : join(folder, 'dist', name)
  return file !== null && existsSync(file) ? file : null
}

/** Downloads the binary with the npm package's own installer; resolves with it, or null where it cannot be had. */
export async function downloadElectron(root: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const installer = join(root, 'node_modules', 'electron', 'install.js')
  if (!existsSync(installer)) return null
  await new Promise<void>((resolve) => {
    const child = spawn(process.execPath, [installer], {
      env,
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: DOWNLOAD_WITHIN,
    })
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  return electronBinary(root, env)
}
