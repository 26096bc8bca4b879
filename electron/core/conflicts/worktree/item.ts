import { createHash } from 'node:crypto'
import type { ConflictItem, ConflictStage } from '../../../../shared/model/index.ts'
import { lineConflicts } from '../text/lineConflicts.ts'
import { type Blob, changedLines, hasMarkers, mergeable } from './content.ts'
import { inWords } from './describe.ts'
import type { ItemFacts, Sides } from './itemFacts.ts'

/** Describes one conflict of a working tree. */
export function itemOf(facts: ItemFacts): ConflictItem {
  const { group, place, unmerged } = facts
  const sides = sidesOf(facts)
  const paths = [
    ...new Set([group.path, ...group.stages.map((one) => one.path), ...facts.folder.map((one) => one.path)]),
  ]
  const open = group.stages.some((one) => unmerged.has(one.path))
  const stages = open ? group.stages.filter((one) => unmerged.has(one.path)) : group.stages
  const told = inWords(facts, sides)
  const choice = told.choices.length > 0 ? 1 : 0
  const total = sides.merged === null ? Math.max(choice, 1) : sides.conflicts === null ? null : sides.conflicts + choice
  const own = ownSides(sides)
  return {
    id: digest(['worktree', place, ...new Set(group.stages.map((one) => one.path))]).slice(0, 16),
    path: group.path,
    paths,
    kind: told.kind,
    sentence: told.sentence,
    stages: [...stages],
    ...(own ? { sides: own } : {}),
    fingerprint: digest(stages.map(({ path, stage, mode, oid }) => [path, stage, mode, oid])),
    state: open ? 'open' : 'resolved',
    lines: sides.merged !== null,
    choices: told.choices,
    total,
    left: open ? total : 0,
    rerere: 'none',
  }
}

const digest = (parts: readonly unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

function ownSides({ merged, base, ours, theirs }: Sides): Sides['merged'] {
  if (merged === null) return null
  const same = merged.base === (base?.oid ?? null) && merged.ours === ours?.oid && merged.theirs === theirs?.oid
  return same ? null : merged
}

const isFile = (stage: ConflictStage | undefined) => stage?.mode === '100644' || stage?.mode === '100755'

function sidesOf(facts: ItemFacts): Sides {
  const { group, blobs } = facts
  // Of two files with one name the old names have stages of their own.
  const own =
    group.shape.is === 'renamed-together' ? group.stages.filter((one) => one.path === group.path) : group.stages
  const at = (stage: 1 | 2 | 3) => own.find((one) => one.stage === stage)
  const [base, ours, theirs] = [at(1), at(2), at(3)]
  const merged = mergedOf(facts, base, ours, theirs)
  const text = (oid: string | null | undefined) => (oid ? textOf(blobs.get(oid)) : null)
  const old = isFile(base) ? text(base?.oid) : null
  const counted = (stage: ConflictStage | undefined) => {
    const now = isFile(stage) ? text(stage?.oid) : null
    return old === null || now === null || old.length + now.length > COUNTED ? null : changedLines(old, now)
  }
  return {
    base,
    ours,
    theirs,
    merged,
    lost: isLost(facts, theirs),
    changed: { ours: counted(ours), theirs: counted(theirs) },
    conflicts: merged === null ? null : countConflicts(facts, merged),
  }
}

/** Larger texts are not compared for a sentence. */
const COUNTED = 2_000_000

const textOf = (blob: Blob | undefined): Buffer | null => (blob?.holds === 'text' ? blob.bytes : null)

function countConflicts({ blobs }: ItemFacts, merged: NonNullable<Sides['merged']>): number | null {
  const of = (oid: string | null) => (oid === null ? null : textOf(blobs.get(oid)))
  const [ours, theirs] = [of(merged.ours), of(merged.theirs)]
  if (ours === null || theirs === null) return null
  const key = digest([merged.base, merged.ours, merged.theirs])
  return lineConflicts(key, { base: of(merged.base), ours, theirs })
}

function isLost({ group, blobs, own }: ItemFacts, theirs: ConflictStage | undefined): boolean {
  if (group.shape.is !== 'renamed-apart' || !theirs || own.theirs.has(theirs.path)) return false
  const ours = group.stages.find((one) => one.stage === 2)
  const made = textOf(blobs.get(theirs.oid))
  return ours?.oid === theirs.oid && made !== null && hasMarkers(made)
}

/** The blobs whose lines are to be merged: those of the stages, or what the sides had before git merged them itself. */
function mergedOf(
  facts: ItemFacts,
  base: ConflictStage | undefined,
  ours: ConflictStage | undefined,
  theirs: ConflictStage | undefined,
): Sides['merged'] {
  const { group, blobs, own, bySide } = facts
  if (bySide || !ours || !theirs || !isFile(ours) || !isFile(theirs) || (base && !isFile(base))) return null
  if (group.shape.is === 'in-the-way') return null
  let [mine, other] = [ours.oid, theirs.oid]
  if (group.shape.is === 'renamed-apart') {
    const made = textOf(blobs.get(ours.oid))
    // Git merged both without a conflict: only the name is open.
    if (mine === other && made !== null && !hasMarkers(made)) return null
    if (isLost(facts, theirs)) return null
    mine = own.ours.get(ours.path) ?? mine
    other = own.theirs.get(theirs.path) ?? other
  } else if (group.shape.is === 'renamed-together') {
    const unmarked = (oid: string, real: string | undefined) => {
      const made = textOf(blobs.get(oid))
      return real !== undefined && made !== null && hasMarkers(made) ? real : oid
    }
    mine = unmarked(mine, own.ours.get(ours.path))
    other = unmarked(other, own.theirs.get(theirs.path))
  }
  if (mine === other) return null
  const text = (oid: string) => textOf(blobs.get(oid))
  const [o, t, b] = [text(mine), text(other), base ? text(base.oid) : null]
  if (o === null || t === null || (base && b === null)) return null
  return mergeable({ base: b, ours: o, theirs: t }) ? { base: base?.oid ?? null, ours: mine, theirs: other } : null
}
