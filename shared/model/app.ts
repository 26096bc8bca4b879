import * as z from 'zod'
import { RecentRepository } from './repository.ts'

export const Theme = z.enum(['system', 'light', 'dark', 'high-contrast'])
export type Theme = z.infer<typeof Theme>

/** Personal settings, kept in the app's own data folder. */
export const AppSettings = z.strictObject({
  theme: Theme,
  editorFontSize: z.int().min(8).max(32),
  reopenLast: z.boolean(),
  /** Keep the sleep branch after approval. */
  keepBranch: z.boolean(),
})
export type AppSettings = z.infer<typeof AppSettings>

/** What holds until the person says otherwise. Not in the schema: a partial change must not reset what it leaves out. */
export const DEFAULT_APP_SETTINGS: AppSettings = {
  theme: 'system',
  editorFontSize: 12,
  reopenLast: true,
  keepBranch: false,
}

export const AppInfo = z.strictObject({
  name: z.literal('Daybreak'),
  version: z.string(),
  host: z.enum(['electron', 'serve']),
  platform: z.string(),
  node: z.string(),
  /** Version of the git that was found, null where there is none. */
  git: z.string().nullable(),
  settings: AppSettings,
  recent: z.array(RecentRepository),
  /** The repository to show first: the one asked for, else the last one opened; null shows the landing page. */
  initial: z.string().nullable(),
  /** Started by `daybreak mergetool`: the page goes to the resolver of the source `tool`, and ends with it. */
  tool: z.boolean(),
  /** What the renderer put by with `app.saveSession`, opaque to the core. */
  session: z.string().nullable(),
})
export type AppInfo = z.infer<typeof AppInfo>

export const TrustItem = z.strictObject({
  kind: z.enum(['gate', 'filter', 'hook', 'signing', 'merge-driver']),
  name: z.string(),
  /** The exact text that would run. */
  command: z.string(),
})
export const TrustState = z.strictObject({
  items: z.array(TrustItem),
  /** `changed`: accepted once, but the text is another now. */
  state: z.enum(['nothing-to-trust', 'trusted', 'not-trusted', 'changed']),
  /** Hash of the exact text that `accept` must name. */
  hash: z.string(),
})
export type TrustState = z.infer<typeof TrustState>

export const DoctorFinding = z.strictObject({
  id: z.string(),
  level: z.enum(['ok', 'warning', 'problem']),
  title: z.string(),
  detail: z.string(),
  mend: z.string().nullable(),
})
export type DoctorFinding = z.infer<typeof DoctorFinding>
