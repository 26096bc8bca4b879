import { AppSettings, DEFAULT_APP_SETTINGS } from '../../../shared/model/index.ts'
import type { AppDb } from './appDb.ts'

const SETTINGS = 'settings'
const SESSION = 'session'

function read(app: AppDb, key: string): string | null {
  const row = app.db.prepare('SELECT value FROM app_settings WHERE key = ?').get(key) as { value: string } | undefined
  return row?.value ?? null
}

function put(app: AppDb, key: string, value: string): void {
  app.db
    .prepare(
      'INSERT INTO app_settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    .run(key, value)
}

/** The person's settings; what is missing or not understood has its default. */
export function readAppSettings(app: AppDb): AppSettings {
  const stored = parse(read(app, SETTINGS))
  const given = Object.entries(AppSettings.shape).flatMap(([key, schema]) => {
    const value = schema.safeParse(stored[key])
    return value.success ? [[key, value.data]] : []
  })
  return { ...DEFAULT_APP_SETTINGS, ...Object.fromEntries(given) }
}

function parse(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = text === null ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Changes some settings and returns all. */
export function changeAppSettings(app: AppDb, change: { [K in keyof AppSettings]?: AppSettings[K] | undefined }) {
  return app.write(() => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const next = AppSettings.parse({ ...readAppSettings(app), ...given })
    put(app, SETTINGS, JSON.stringify(next))
    return next
  })
}

export const readSession = (app: AppDb): string | null => read(app, SESSION)

export function saveSession(app: AppDb, session: string): void {
  app.write(() => put(app, SESSION, session))
}
