import { AppError } from '../../../shared/errors/index.ts'
import type { ObjectReader } from '../git/objects.ts'
import type { RefSnapshot } from '../git/refs.ts'
import { chooseTrunk, type Trunk } from '../git/trunk.ts'
import { type RepoSettingKey, readRepoSettings } from '../store/repoSettings.ts'
import type { StateDb } from '../store/stateDb.ts'
import { type ParsedConfig, parseRepoConfig } from './repoConfig.ts'

/** What governs one repository: `.daybreak.yml` on trunk, below it the personal settings in `state.db`. */
export interface RepositorySettings {
  /** Short name of trunk: a setting, else origin/HEAD, `main`, `master`. */
  readonly trunk: string
  /** Pattern of sleep branches, e.g. `sleep/*`. */
  readonly sleepPattern: string
  /** Which files are memories, as a glob. */
  readonly memories: string
  /** What becomes of an answer to a candidate that loses lines. */
  readonly loss: 'report' | 'strict'
  /** Keep the branch after approval. */
  readonly keepBranch: boolean
  /** The optional gate: a shell command and its time limit in milliseconds. */
  readonly gate: { readonly run: string; readonly timeoutMs: number } | null
  /** What is wrong with `.daybreak.yml` on trunk, in words; its defaults are in force where it could not be read. */
  readonly problems: readonly string[]
}

export const SETTING_DEFAULTS = { sleepPattern: 'sleep/*', memories: '**/*.html' } as const

/** The file on trunk that all who use the repository share. */
export const CONFIG_FILE = '.daybreak.yml'

export interface SettingsSources {
  readonly trunk: Trunk
  readonly config: ParsedConfig
  readonly personal: Partial<Record<RepoSettingKey, string>>
}

/**
 * Where each setting comes from. A personal trunk wins over the one that `.daybreak.yml` names; the file is read
 * where trunk would be without it, and once more on the trunk that it names.
 */
export async function readSources(
  objects: ObjectReader,
  state: StateDb,
  snapshot: RefSnapshot,
): Promise<SettingsSources> {
  const personal = readRepoSettings(state)
  const first = chooseTrunk(snapshot, personal.trunk ?? null)
  const config = await readConfigAt(objects, first.oid)
  const named = config.trunk
  if (personal.trunk || !named || named === first.branch) return { trunk: first, config, personal }
  const second = chooseTrunk(snapshot, named)
  if (!second.oid) {
    const problem = `trunk: there is no branch ${named}`
    return { trunk: first, config: { ...config, problems: [...config.problems, problem] }, personal }
  }
  return { trunk: second, config: await readConfigAt(objects, second.oid), personal }
}

/** The settings in force. `keepByDefault`: the app's own setting for repositories that do not say. */
export function combineSettings(sources: SettingsSources, keepByDefault: boolean): RepositorySettings {
  const { config, personal, trunk } = sources
  return {
    trunk: trunk.branch,
    sleepPattern: personal.sleep ?? config.sleep ?? SETTING_DEFAULTS.sleepPattern,
    memories: config.memories ?? SETTING_DEFAULTS.memories,
    loss: config.loss ?? 'report',
    keepBranch: personal.keep === undefined ? keepByDefault : personal.keep === 'true',
    gate: config.gate,
    problems: config.problems,
  }
}

/**
 * Throws where `.daybreak.yml` on trunk could not be read in full: a gate that is in it might be among what is wrong,
 * and nothing is approved past a gate. Errors: ERR_CONFIG.
 */
export function requireSoundConfig(settings: Pick<RepositorySettings, 'trunk' | 'problems'>): void {
  if (settings.problems.length > 0)
    throw new AppError('ERR_CONFIG', { where: `${CONFIG_FILE} on ${settings.trunk}`, issues: [...settings.problems] })
}

async function readConfigAt(objects: ObjectReader, oid: string | null): Promise<ParsedConfig> {
  if (!oid) return parseRepoConfig(null)
  const file = await objects.read(`${oid}:${CONFIG_FILE}`)
  return parseRepoConfig(file?.type === 'blob' ? file.bytes : null)
}
