import { type ConfigEntry, readConfig } from './drivers.ts'
import type { Git } from './process.ts'
import { readWorktrees, type Worktree } from './worktrees.ts'

/** What one worktree configures for itself alone, in its `config.worktree`. */
export interface WorktreeConfig {
  readonly worktree: Worktree
  readonly entries: readonly ConfigEntry[]
}

/** What the other worktrees configure for themselves alone: git is asked there too. `config`: that of where git runs. */
export async function configOfOthers(
  git: Git,
  commonDir: string,
  config: readonly ConfigEntry[],
): Promise<WorktreeConfig[]> {
  const own = config.findLast((entry) => entry.key === 'extensions.worktreeconfig')
  if (own === undefined || own.value === 'false') return []
  const others = (await readWorktrees(git, commonDir)).filter((one) => one.gitDir !== null && !one.missing)
  return Promise.all(
    others.map(async (worktree) => {
      const all = await readConfig(git.at(worktree.gitDir as string))
      return { worktree, entries: all.filter((entry) => entry.scope === 'worktree') }
    }),
  )
}

const FILTER = /^filter\..+\.(?:clean|smudge|process)$/s

/**
 * The configuration where git runs, and before it, since they have no say there, the filters that other worktrees
 * define for themselves: a verb writes files out in those too. `known`: the configuration, where it was read just now.
 */
export async function readConfigWithFilters(
  git: Git,
  commonDir: string,
  known?: readonly ConfigEntry[],
): Promise<ConfigEntry[]> {
  const config = known ?? (await readConfig(git))
  const others = (await configOfOthers(git, commonDir, config)).flatMap((one) => one.entries)
  const own = new Set(config.filter((entry) => entry.scope === 'worktree').map(identity))
  return [...others.filter((entry) => FILTER.test(entry.key) && !own.has(identity(entry))), ...config]
}

const identity = (entry: ConfigEntry) => `${entry.key}\n${entry.value}`
