import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Discovered } from './discover.ts'
import { type ConfigEntry, readConfig } from './drivers.ts'
import type { Git } from './process.ts'
import { statKey } from './statKey.ts'

const INCLUDES = /^include(?:if)?\./i

/**
 * `readConfig` that asks git again only where a file of its configuration was changed, came or went since. Where files
 * include others it always asks.
 */
export function createConfigReader(
  git: Git,
  place: Pick<Discovered, 'commonDir' | 'gitDir'>,
  clock: () => number = Date.now,
): () => Promise<ConfigEntry[]> {
  let known: { readonly key: string; readonly entries: ConfigEntry[] } | null = null
  let files: readonly string[] | null = null
  return async () => {
    const before = files && keyOf(files, clock())
    if (before !== null && known?.key === before) return [...known.entries]
    known = null
    files ??= [...new Set([...usualFiles(git, place), ...(await systemFile(git))])]
    const key = keyOf(files, clock())
    const entries = await readConfig(git)
    if (key !== null && keyOf(files, clock()) === key && !entries.some((entry) => INCLUDES.test(entry.key)))
      known = { key, entries: [...entries] }
    return entries
  }
}

function keyOf(files: readonly string[], time: number): string | null {
  const keys = files.map((file) => statKey(file, time))
  return keys.includes(null) ? null : keys.join('\n')
}

/** Where git looks beside the system's file (git-config, FILES). */
function usualFiles(git: Git, place: Pick<Discovered, 'commonDir' | 'gitDir'>): string[] {
  const env = git.environment()
  const home = env.HOME || homedir()
  const global = env.GIT_CONFIG_GLOBAL
    ? [resolve(git.cwd, env.GIT_CONFIG_GLOBAL)]
    : [join(home, '.gitconfig'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')]
  return [join(place.commonDir, 'config'), join(place.gitDir, 'config.worktree'), ...global]
}

/** The system's own files: where they are is known to git alone. */
async function systemFile(git: Git): Promise<string[]> {
  const env = git.environment()
  if (env.GIT_CONFIG_SYSTEM) return [resolve(git.cwd, env.GIT_CONFIG_SYSTEM)]
  const { stdout } = await git.run(['config', '-z', '--system', '--list', '--show-origin'], { ok: [0, 1, 128] })
  const origins = stdout
    .toString('utf8')
    .split('\0')
    .filter((one) => one.startsWith('file:'))
  return [...new Set(['/etc/gitconfig', ...origins.map((one) => resolve(git.cwd, one.slice('file:'.length)))])]
}
