import * as z from 'zod'
import { BranchName, Oid, RepoPath } from './common.ts'

/** The paths with local changes that stand in the way, per worktree (absolute folder). */
export const DirtyWorktree = z.strictObject({ worktree: z.string(), paths: z.array(RepoPath) })
export type DirtyWorktree = z.infer<typeof DirtyWorktree>

/**
 * An expected "no": nothing was moved. Each kind carries what a person needs to act on it.
 * The words are the glossary's; texts are in `shared/errors/refusals.ts`.
 */
export const Refusal = z.discriminatedUnion('refusal', [
  /** Trunk has commits that the branch does not. `overlap`: paths changed on both sides ([] = disjoint); `conflicts`: paths a merge could not settle, null where that was not computed. */
  z.strictObject({
    refusal: z.literal('main-advanced'),
    commits: z.int(),
    overlap: z.array(RepoPath),
    conflicts: z.array(RepoPath).nullable(),
  }),
  z.strictObject({ refusal: z.literal('dirty-tree'), worktrees: z.array(DirtyWorktree) }),
  z.strictObject({
    refusal: z.literal('gate-failed'),
    command: z.string(),
    exitCode: z.int().nullable(),
    reason: z.enum(['exit', 'timeout', 'cancelled', 'not-started']),
    seconds: z.number(),
    output: z.string(),
  }),
  z.strictObject({ refusal: z.literal('unknown-run'), branch: BranchName }),
  /** `merged`: what it held is on trunk, so that there is nothing left to settle. */
  z.strictObject({ refusal: z.literal('branch-gone'), branch: BranchName, merged: z.boolean().optional() }),
  z.strictObject({ refusal: z.literal('empty-run'), branch: BranchName }),
  /**
   * Bringing main in met conflicts; nothing changed. `blobs`: of each path, ours the branch that would have moved, theirs
   * what would have been brought; empty where that side has no file.
   */
  z.strictObject({
    refusal: z.literal('unresolved'),
    conflicts: z.array(RepoPath),
    blobs: z.array(z.strictObject({ path: RepoPath, ours: z.string(), theirs: z.string() })).optional(),
  }),
  /** Another worktree has the branch checked out. */
  z.strictObject({ refusal: z.literal('branch-in-use'), branch: BranchName, worktree: z.string() }),
  z.strictObject({
    refusal: z.literal('operation-in-progress'),
    worktree: z.string(),
    operation: z.enum(['merge', 'rebase', 'cherry-pick', 'revert', 'am', 'bisect', 'unmerged-index']),
  }),
  /** `core.worktree` points outside the folder that holds the repository. */
  z.strictObject({ refusal: z.literal('worktree-outside'), worktree: z.string(), target: z.string() }),
  /** A file and a folder of one name cannot both be there. */
  z.strictObject({
    refusal: z.literal('path-clash'),
    clashes: z.array(z.strictObject({ file: RepoPath, inside: RepoPath })),
  }),
  /** Undo: database rows were changed by someone since. Each row in words. */
  z.strictObject({ refusal: z.literal('rows-changed'), rows: z.array(z.string()) }),
  /** Something of the repository's own would have to run; the person has not accepted its exact text. */
  z.strictObject({
    refusal: z.literal('not-trusted'),
    items: z.array(
      z.strictObject({
        kind: z.enum(['gate', 'filter', 'hook', 'signing', 'merge-driver']),
        name: z.string(),
        command: z.string(),
      }),
    ),
  }),
  /** Paths that `--except` names but that cannot be left out. */
  z.strictObject({
    refusal: z.literal('cannot-leave-out'),
    paths: z.array(z.strictObject({ path: RepoPath, why: z.enum(['not-changed', 'store-file', 'everything']) })),
  }),
  /** Only a local branch can be approved or aborted. */
  z.strictObject({ refusal: z.literal('remote-branch'), branch: BranchName, remote: z.string() }),
  /** Undo: trunk has moved on since; `Revert this night` is offered. */
  z.strictObject({ refusal: z.literal('moved-on'), from: Oid, to: Oid, now: Oid.nullable() }),
  /** Undo: the operation cannot be undone (already undone, or its objects are gone). */
  z.strictObject({ refusal: z.literal('cannot-undo'), why: z.string() }),
  /** The sides of a conflict are others than those that were decided about; the page shows them anew. */
  z.strictObject({ refusal: z.literal('conflict-changed'), path: RepoPath }),
  /** Someone edited these files after git wrote them: writing a resolution would replace that. */
  z.strictObject({ refusal: z.literal('edited-on-disk'), paths: z.array(RepoPath) }),
  /** The result still holds this conflict's own markers; lines are 1-based. */
  z.strictObject({ refusal: z.literal('markers-left'), path: RepoPath, lines: z.array(z.int()) }),
  /** Lines of the sides are not in the result, and nobody gave them up: to be put back or dropped on purpose. */
  z.strictObject({ refusal: z.literal('lines-lost'), path: RepoPath, lines: z.int() }),
  /** Lines of the result (1-based) hold characters that the file's encoding does not have. */
  z.strictObject({
    refusal: z.literal('cannot-encode'),
    path: RepoPath,
    lines: z.array(z.int()),
    encoding: z.string(),
  }),
  /** Going on with, or giving up, what git is in the middle of did not work; git's own words. */
  z.strictObject({ refusal: z.literal('operation-failed'), operation: z.string(), output: z.string() }),
])
export type Refusal = z.infer<typeof Refusal>
export type RefusalKind = Refusal['refusal']
