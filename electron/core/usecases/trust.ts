import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { TrustItem, TrustState } from '../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { type ConfigEntry, isLocal, readConfig } from '../git/drivers.ts'
import { repositoryHooks } from '../git/hooks.ts'
import { filteredPaths, localFilters } from '../git/localFilters.ts'
import { configOfOthers, type WorktreeConfig } from '../git/worktreeConfig.ts'
import { acceptedHash, acceptHash, revokeTrust } from '../store/trust.ts'
import type { RepositorySettings } from './settings.ts'

type Item = z.infer<typeof TrustItem>
type Group = 'trust.get' | 'trust.accept' | 'trust.revoke'

/** How much of a hook is shown, in characters; the hash covers all of it. */
const SHOWN = 20_000
const FILTER = /^filter\..+\.(?:clean|smudge|process)$/s
const MERGING = /^merge\..+\.driver$/s
const SIGNING = /^gpg\.(?:.+\.)?program$|^gpg\.ssh\.defaultkeycommand$/s

/**
 * What of the repository's own would run for the person's verbs, with the exact text of each: the gate, filters, signing
 * programs and merge drivers of its own configuration, hooks. What the person's own configuration defines is not among it.
 */
function trustItems(
  repo: Pick<RepositoryContext, 'repository' | 'worktree'>,
  settings: Pick<RepositorySettings, 'gate'>,
  config: readonly ConfigEntry[],
  others: readonly WorktreeConfig[],
): { readonly items: Item[]; readonly hash: string } {
  const { commonDir } = repo.repository
  // A verb that the person has trusted runs the hooks of every worktree that it writes in.
  const elsewhere = others.filter((one) => one.entries.some((entry) => entry.key === 'core.hookspath'))
  const hooks = [
    ...repositoryHooks(commonDir, repo.worktree, config),
    ...elsewhere.flatMap(({ worktree, entries }) =>
      worktree.path === repo.worktree ? [] : repositoryHooks(commonDir, worktree.path, entries),
    ),
  ]
  const named = (pattern: RegExp, kind: Item['kind']): Item[] => {
    const entries = [...config, ...others.flatMap((one) => one.entries)]
    const found = entries.filter((entry) => isLocal(entry) && pattern.test(entry.key))
    const items = found.map((entry) => ({ kind, name: entry.key, command: entry.value }))
    // The worktree that was opened is among the others too.
    return items.filter((item, at) => at === items.findIndex((one) => isDeepStrictEqual(one, item)))
  }
  const settled: Item[] = [
    ...(settings.gate ? [{ kind: 'gate' as const, name: 'gate', command: settings.gate.run }] : []),
    ...named(FILTER, 'filter'),
    ...named(SIGNING, 'signing'),
    ...named(MERGING, 'merge-driver').filter(({ command }) => !['', 'true'].includes(command.trim())),
  ]
  const hash = createHash('sha256').update(JSON.stringify(settled))
  for (const hook of hooks) hash.update(JSON.stringify([hook.name, hook.bytes.length])).update(hook.bytes)
  const shown = hooks.map((hook): Item => {
    const text = hook.bytes.toString('utf8')
    const more = text.length > SHOWN ? `\n… and ${text.length - SHOWN} more characters` : ''
    return { kind: 'hook', name: hook.name, command: text.slice(0, SHOWN) + more }
  })
  return { items: [...settled, ...shown], hash: hash.digest('hex') }
}

/** What there is to trust now, and whether this very text was accepted. */
export async function readTrust(core: CoreContext, repo: RepositoryContext): Promise<z.infer<typeof TrustState>> {
  const [settings, config] = await Promise.all([repo.settings(), readConfig(repo.git)])
  const others = await configOfOthers(repo.git, repo.repository.commonDir, config)
  const { items, hash } = trustItems(repo, settings, config, others)
  if (items.length === 0) return { items, hash, state: 'nothing-to-trust' }
  const accepted = acceptedHash(core.app, repo.repository.id)
  return { items, hash, state: accepted === hash ? 'trusted' : accepted === null ? 'not-trusted' : 'changed' }
}

/** Whether what the repository brings may run: its exact text was accepted, or there is none. */
export async function isTrusted(core: CoreContext, repo: RepositoryContext): Promise<boolean> {
  const { state } = await readTrust(core, repo)
  return state === 'trusted' || state === 'nothing-to-trust'
}

/** Whether there is something to run and its exact text was accepted. */
export const isAccepted = async (core: CoreContext, repo: RepositoryContext): Promise<boolean> =>
  // Where nothing was ever accepted git need not be asked.
  acceptedHash(core.app, repo.repository.id) !== null && (await readTrust(core, repo)).state === 'trusted'

/** The filters of the repository's own that concern some paths. */
export interface LocalFilters {
  /** What would have to be trusted before the paths are written out; empty once it is. */
  readonly untrusted: Item[]
  /** The paths that such a filter applies to: whether they were changed cannot be told without running it. */
  readonly paths: ReadonlySet<string>
}

/** The filters of the repository's own configuration that apply to the paths by the attributes of any of the commits. */
export async function localFiltersOn(
  core: CoreContext,
  repo: RepositoryContext,
  config: readonly ConfigEntry[],
  commits: readonly string[],
  paths: readonly string[],
): Promise<LocalFilters> {
  const filters = localFilters(config)
  if (filters.size === 0) return { untrusted: [], paths: new Set() }
  const found = await filteredPaths(repo.git, commits, paths, new Set(filters.keys()))
  const items = [...new Set(found.values())].flatMap((name) =>
    (filters.get(name) ?? []).map((entry): Item => ({ kind: 'filter', name: entry.key, command: entry.value })),
  )
  const untrusted = items.length > 0 && !(await isTrusted(core, repo)) ? items : []
  return { untrusted, paths: new Set(found.keys()) }
}

export function trustHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  const changed = (repoId: string) => core.emit('repo.changed', { repoId, what: ['settings'] })
  return {
    'trust.get': ({ repoId }) => readTrust(core, core.repo(repoId)),
    // Text that changed since it was shown is not accepted: the answer tells what it is now.
    'trust.accept': async ({ repoId, hash }) => {
      const repo = core.repo(repoId)
      const now = await readTrust(core, repo)
      if (now.hash !== hash || now.items.length === 0) return now
      acceptHash(core.app, repoId, hash, core.ports.clock().toISOString())
      changed(repoId)
      return { ...now, state: 'trusted' }
    },
    'trust.revoke': async ({ repoId }) => {
      revokeTrust(core.app, repoId)
      changed(repoId)
      return readTrust(core, core.repo(repoId))
    },
  }
}
