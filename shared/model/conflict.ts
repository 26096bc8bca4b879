import * as z from 'zod'
import { BranchName, Instant, Oid, RepoPath } from './common.ts'

/**
 * Where conflicts wait. `worktree`: git stopped there with unmerged paths. `branch`: bringing main into this sleep branch
 * met conflicts; nothing is written until all are decided. `tool`: the one file of `daybreak mergetool`.
 * `candidate`: what an agent could not publish; `candidate` is its id.
 */
export const ConflictSource = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('worktree'), worktree: z.string() }),
  z.strictObject({ from: z.literal('branch'), branch: BranchName }),
  z.strictObject({ from: z.literal('tool') }),
  z.strictObject({ from: z.literal('candidate'), candidate: z.string() }),
])
export type ConflictSource = z.infer<typeof ConflictSource>

export const ConflictOperation = z.enum([
  'merge',
  'rebase',
  'cherry-pick',
  'revert',
  'am',
  'stash',
  'unmerged-index',
  'bring-main-in',
  'mergetool',
  'publish',
])
export type ConflictOperation = z.infer<typeof ConflictOperation>

/** Who stands behind a side: never a bare "ours". During a rebase it is the one whose text the stage holds. */
export const Who = z.strictObject({
  /** What buttons and headings say: the author, or the branch where the authors are one, or the file's label. Differs between the sides. */
  name: z.string(),
  branch: z.string().nullable(),
  oid: Oid.nullable(),
  author: z.string().nullable(),
  at: Instant.nullable(),
  /** First line of the commit's message. */
  subject: z.string().nullable(),
})
export type Who = z.infer<typeof Who>

/**
 * What kind of conflict a path is in. By what the sides did: `text` both changed it; `add-add`; `modify-delete` one deleted
 * it; `rename-rename` one file got two names, or two files one; `rename-delete`; `rename-add`; `type-change` file, symlink or
 * submodule; `mode`; `file-directory`. By what it holds, where both changed it: `binary`, `image`, `lfs`, `submodule`, `symlink`.
 */
export const ConflictKind = z.enum([
  'text',
  'add-add',
  'modify-delete',
  'rename-rename',
  'rename-delete',
  'rename-add',
  'both-deleted',
  'type-change',
  'mode',
  'file-directory',
  'binary',
  'image',
  'lfs',
  'submodule',
  'symlink',
])
export type ConflictKind = z.infer<typeof ConflictKind>

/** One entry of an unmerged path: stage 1 the base, 2 ours, 3 theirs. */
export const ConflictStage = z.strictObject({
  path: RepoPath,
  stage: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  mode: z.string(),
  oid: Oid,
})
export type ConflictStage = z.infer<typeof ConflictStage>

/**
 * One way to settle a conflict that is not a matter of lines. Each has its counterpart on the other side. `content` is
 * `merged` where the lines are decided in the editors beside it.
 */
export const ConflictChoice = z.strictObject({
  /** `ours`, `theirs`, `both`, `base`, `delete`, `ours-name`, `theirs-name`, … */
  id: z.string(),
  /** Whose choice it is, for its place on the page. */
  side: z.enum(['ours', 'theirs', 'base', 'neither', 'both']),
  /** What will be, in words: "Keep the file, with the 3 changed lines". */
  label: z.string(),
  /** What it will leave behind in the index, and in the tree; a path of the conflict that is not named is removed. */
  result: z.array(z.strictObject({ path: RepoPath, mode: z.string(), oid: z.union([Oid, z.literal('merged')]) })),
  /** Something the person should know before: dead links, lines given up. Empty where there is nothing. */
  notes: z.array(z.string()),
})
export type ConflictChoice = z.infer<typeof ConflictChoice>

/** `decided`: nothing is open, but it is not written yet. `resolved`: the index (or the branch's decisions) holds it. */
export const ConflictState = z.enum(['open', 'decided', 'resolved'])
export type ConflictState = z.infer<typeof ConflictState>

export const ConflictItem = z.strictObject({
  /** Stable for the same paths of the same source: 16 hex digits. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** The path it is about, and every path of the index that belongs to it. */
  path: RepoPath,
  paths: z.array(RepoPath).min(1),
  kind: ConflictKind,
  /** One sentence with names: "researcher deleted this file; planner changed 3 lines of it." */
  sentence: z.string(),
  stages: z.array(ConflictStage),
  /**
   * The blobs whose lines are merged, where the stages do not hold them: of a file that got two names git puts its own
   * merge, markers and all, in the place of both sides.
   */
  sides: z.strictObject({ base: Oid.nullable(), ours: Oid, theirs: Oid }).optional(),
  /** Digest of the stages: what a decision is about. Another one, and the decision is refused. */
  fingerprint: z.string(),
  state: ConflictState,
  /** Whether lines are to be decided, and whether one of `choices` has to be taken. */
  lines: z.boolean(),
  choices: z.array(ConflictChoice),
  /** Conflicts in the lines and a choice to be made: all, and those still open; null where they were not counted. */
  total: z.int().nullable(),
  left: z.int().nullable(),
  /** rerere has a recorded resolution; `written`: it stands in the file already, without markers. */
  rerere: z.enum(['none', 'recorded', 'written']),
})
export type ConflictItem = z.infer<typeof ConflictItem>

/** Whether an act can be done now; where not, why, in a sentence. */
export const Able = z.strictObject({ able: z.boolean(), why: z.string().nullable(), label: z.string() })
export type Able = z.infer<typeof Able>

/** Of a candidate: what its texts are, and why it waits for the person. */
export const Publishing = z.strictObject({
  /** For the headings: "version 5 + edit", "version 6", "becomes version 7". */
  ours: z.string(),
  theirs: z.string(),
  result: z.string(),
  /** When its agent handed it over, and what it said then; null where it did not. */
  escalated: z.strictObject({ at: Instant, reason: z.string() }).nullable(),
})
export type Publishing = z.infer<typeof Publishing>

/** All conflicts of one source. */
export const ConflictSet = z.strictObject({
  source: ConflictSource,
  operation: ConflictOperation,
  /** "Merging infra/pg17 into main". */
  title: z.string(),
  ours: Who,
  theirs: Who,
  /** What stage 1 is, for the heading of the base: "version before both", a commit. */
  baseLabel: z.string(),
  publishing: Publishing.nullish(),
  items: z.array(ConflictItem),
  /** Of a rebase, am or sequence: which step of how many. */
  step: z.strictObject({ at: z.int(), of: z.int() }).nullable(),
  /** Going on with the operation, and giving it up: what the button says and whether it is safe now. */
  proceed: Able,
  abort: Able,
})
export type ConflictSet = z.infer<typeof ConflictSet>

export const ConflictList = z.strictObject({ sets: z.array(ConflictSet) })
export type ConflictList = z.infer<typeof ConflictList>
