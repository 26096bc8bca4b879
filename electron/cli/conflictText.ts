import type { ConflictItem, ConflictSet } from '../../shared/model/index.ts'
import { count, plain } from './words.ts'

/** What is told of the conflicts of one source without their stages and choices. */
export interface ConflictsInShort extends Pick<ConflictSet, 'source' | 'operation' | 'title' | 'step'> {
  readonly ours: string
  readonly theirs: string
  /** Files that are not resolved yet. */
  readonly left: number
  readonly files: readonly Pick<ConflictItem, 'path' | 'kind' | 'sentence' | 'state' | 'total' | 'left'>[]
}

/** The conflicts of one source for `--json`. */
export function conflictsInShort({
  source,
  operation,
  title,
  step,
  ours,
  theirs,
  items,
}: ConflictSet): ConflictsInShort {
  const files = items.map(({ path, kind, sentence, state, total, left }) => ({
    path,
    kind,
    sentence,
    state,
    total,
    left,
  }))
  return { source, operation, title, step, ours: ours.name, theirs: theirs.name, left: openIn(items), files }
}

const openIn = (items: readonly ConflictItem[]) => items.filter((one) => one.state !== 'resolved').length

/** The conflicts of one source in lines: what git is in the middle of, then each file that is open. */
export function conflictLines(set: ConflictSet): string[] {
  const { items, step, title, source } = set
  const left = openIn(items)
  const where = source.from === 'worktree' ? ` in ${plain(source.worktree)}` : ''
  const at = step ? `, step ${step.at} of ${step.of}` : ''
  const state = left === 0 ? 'all resolved' : `${left} of ${count(items.length, 'file')} not resolved`
  return [
    `${plain(title)}${at}${where}: ${state}`,
    ...items.filter((one) => one.state !== 'resolved').map((one) => `  ${plain(one.path)}: ${plain(one.sentence)}`),
  ]
}
