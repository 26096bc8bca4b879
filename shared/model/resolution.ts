import * as z from 'zod'
import { Instant, Oid, OperationId, RepoPath } from './common.ts'
import { ConflictItem, ConflictSource, Publishing, Who } from './conflict.ts'
import { Refusal } from './refusal.ts'

/** How the bytes of a text are read. `legacy`: one byte a character, shown as Windows-1252; every byte round-trips. */
export const TextEncoding = z.enum(['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'legacy'])
export type TextEncoding = z.infer<typeof TextEncoding>

export const LineEnding = z.enum(['lf', 'crlf', 'mixed', 'none'])

/** One side of a conflict, to be looked at. */
export const ConflictSide = z.strictObject({
  path: RepoPath,
  mode: z.string(),
  oid: Oid,
  size: z.int(),
  /** How it is shown. `text` without `text`: too large to be shown here. */
  shows: z.enum(['text', 'image', 'binary', 'link', 'submodule', 'lfs']),
  /** Decoded, line endings as `\n`; the target of a link, the pointer of an LFS file, the commit of a submodule in words. */
  text: z.string().nullable(),
  /** A data URL. */
  image: z.string().nullable(),
  encoding: TextEncoding.nullable(),
  ending: LineEnding,
  finalNewline: z.boolean(),
})
export type ConflictSide = z.infer<typeof ConflictSide>

/** What a region is and its line ranges, 0-based and half-open, in base, ours and theirs. */
export const RegionRow = z.tuple([
  z.enum(['unchanged', 'ours', 'theirs', 'same', 'conflict']),
  z.int(),
  z.int(),
  z.int(),
  z.int(),
  z.int(),
  z.int(),
])
export type RegionRow = z.infer<typeof RegionRow>

/** What is known of one conflict in the lines beyond its ranges. */
export const LineConflict = z.strictObject({
  /** Both sides' word edits together, where they do not overlap; decoded, `\n` endings. */
  combined: z.string().nullable(),
  /** What rerere recorded for it. */
  recorded: z.string().nullable(),
})
export type LineConflict = z.infer<typeof LineConflict>

/** A three-way merge as the page needs it: the texts as lines with `\n`, and the regions that cover them. */
export const MergeView = z.strictObject({
  base: z.string(),
  ours: z.string(),
  theirs: z.string(),
  regions: z.array(RegionRow),
  /** One for each region of kind `conflict`, in order. */
  conflicts: z.array(LineConflict),
  exact: z.boolean(),
})
export type MergeView = z.infer<typeof MergeView>

export const DecidedBy = z.enum(['mine', 'rule', 'AI', 'rerere'])
export type DecidedBy = z.infer<typeof DecidedBy>

/** What one conflict in the lines becomes. `text`: decoded, `\n` endings; bytes of lines that a side has are taken from it. */
export const LineDecision = z.union([
  z.strictObject({
    take: z.enum(['base', 'ours', 'theirs', 'ours-then-theirs', 'theirs-then-ours', 'combined', 'recorded']),
    by: DecidedBy,
  }),
  z.strictObject({ take: z.literal('text'), text: z.string(), by: DecidedBy }),
])
export type LineDecision = z.infer<typeof LineDecision>

/**
 * A hand edit outside the conflicts. Gap n lies before conflict n, the last one after all conflicts. Of the gap's own
 * merged lines, `removed` from line `at` on (0-based within the gap) are replaced by `text`.
 */
export const GapEdit = z.strictObject({ gap: z.int(), at: z.int(), removed: z.int(), text: z.string() })
export type GapEdit = z.infer<typeof GapEdit>

/** A lost line that the person gave up on purpose, by its side and content. */
export const DroppedLine = z.strictObject({
  side: z.enum(['ours', 'theirs', 'both', 'base']),
  text: z.string(),
})
export type DroppedLine = z.infer<typeof DroppedLine>

/** All that was decided about one item: plain data, to be kept over a crash. */
export const Draft = z.strictObject({
  version: z.literal(1),
  /** One for each conflict in the lines, null while open. */
  lines: z.array(LineDecision.nullable()),
  edits: z.array(GapEdit),
  /** Id of the choice taken, null while open or where there is none. */
  choice: z.string().nullable(),
  dropped: z.array(DroppedLine),
})
export type Draft = z.infer<typeof Draft>

/** What lies in the working tree at the item's path. `git`: what git wrote there itself; `edited`: someone changed it since. */
export const OnDisk = z.strictObject({
  state: z.enum(['git', 'edited', 'missing', 'none']),
  /** Digest of what is there, to be handed back where it may be replaced; null where nothing is. */
  digest: z.string().nullable(),
  /** The text where it was edited and can be shown. */
  text: z.string().nullable(),
  /** Digest of what is there, whoever put it there: another one than before means that it was changed meanwhile. */
  seen: z.string(),
})
export type OnDisk = z.infer<typeof OnDisk>

/** One conflict with all that its page shows. */
export const Resolution = z.strictObject({
  source: ConflictSource,
  item: ConflictItem,
  ours: Who,
  theirs: Who,
  baseLabel: z.string(),
  publishing: Publishing.nullish(),
  sides: z.strictObject({
    base: ConflictSide.nullable(),
    ours: ConflictSide.nullable(),
    theirs: ConflictSide.nullable(),
  }),
  /** Null where lines are not to be decided. */
  merge: MergeView.nullable(),
  /** What was decided before; the opening state where nothing was. */
  draft: Draft,
  /** The kept decisions were made about other sides: those that still apply are in `draft`. Names what was left out, in words. */
  carried: z.array(z.string()),
  draftSavedAt: Instant.nullable(),
  onDisk: OnDisk,
})
export type Resolution = z.infer<typeof Resolution>

/** A line of the audit. `line` is 0-based in that side (`result`: in the result). */
export const AuditRow = z.strictObject({
  what: z.enum(['lost', 'missing', 'duplicated', 'moved']),
  side: z.enum(['ours', 'theirs', 'both', 'base', 'result']),
  line: z.int(),
  /** Where it stands, or would stand, in the result; null where that is not known. */
  resultLine: z.int().nullable(),
  /** The conflict in whose region it lies, null outside all. */
  conflict: z.int().nullable(),
  text: z.string(),
  trivial: z.boolean(),
  dropped: z.boolean(),
  /** Lost, and neither dropped nor given up by the decision of its conflict: nothing is resolved until it is one of them. */
  needs: z.boolean(),
})
export type AuditRow = z.infer<typeof AuditRow>

export const WarningRow = z.strictObject({
  kind: z.enum(['added-twice', 'moved-and-edited', 'same-list', 'same-table', 'same-section', 'dangling', 'stale']),
  /** In words, with the subject: "Same bullet twice, lines 14 and 31". */
  sentence: z.string(),
  lines: z.array(
    z.strictObject({ side: z.enum(['base', 'ours', 'theirs', 'result']), line: z.int(), text: z.string() }),
  ),
})
export type WarningRow = z.infer<typeof WarningRow>

/** What the result of a draft would be, checked against the sides. Open conflicts count as base. */
export const DraftCheck = z.strictObject({
  open: z.int(),
  /** Blob of the result, as it would be written; null while something is open. */
  oid: Oid.nullable(),
  audit: z.array(AuditRow),
  /** So many lines have `needs`, also those that are not in `audit` because there are too many. */
  lost: z.int(),
  warnings: z.array(WarningRow),
  /** "3 hunks decided; all else identical". */
  proof: z.string(),
  holds: z.boolean(),
  /** "LF, UTF-8, no BOM, final newline kept". */
  facts: z.string(),
  /** 0-based lines of the result that are this conflict's own markers, left by hand. */
  markers: z.array(z.int()),
})
export type DraftCheck = z.infer<typeof DraftCheck>

export const ResolveOutcome = z.union([
  z.strictObject({
    resolved: z.literal(true),
    operationId: OperationId,
    /** What the index (or the branch's decisions) holds now. */
    result: z.array(z.strictObject({ path: RepoPath, mode: z.string(), oid: Oid })),
    /** Items of the source that are not resolved yet. */
    left: z.int(),
  }),
  z.strictObject({ resolved: z.literal(false), refusal: Refusal }),
])
export type ResolveOutcome = z.infer<typeof ResolveOutcome>

export const ReopenOutcome = z.union([
  z.strictObject({ reopened: z.literal(true), operationId: OperationId }),
  z.strictObject({ reopened: z.literal(false), refusal: Refusal }),
])
export type ReopenOutcome = z.infer<typeof ReopenOutcome>

/** What taking one side of several items would give, or gave. */
export const BatchRow = z.strictObject({
  item: z.string(),
  path: RepoPath,
  /** In words: "planner's file, 14 lines of researcher's given up". */
  sentence: z.string(),
  result: z.array(z.strictObject({ path: RepoPath, mode: z.string(), oid: Oid })),
  /** Why it cannot be done, or was not; null where it can. */
  refusal: Refusal.nullable(),
})
export type BatchRow = z.infer<typeof BatchRow>

export const ProceedOutcome = z.union([
  z.strictObject({
    done: z.literal(true),
    operationId: OperationId,
    /** The operation has ended; false: it stopped at its next conflicts. */
    ended: z.boolean(),
    /** HEAD, or the branch's tip, afterwards. */
    to: Oid.nullable(),
  }),
  z.strictObject({ done: z.literal(false), refusal: Refusal }),
])
export type ProceedOutcome = z.infer<typeof ProceedOutcome>
