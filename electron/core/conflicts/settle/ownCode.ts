import type { Refusal } from '../../../../shared/model/index.ts'
import { type ConfigEntry, isLocal, localMergeDrivers } from '../../git/drivers.ts'
import { repositoryHooks } from '../../git/hooks.ts'
import { filteredPaths, localFilters } from '../../git/localFilters.ts'
import { type GitsOperation, isSequence, stateText } from './gitsOperation.ts'
import type { SettlePlace } from './place.ts'

export type TrustItems = Extract<Refusal, { refusal: 'not-trusted' }>['items']

const COMMITTING = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction']
const HOOKS: Readonly<Record<GitsOperation, readonly string[]>> = {
  merge: [...COMMITTING, 'post-index-change', 'post-merge'],
  rebase: [...COMMITTING, 'post-index-change', 'post-checkout', 'post-rewrite', 'applypatch-msg', 'pre-applypatch'],
  'cherry-pick': [...COMMITTING, 'post-index-change'],
  revert: [...COMMITTING, 'post-index-change'],
  am: [...COMMITTING, 'post-index-change', 'applypatch-msg', 'pre-applypatch', 'post-applypatch', 'post-rewrite'],
}

const SIGNERS = /^gpg\.(?:.+\.)?program$|^gpg\.ssh\.defaultkeycommand$/s
/** How much of a hook is shown, in characters. */
const SHOWN = 2000

/** Hooks, signing programs, filters and merge drivers of the repository's own that going on with an operation would run. */
export async function ownCodeOfContinuing(place: SettlePlace, operation: GitsOperation): Promise<TrustItems> {
  const { config, gitDir, commonDir, worktree } = place
  const hooks = repositoryHooks(commonDir, worktree, config)
    .filter((hook) => HOOKS[operation].includes(hook.name))
    .map((hook) => ({
      kind: 'hook' as const,
      name: hook.name,
      command: hook.bytes.toString('utf8').slice(0, SHOWN),
    }))
  const signs = signsCommits(config, gitDir)
  const signing = config
    .filter((entry) => signs && isLocal(entry) && SIGNERS.test(entry.key))
    .map((entry) => ({ kind: 'signing' as const, name: entry.key, command: entry.value }))
  // What the commits to come change is not known before: any filter or merge driver of the repository's own may have to run.
  const filters = isSequence(gitDir, operation) ? [...localFilters(config).values()].flat() : []
  const drivers = isSequence(gitDir, operation) ? localMergeDrivers(config) : []
  const merging = drivers.map((entry) => ({ kind: 'merge-driver' as const, name: entry.key, command: entry.value }))
  return [...hooks, ...signing, ...filters.map(asItem), ...merging]
}

/** Filters of the repository's own that apply to these paths. `commits`: whose attributes count beside the files'. */
export async function ownFilters(
  place: SettlePlace,
  commits: readonly string[],
  paths: readonly string[],
): Promise<TrustItems> {
  const filters = localFilters(place.config)
  const found = await filteredPaths(place.reading, commits, paths, new Set(filters.keys()))
  return [...new Set(found.values())].flatMap((name) => (filters.get(name) ?? []).map(asItem))
}

const asItem = (entry: ConfigEntry) => ({ kind: 'filter' as const, name: entry.key, command: entry.value })

function signsCommits(config: readonly ConfigEntry[], gitDir: string): boolean {
  if (config.findLast((entry) => entry.key === 'commit.gpgsign')?.value === 'true') return true
  return ['rebase-merge', 'rebase-apply'].some((folder) => stateText(gitDir, folder, 'gpg_sign_opt'))
}

/** Flags that let the person's own hooks run where nothing of the repository's own may. */
export function personsHooks(config: readonly ConfigEntry[]): string[] {
  const own = config.findLast((entry) => entry.key === 'core.hookspath')
  // A relative path leads into the repository.
  if (!own || isLocal(own) || !/^(?:[/~]|[A-Za-z]:)/.test(own.value)) return []
  return ['-c', `core.hooksPath=${own.value}`]
}

/** Who commits where git knows nobody. */
export function identityFor(config: readonly ConfigEntry[]): Record<string, string> {
  const has = (key: string) => config.some((entry) => entry.key === key && entry.value.trim() !== '')
  if (has('user.name') && has('user.email')) return {}
  const [name, email] = ['Daybreak', 'daybreak@localhost.invalid']
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}
