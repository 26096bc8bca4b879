import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { CoreContext } from '../context.ts'
import { DEFAULT_PATIENCE } from '../documents/candidates/patience.ts'
import { LOCAL } from '../git/refs.ts'
import { problemWithPattern } from '../inbox/sleepPattern.ts'
import { readAppSettings } from '../store/appSettings.ts'
import { REPO_SETTING_KEYS, type RepoSettingKey, writeRepoSetting } from '../store/repoSettings.ts'
import { parseDuration } from './repoConfig.ts'
import { SETTING_DEFAULTS, type SettingsSources } from './settings.ts'

type Group = 'config.get' | 'config.set'
type Origin = 'default' | 'trunk' | 'personal'

const isKey = (key: string): key is RepoSettingKey => (REPO_SETTING_KEYS as readonly string[]).includes(key)

export function configHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  return {
    'config.get': async ({ repoId }) => {
      const sources = await core.repo(repoId).sources()
      return settingsOf(sources, readAppSettings(core.app).keepBranch)
    },
    'config.set': async ({ repoId, key, value }) => {
      const repo = core.repo(repoId)
      if (!isKey(key)) throw wrong(key, `it is not a setting; there are ${REPO_SETTING_KEYS.join(', ')}`)
      if (value !== null) {
        const { snapshot } = await repo.sources()
        const problem = problemWith(key, value, (branch) => snapshot.refs.has(LOCAL + branch))
        if (problem) throw wrong(key, problem)
      }
      await repo.queue.run(async () => writeRepoSetting(repo.state, key, value))
      await repo.refresh()
      core.emit('repo.changed', { repoId, what: ['settings', 'refs'] })
      return {}
    },
  }
}

const wrong = (key: string, issue: string) =>
  new AppError('ERR_CONFIG', { where: `The setting ${key}`, issues: [issue] })

function problemWith(key: RepoSettingKey, value: string, isBranch: (branch: string) => boolean): string | null {
  if (key === 'wait') return parseDuration(value) === null ? 'it is a time, as in 15m' : null
  if (key === 'keep') return value === 'true' || value === 'false' ? null : 'it is true or false'
  if (key === 'sleep') return problemWithPattern(value)
  return isBranch(value) ? null : `there is no branch ${value}`
}

/** Every setting with its value and where it comes from. */
function settingsOf(sources: SettingsSources, keepByDefault: boolean) {
  const { personal, config, trunk } = sources
  const pick = (own: string | undefined, shared: string | null, otherwise: string): { value: string; from: Origin } => {
    if (own !== undefined) return { value: own, from: 'personal' }
    return shared === null ? { value: otherwise, from: 'default' } : { value: shared, from: 'trunk' }
  }
  const { gate } = config
  return {
    trunk: { ...pick(personal.trunk, config.trunk, trunk.branch), value: trunk.branch },
    sleep: pick(personal.sleep, config.sleep, SETTING_DEFAULTS.sleepPattern),
    keep: pick(personal.keep, null, String(keepByDefault)),
    wait: pick(personal.wait, null, `${DEFAULT_PATIENCE / 60_000}m`),
    memories: pick(undefined, config.memories, SETTING_DEFAULTS.memories),
    loss: pick(undefined, config.loss, 'report'),
    ...(gate
      ? { gate: pick(undefined, gate.run, ''), 'gate.timeout': pick(undefined, `${gate.timeoutMs / 1000}s`, '') }
      : {}),
  }
}
