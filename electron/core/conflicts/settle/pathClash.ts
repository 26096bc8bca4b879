import type { Refusal } from '../../../../shared/model/index.ts'
import { decodePath } from '../../git/bytes.ts'
import { createParentCheck, filesBelow } from '../../git/diskState.ts'
import { look } from './diskForms.ts'
import type { IndexEntry } from './plan.ts'

interface Wanted {
  readonly mode: string
}

/**
 * Whether a file and a folder of one name would both have to be there: in the index, or on disk with something in the
 * way that is not the conflict's own. `all`: the paths that are settled; `wanted`: those of them that stay.
 */
export function findPathClash(
  worktree: string,
  all: readonly string[],
  wanted: ReadonlyMap<string, Wanted>,
  entries: ReadonlyMap<string, readonly IndexEntry[]>,
): Refusal | null {
  const settled = new Set(all)
  const stays = [...[...entries.keys()].filter((path) => !settled.has(path)), ...wanted.keys()]
  const clashes: { file: string; inside: string }[] = []
  const files = new Set(stays)
  for (const path of wanted.keys()) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
      if (files.has(path.slice(0, cut))) clashes.push({ file: path.slice(0, cut), inside: path })
    const inside = stays.find((other) => other.startsWith(`${path}/`))
    if (inside !== undefined) clashes.push({ file: path, inside })
  }
  const parents = createParentCheck(worktree)
  for (const [path, entry] of wanted) {
    const blocker = parents(path)
    if (blocker !== null && !settled.has(blocker)) clashes.push({ file: blocker, inside: path })
    if (entry.mode === '160000' || look(worktree, path).is !== 'folder') continue
    const inside = filesBelow(worktree, path, decodePath).find((other) => !settled.has(other))
    if (inside !== undefined) clashes.push({ file: path, inside })
  }
  return clashes.length > 0 ? { refusal: 'path-clash', clashes } : null
}
