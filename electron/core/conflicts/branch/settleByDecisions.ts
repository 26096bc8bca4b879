import type { ConflictSource } from '../../../../shared/model/index.ts'
import type { RunningOperation } from '../../operations/running.ts'
import type { SettleConflicts } from '../../sleep/mergeMainIn.ts'
import type { ConflictReader } from '../provider.ts'
import { markerSizeOf } from '../text/markerSize.ts'
import type { ConflictTexts } from '../text/texts.ts'
import { setOf } from './branchProvider.ts'
import { entriesOf } from './decided.ts'

/**
 * Settles what a merge left in conflict by the decisions that stand. A decision about other sides than these does not
 * count: then nothing is settled, and the paths that are open are named.
 */
export function settleByDecisions(
  operation: RunningOperation,
  source: ConflictSource,
  reader: ConflictReader,
  texts: ConflictTexts,
): SettleConflicts {
  const { repo, git, branch } = operation
  return async ({ situation, run }, merged) => {
    const { base, conflicts, stages } = merged
    const preview = { base, conflicts, stages, blobs: new Map<string, Buffer>(), linking: new Map() }
    const set = await setOf(repo, { branch, tip: run.tip, trunk: situation.trunk, preview })
    const found = set.items.map((item) => ({ item, decided: texts.decision(repo, source, item) }))
    const open = found.flatMap(({ item, decided }) => (decided === null ? [item.path] : []))
    if (open.length > 0) return { refusal: { refusal: 'unresolved', conflicts: open } }
    const entries: { path: string; entry: { mode: string; oid: string } | null }[] = []
    for (const { item, decided } of found) {
      if (decided === null) continue
      const markerSize = await markerSizeOf(repo, source, set, item)
      const made = await entriesOf({ repo, source, reader, texts, markerSize }, item, decided)
      if ('refusal' in made) return made
      for (const path of item.paths) {
        const one = made.entries.find((entry) => entry.path === path)
        if (one?.bytes) await git.run(['hash-object', '-w', '--stdin', '--no-filters'], { input: one.bytes })
        entries.push({ path, entry: one === undefined ? null : { mode: one.mode, oid: one.oid } })
      }
    }
    return { entries }
  }
}
