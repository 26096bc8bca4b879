import type { ConflictStage } from '../../../shared/model/index.ts'
import { decodePath, encodePath, splitNul } from './bytes.ts'
import type { Git } from './process.ts'

const TAB = 9
const NUL = Buffer.from([0])

/** The unmerged entries of the index where `git` runs, in the index's order. Refreshes and writes nothing. */
export async function readUnmerged(git: Git): Promise<ConflictStage[]> {
  return stagesIn((await git.run(['ls-files', '-u', '-z'])).stdout)
}

/** The entries that were unmerged and are not any more, as the index remembers them (its resolve-undo extension). */
export async function readResolveUndo(git: Git): Promise<ConflictStage[]> {
  return stagesIn((await git.run(['ls-files', '--resolve-undo', '-z'])).stdout)
}

/** `<mode> <oid> <stage>TAB<path>NUL`. */
function stagesIn(output: Buffer): ConflictStage[] {
  return splitNul(output).map((row) => {
    const tab = row.indexOf(TAB)
    const [mode = '', oid = '', stage = ''] = row.toString('latin1', 0, tab).split(' ')
    return { path: decodePath(row.subarray(tab + 1)), stage: Number(stage) as 1 | 2 | 3, mode, oid }
  })
}

/** The merged entries of the index at or below these paths. */
export async function readEntries(
  git: Git,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly mode: string; readonly oid: string }[]> {
  if (paths.length === 0) return []
  const { stdout } = await git.run(['ls-files', '-s', '-z', '--', ...paths.filter((path) => path.isWellFormed())])
  return stagesIn(stdout)
    .filter((one) => Number(one.stage) === 0)
    .map(({ path, mode, oid }) => ({ path, mode, oid }))
}

/** The object that each path is in a commit or tree; paths that it does not have are left out. */
export async function objectsAt(
  git: Git,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, { readonly oid: string; readonly type: string }>> {
  const found = new Map<string, { oid: string; type: string }>()
  if (paths.length === 0) return found
  const input = Buffer.concat(paths.flatMap((path) => [Buffer.from(`${tree}:`), encodePath(path), NUL]))
  const { stdout } = await git.run(['cat-file', '--batch-check', '-z'], { input })
  let at = 0
  for (const path of paths) {
    const missing = Buffer.concat([Buffer.from(`${tree}:`), encodePath(path), Buffer.from(' missing\n')])
    if (stdout.subarray(at, at + missing.length).equals(missing)) {
      at += missing.length
      continue
    }
    const end = stdout.indexOf(10, at)
    const [oid = '', type = ''] = stdout.toString('latin1', at, end === -1 ? undefined : end).split(' ')
    // A submodule's commit is not among the objects; git names it with the word for that.
    if (/^[0-9a-f]{40,64}$/.test(oid)) found.set(path, { oid, type: type === 'missing' ? 'commit' : type })
    at = end === -1 ? stdout.length : end + 1
  }
  return found
}

/** Those of these paths that the attributes in force say are not merged by line (`-merge`, `merge=binary`). */
export async function notMergedByLine(git: Git, paths: readonly string[]): Promise<Set<string>> {
  const input = Buffer.concat(paths.flatMap((path) => [encodePath(path), NUL]))
  const fields = splitNul((await git.run(['check-attr', '-z', '--stdin', 'merge'], { input })).stdout)
  const found = new Set<string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = (fields[at + 2] as Buffer).toString('latin1')
    if (value === 'unset' || value === 'binary') found.add(decodePath(fields[at] as Buffer))
  }
  return found
}
