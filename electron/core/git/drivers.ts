import { decodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

type ConfigScope = 'system' | 'global' | 'local' | 'worktree'

/** One value of git's configuration. `key`: section and name in lower case, subsection as written. */
export interface ConfigEntry {
  readonly scope: ConfigScope | 'unknown'
  readonly key: string
  readonly value: string
}

/**
 * All configuration of files that is in force where `git` runs, in order of precedence, included files too. What our
 * own calls put on top of it is left out.
 */
export async function readConfig(git: Git): Promise<ConfigEntry[]> {
  const fields = splitNul((await git.run(['config', '-z', '--list', '--show-scope'])).stdout)
  const entries: ConfigEntry[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const scope = (fields[at] as Buffer).toString('utf8')
    if (scope === 'command') continue
    const pair = decodePath(fields[at + 1] as Buffer)
    const cut = pair.indexOf('\n')
    entries.push({
      scope: scope as ConfigScope,
      key: cut === -1 ? pair : pair.slice(0, cut),
      value: cut === -1 ? 'true' : pair.slice(cut + 1),
    })
  }
  return entries
}

/** Whether the repository itself, not the person, defines it. */
export const isLocal = (entry: ConfigEntry): boolean => entry.scope === 'local' || entry.scope === 'worktree'

const MERGE_DRIVER = /^merge\.(.+)\.driver$/s

/** The merge drivers of the repository's own configuration that run code of its. */
export const localMergeDrivers = (config: readonly ConfigEntry[]): ConfigEntry[] =>
  config.filter((entry) => isLocal(entry) && MERGE_DRIVER.test(entry.key) && !['', 'true'].includes(entry.value.trim()))

const DRIVER = /^(filter|merge)\.(.+)\.(clean|smudge|process|driver)$/s

/**
 * The environment that takes every filter and merge driver of the repository's own configuration out of force; those
 * of the person's own configuration stay. By GIT_CONFIG_COUNT, since `-c` breaks on names that hold `=`.
 * A merge driver that is literally `true` stays: it runs no code of the repository and means "keep ours".
 * `keep`: for the person's own verbs once they have accepted the filters and merge drivers.
 */
export function driverOverrides(
  entries: readonly ConfigEntry[],
  options: { readonly keep?: boolean } = {},
): Record<string, string> {
  const overrides = new Map<string, string>([
    ['log.showSignature', 'false'],
    ['core.sshCommand', 'false'],
  ])
  for (const entry of entries) {
    const match = DRIVER.exec(entry.key)
    if (!match || !isLocal(entry) || options.keep) continue
    const [, family, name, what] = match
    if (family === 'filter' && what !== 'driver') {
      for (const part of ['clean', 'smudge', 'process']) overrides.set(`filter.${name}.${part}`, '')
      overrides.set(`filter.${name}.required`, 'false')
    } else if (family === 'merge' && what === 'driver' && entry.value !== 'true')
      overrides.set(`merge.${name}.driver`, 'false')
  }
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(overrides.size) }
  let index = 0
  for (const [key, value] of overrides) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
    index += 1
  }
  return env
}
