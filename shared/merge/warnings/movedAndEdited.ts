import type { Change, Changes, Line, SideName } from './changes.ts'
import type { Warning } from './warning.ts'
import { hasLetters } from './words.ts'

/** A line that one side put elsewhere and the other edited where it stood: the merge may hold both. */
export function movedAndEdited(changes: Changes): Warning[] {
  return [...from(changes, 'ours', 'theirs'), ...from(changes, 'theirs', 'ours')]
}

function from(changes: Changes, mover: SideName, editor: SideName): Warning[] {
  const arrived = new Map<string, Line[]>()
  for (const { added } of changes[mover])
    for (const line of added) arrived.set(line.text, [...(arrived.get(line.text) ?? []), line])
  const edits = new Map<number, { readonly old: Line; readonly now: Line }>()
  for (const change of changes[editor]) for (const edit of replaced(change)) edits.set(edit.old.line, edit)
  const warnings: Warning[] = []
  for (const { removed } of changes[mover])
    for (const line of removed) {
      const edit = edits.get(line.line)
      const target = arrived.get(line.text)
      if (edit === undefined || target?.length !== 1 || !hasLetters(line.text, 1)) continue
      if (!changes.result.includes(edit.now.text) || changes.baseLines().filter((t) => t === line.text).length > 1)
        continue
      warnings.push({
        kind: 'moved-and-edited',
        lines: [
          { side: 'base', ...line },
          { side: mover, ...(target[0] as Line) },
          { side: editor, ...edit.now },
        ],
      })
    }
  return warnings
}

/** Lines that stand for one another: where as many were put in as taken out. */
function replaced({ removed, added }: Change): { readonly old: Line; readonly now: Line }[] {
  if (removed.length !== added.length) return []
  return removed.map((old, i) => ({ old, now: added[i] as Line }))
}
