import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ConfigEntry, isLocal } from './drivers.ts'

export interface Hook {
  readonly name: string
  readonly bytes: Buffer
}

/**
 * The hooks that the repository itself brings: executable files in its hooks folder. None where the person's own
 * configuration says where hooks are. `worktree`: what a relative `core.hooksPath` is relative to.
 */
export function repositoryHooks(commonDir: string, worktree: string | null, config: readonly ConfigEntry[]): Hook[] {
  const configured = config.findLast((entry) => entry.key === 'core.hookspath')
  if (configured && !isLocal(configured)) return []
  const folder = configured ? resolve(worktree ?? commonDir, configured.value) : join(commonDir, 'hooks')
  return namesIn(folder)
    .filter((name) => !name.endsWith('.sample'))
    .sort()
    .flatMap((name) => {
      const bytes = readHook(join(folder, name))
      return bytes ? [{ name, bytes }] : []
    })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readHook(file: string): Buffer | null {
  try {
    const stat = statSync(file)
    // On Windows every file counts as executable to git.
    const runs = stat.isFile() && (process.platform === 'win32' || (stat.mode & 0o111) !== 0)
    return runs ? readFileSync(file) : null
  } catch {
    return null
  }
}
