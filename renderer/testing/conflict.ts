import { draftModel, emptyDraft, regionRow } from '../../shared/merge/draft/index.ts'
import { merge } from '../../shared/merge/index.ts'
import type {
  ConflictItem,
  ConflictList,
  ConflictSet,
  ConflictSide,
  DraftCheck,
  MergeView,
  Resolution,
  Who,
} from '../../shared/model/index.ts'

/** Typed samples for tests of the resolver: one merge with one file in conflict. */

const oid = (n: number) => n.toString(16).padStart(40, '0')
export const ITEM_ID = 'fedcba9876543210'
export const WORKTREE = { from: 'worktree', worktree: '/home/mara/notes' } as const

export const who = (name: string, branch: string): Who => ({
  name,
  branch,
  oid: oid(7),
  author: name,
  at: '2026-11-30T09:14:00Z',
  subject: `What ${name} did`,
})

/** The merge of three texts, as the core gives it to the page. `combined`: the text ready for a conflict, by number. */
export function mergeView(
  base: string,
  ours: string,
  theirs: string,
  combined: readonly (string | null)[] = [],
): MergeView {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const merged = merge({ base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) })
  return {
    base,
    ours,
    theirs,
    regions: merged.regions.map(regionRow),
    conflicts: merged.conflicts.map((_, i) => ({ combined: combined[i] ?? null, recorded: null })),
    exact: merged.exact,
  }
}

export function conflictItem(change: Partial<ConflictItem> = {}): ConflictItem {
  const path = 'areas/plan.md'
  return {
    id: ITEM_ID,
    path,
    paths: [path],
    kind: 'text',
    sentence: 'planner and researcher both changed this file.',
    stages: ([1, 2, 3] as const).map((stage) => ({ path, stage, mode: '100644', oid: oid(stage) })),
    fingerprint: 'sides one',
    state: 'open',
    lines: true,
    choices: [],
    total: 3,
    left: 3,
    rerere: 'none',
    ...change,
  }
}

export function conflictSet(change: Partial<ConflictSet> = {}): ConflictSet {
  return {
    source: WORKTREE,
    operation: 'merge',
    title: 'Merging infra/pg17 into main',
    ours: who('planner', 'main'),
    theirs: who('researcher', 'infra/pg17'),
    baseLabel: 'the version before both',
    items: [conflictItem()],
    step: null,
    proceed: { able: false, why: '1 file is not resolved yet.', label: 'Commit the merge' },
    abort: { able: true, why: null, label: 'Abort the merge' },
    ...change,
  }
}

export const conflictList = (...sets: ConflictSet[]): ConflictList => ({ sets })

function side(text: string, stage: number): ConflictSide {
  return {
    path: 'areas/plan.md',
    mode: '100644',
    oid: oid(stage),
    size: text.length,
    shows: 'text',
    text,
    image: null,
    encoding: 'utf-8',
    ending: 'lf',
    finalNewline: true,
  }
}

export function resolution(view: MergeView | null, change: Partial<Resolution> = {}): Resolution {
  return {
    source: WORKTREE,
    item: conflictItem(),
    ours: who('planner', 'main'),
    theirs: who('researcher', 'infra/pg17'),
    baseLabel: 'the version before both',
    sides: {
      base: view && side(view.base, 1),
      ours: view && side(view.ours, 2),
      theirs: view && side(view.theirs, 3),
    },
    merge: view,
    draft: emptyDraft(view && draftModel(view)),
    carried: [],
    draftSavedAt: null,
    onDisk: { state: 'git', digest: null, text: null, seen: 'as git wrote it' },
    ...change,
  }
}

export const draftCheck = (change: Partial<DraftCheck> = {}): DraftCheck => ({
  open: 0,
  oid: oid(9),
  audit: [],
  lost: 0,
  warnings: [],
  proof: '3 hunks decided; all else identical',
  holds: true,
  facts: 'LF, UTF-8, no BOM, final newline kept',
  markers: [],
  ...change,
})
