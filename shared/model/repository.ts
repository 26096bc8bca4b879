import * as z from 'zod'
import { BranchName, Instant, Oid, RepoId } from './common.ts'

/** What HEAD of a worktree is. `unborn`: on a branch without a commit. */
export const Head = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('branch'), branch: BranchName, oid: Oid }),
  z.strictObject({ kind: z.literal('detached'), oid: Oid }),
  z.strictObject({ kind: z.literal('unborn'), branch: BranchName }),
])
export type Head = z.infer<typeof Head>

export const Repository = z.strictObject({
  id: RepoId,
  /** The folder's last name, for titles. */
  name: z.string(),
  /** Absolute: the top of the working tree that was opened, or the git folder of a bare repository. */
  path: z.string(),
  commonDir: z.string(),
  bare: z.boolean(),
  linkedWorktree: z.boolean(),
  head: Head,
  trunk: z.strictObject({ branch: BranchName, oid: Oid.nullable() }),
  /** Whether there is a `.memhtml/` folder on trunk or in the worktree. */
  store: z.boolean(),
  /** Daybreak's databases live in the app's own folder since the git folder cannot be written. */
  readOnly: z.boolean(),
})
export type Repository = z.infer<typeof Repository>

export const RecentRepository = z.strictObject({
  id: RepoId,
  name: z.string(),
  path: z.string(),
  openedAt: Instant,
  pinned: z.boolean(),
  /** The folder is not there any more. */
  missing: z.boolean(),
})
export type RecentRepository = z.infer<typeof RecentRepository>

/** State of the working tree that was opened. `null` counts where there is no worktree. */
export const TreeState = z.strictObject({
  clean: z.boolean(),
  /** Local changes, untracked files included; at most 200 paths, `total` counts all. */
  changed: z.array(z.string()),
  total: z.int(),
})
export type TreeState = z.infer<typeof TreeState>
