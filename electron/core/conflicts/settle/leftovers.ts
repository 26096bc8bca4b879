import { readdirSync } from 'node:fs'
import type { ConflictItem } from '../../../../shared/model/index.ts'
import { decodePath } from '../../git/bytes.ts'
import { diskPath } from '../../git/diskState.ts'
import { writtenForm } from '../../git/writtenForm.ts'
import { captureForm, look } from './diskForms.ts'
import type { SettlePlace } from './place.ts'
import type { IndexEntry, PathStep } from './plan.ts'

/**
 * Files that git's merges put beside a path that they could not write to, as `path~HEAD`: untracked, and gone once the
 * conflict is settled. One is only taken for git's where it holds exactly what git wrote of one of the sides.
 */
export async function findLeftovers(
  place: SettlePlace,
  item: ConflictItem,
  entries: ReadonlyMap<string, readonly IndexEntry[]>,
  settled: ReadonlySet<string>,
): Promise<PathStep[]> {
  const steps: PathStep[] = []
  for (const path of new Set(item.stages.map((one) => one.path))) {
    for (const beside of besides(place.worktree, path)) {
      if (entries.has(beside) || settled.has(beside)) continue
      const there = look(place.worktree, beside)
      if (there.is !== 'file') continue
      for (const stage of item.stages) {
        if (stage.path !== path || !stage.mode.startsWith('100')) continue
        if (!(await writtenForm(place.git, path, stage.oid)).equals(there.bytes)) continue
        const from = await captureForm(place.git, there)
        steps.push({ path: beside, index: { from: [], to: [] }, disk: { from, to: { is: 'nothing' } } })
        break
      }
    }
  }
  return steps
}

/** Names in the path's folder that are the path's with a `~` and more behind it. */
function besides(worktree: string, path: string): string[] {
  const slash = path.lastIndexOf('/')
  const folder = slash === -1 ? '' : path.slice(0, slash)
  try {
    return readdirSync(diskPath(worktree, folder), { encoding: 'buffer' })
      .map((name) => `${folder === '' ? '' : `${folder}/`}${decodePath(name)}`)
      .filter((name) => name.startsWith(`${path}~`))
  } catch {
    return []
  }
}
