import type { Refusal } from '../../../shared/model/index.ts'
import type { ConfigEntry } from '../git/drivers.ts'
import { filteredPaths, localFilters } from '../git/localFilters.ts'
import type { Git } from '../git/process.ts'
import { touchedPaths } from '../git/touched.ts'
import type { TreeMove } from './plan.ts'

type Items = Extract<Refusal, { refusal: 'not-trusted' }>['items']

/**
 * The filters of the repository's own configuration that would have to run when these moves write files out: without
 * them the files would get the stored bytes in place of their own. None where no file is written.
 */
export async function filtersOn(
  git: Git,
  config: readonly ConfigEntry[],
  moves: readonly TreeMove[],
): Promise<{ readonly items: Items; readonly paths: readonly string[] }> {
  const filters = localFilters(config)
  const found = new Map<string, string>()
  if (filters.size > 0)
    for (const { worktree, from, to } of moves) {
      const there = git.at(worktree)
      const paths = (await touchedPaths(there, from, to)).map((one) => one.path)
      for (const [path, name] of await filteredPaths(there, [from, to], paths, new Set(filters.keys())))
        found.set(path, name)
    }
  const items = [...new Set(found.values())].flatMap((name) =>
    (filters.get(name) ?? []).map((entry) => ({ kind: 'filter' as const, name: entry.key, command: entry.value })),
  )
  return { items, paths: [...found.keys()].sort() }
}
