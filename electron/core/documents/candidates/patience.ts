import { readRepoSettings } from '../../store/repoSettings.ts'
import type { StateDb } from '../../store/stateDb.ts'
import { parseDuration } from '../../usecases/repoConfig.ts'

/** How long a candidate waits for its agent, in milliseconds, before it is the person's. */
export const DEFAULT_PATIENCE = 15 * 60_000

/** The setting `wait` of one repository, else the default. */
export function patienceOf(state: StateDb): number {
  const set = readRepoSettings(state).wait
  return (set === undefined ? null : parseDuration(set)) ?? DEFAULT_PATIENCE
}
