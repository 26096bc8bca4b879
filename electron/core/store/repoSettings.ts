import type { StateDb } from './stateDb.ts'

/** Keys of the personal settings of one repository. */
export const REPO_SETTING_KEYS = ['trunk', 'sleep', 'keep', 'wait'] as const
export type RepoSettingKey = (typeof REPO_SETTING_KEYS)[number]

/** The personal settings that were set, by key. */
export function readRepoSettings(state: StateDb): Partial<Record<RepoSettingKey, string>> {
  const rows = state.db.prepare('SELECT key, value FROM settings').all() as { key: string; value: string }[]
  const known = new Set<string>(REPO_SETTING_KEYS)
  return Object.fromEntries(rows.filter((row) => known.has(row.key)).map((row) => [row.key, row.value]))
}

/** Sets or, with null, clears one. */
export function writeRepoSetting(state: StateDb, key: RepoSettingKey, value: string | null): void {
  state.write(() => {
    if (value === null) state.db.prepare('DELETE FROM settings WHERE key = ?').run(key)
    else
      state.db
        .prepare(
          'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        )
        .run(key, value)
  })
}
