import type { Decided } from '../threeway/decide.ts'
import type { Merge } from '../threeway/merge.ts'
import { addedTwice } from './addedTwice.ts'
import { changesOf } from './changes.ts'
import { dangling } from './dangling.ts'
import { movedAndEdited } from './movedAndEdited.ts'
import { sameBlock } from './sameBlock.ts'
import { stale } from './stale.ts'
import type { Warning } from './warning.ts'

export type { Warning, WarningKind, WarningLine } from './warning.ts'

/** In the order in which their warnings are told. */
const CHECKS = [addedTwice, movedAndEdited, dangling, stale, sameBlock] as const

/** What may be wrong about a merge that is clean or whose conflicts are decided, for a person to look at. */
export function warningsOf(merge: Merge, decided: Decided): Warning[] {
  const changes = changesOf(merge, decided)
  return changes === null ? [] : CHECKS.flatMap((check) => check(changes))
}
