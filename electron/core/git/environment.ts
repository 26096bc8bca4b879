import { delimiter } from 'node:path'
import { absoluteFolders } from './locate.ts'

const NO_FSMONITOR = ['-c', 'core.fsmonitor=false']
/** A bare repository is opened because the person named it; none of its programs runs. */
const ANY_BARE = ['-c', 'safe.bareRepository=all']

/** Flags of a call in which the hooks of a trusted repository run. */
export const FLAGS_WITH_HOOKS: readonly string[] = [...ANY_BARE, ...NO_FSMONITOR]

/**
 * Flags of every git call: no code of an opened repository runs for reading. Filters and merge drivers are
 * overridden per repository by `drivers.ts`, since their names are only known from its configuration.
 */
export const SAFE_FLAGS: readonly string[] = [...FLAGS_WITH_HOOKS, '-c', 'core.hooksPath=/dev/null']

const KEPT = /^GIT_(?:EXEC_PATH|SSL_CAINFO|TRACE2?(?:_.*)?|CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM)$/

/**
 * The environment every git call gets: stable English, no prompts, no optional locks (a read never rewrites the
 * index), paths taken literally, no lazy fetch, no replace refs, and nothing inherited that could point git elsewhere.
 */
export function gitEnvironment(inherited: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || (name.startsWith('GIT_') && !KEPT.test(name))) continue
    // git looks for its helpers there; a relative entry would lead into the opened repository.
    env[name] = name.toUpperCase() === 'PATH' ? absoluteFolders(value).join(delimiter) : value
  }
  delete env.LANGUAGE
  return {
    ...env,
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
}
