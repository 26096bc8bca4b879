import type { ConflictChoice, ConflictItem, DraftCheck } from '../../../../../shared/model/index.ts'

/** The check of an item that is decided by side: what is taken is a blob as it is. */
export function checkChoice(item: ConflictItem, choice: ConflictChoice | null): DraftCheck {
  const taken = choice?.result.find((one) => one.path === item.path) ?? choice?.result[0] ?? null
  return {
    open: item.choices.length > 0 && choice === null ? 1 : 0,
    oid: taken === null || taken.oid === 'merged' ? null : taken.oid,
    audit: [],
    lost: 0,
    warnings: [],
    proof: choice === null ? 'Nothing is chosen yet' : proofOf(choice),
    holds: true,
    facts: taken === null ? '' : `Mode ${taken.mode}`,
    markers: [],
  }
}

function proofOf({ result }: ConflictChoice): string {
  if (result.length === 0) return 'Nothing stays'
  return result.length === 1 ? 'Taken whole, byte for byte' : `${result.length} files taken whole, byte for byte`
}
