import type { DraftModel, ResultLayout } from '../../../../../shared/merge/draft/index.ts'

/**
 * Lines of a result that are conflict markers left by hand: none of the sides has them, and one that begins or ends a
 * conflict is among them, since a row of `=` alone underlines a heading. 0-based.
 */
export function markersIn(model: DraftModel, { lines }: ResultLayout, size: number): number[] {
  const like = new RegExp(`^(?:<{${size}}|>{${size}}|\\|{${size}})(?: .*)?$|^={${size}}$`)
  const found = lines.flatMap((line, at) => (like.test(line) ? [at] : []))
  if (found.length === 0) return []
  const known = new Set<string>()
  for (const side of [model.base, model.ours, model.theirs])
    for (const row of side) if (like.test(bare(row))) known.add(bare(row))
  const left = found.filter((at) => !known.has(lines[at] as string))
  return left.some((at) => /^[<>]/.test(lines[at] as string)) ? left : []
}

const bare = (row: string): string => (row.endsWith('\n') ? row.slice(0, -1) : row)
