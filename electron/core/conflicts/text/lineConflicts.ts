import { openCount } from '../../../../shared/merge/draft/index.ts'
import { merge } from '../../../../shared/merge/index.ts'
import { type ConflictItem, type ConflictSource, Draft } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { readDrafts } from '../../store/drafts.ts'
import { sizeOf } from './jobs.ts'
import { prepare, type SideBytes } from './prepare.ts'
import { sourceKey } from './sides.ts'

/** Sides with more bytes all together are not counted: a list must not wait for them. */
const COUNTED = 300_000
const KEPT = 1000
const known = new Map<string, number | null>()

/** How many conflicts the lines of an item have; null where they were not counted. `key` names the sides. */
export function lineConflicts(key: string, sides: SideBytes): number | null {
  const found = known.get(key)
  if (found !== undefined) return found
  const prepared = sizeOf(sides) > COUNTED ? null : prepare(sides)
  const count = prepared === null ? null : merge(prepared.input).conflicts.length
  known.set(key, count)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return count
}

/** How much of an item is open by the draft kept about its sides; all of it where none is. */
export function openIn(repo: RepositoryContext, source: ConflictSource, item: ConflictItem): number | null {
  if (item.total === null) return null
  if (item.state === 'resolved') return 0
  const row = readDrafts(repo.state, sourceKey(repo, source), item.id).find(
    (one) => one.fingerprint === item.fingerprint,
  )
  const draft = row === undefined ? null : draftIn(row.draft)
  if (draft === null) return item.total
  const taken = item.choices.find((one) => one.id === draft.choice)
  // Some choices leave no merged lines, so that none are to be decided.
  if (taken && !taken.result.some((one) => one.oid === 'merged')) return 0
  const choice = item.choices.length > 0 && !taken ? 1 : 0
  return Math.min(item.total, (item.lines ? openCount(draft) : 0) + choice)
}

function draftIn(json: string): Draft | null {
  try {
    const read = Draft.safeParse(JSON.parse(json))
    return read.success ? read.data : null
  } catch {
    return null
  }
}
