import type { ConflictItem, ConflictSet, ConflictSource } from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { encodePath } from '../../git/bytes.ts'
import { withPrivateTree } from '../../git/privateTree.ts'

const DEFAULT = 7
const KEPT = 64
const known = new Map<string, number>()

/**
 * How many characters a conflict marker of a file has, by the attribute `conflict-marker-size`: as the worktree in which
 * it is in conflict gives it, or for a branch the commit that is brought in.
 */
export async function markerSizeOf(
  repo: RepositoryContext,
  source: ConflictSource,
  set: ConflictSet,
  item: ConflictItem,
): Promise<number> {
  if (source.from === 'tool') return DEFAULT
  const key = JSON.stringify([repo.repository.id, source, set.ours.oid, item.fingerprint, item.path])
  const size = known.get(key) ?? asNumber(await attribute(repo, source, set, item.path))
  known.delete(key)
  known.set(key, size)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break
    known.delete(oldest)
  }
  return size
}

async function attribute(
  repo: RepositoryContext,
  source: ConflictSource,
  set: ConflictSet,
  path: string,
): Promise<string> {
  if (source.from === 'worktree') {
    const input = Buffer.concat([encodePath(path), Buffer.from([0])])
    const args = ['check-attr', '-z', '--stdin', 'conflict-marker-size']
    const { stdout } = await repo.git.run(args, { input, cwd: source.worktree })
    return stdout.toString('latin1').split('\0').at(-2) ?? ''
  }
  if (set.ours.oid === null) return ''
  const found = await withPrivateTree(repo.git, set.ours.oid, (open) => open.attributes('conflict-marker-size', [path]))
  return found.get(path) ?? ''
}

function asNumber(value: string): number {
  const size = Number(value)
  return Number.isInteger(size) && size > 0 && size < 1000 ? size : DEFAULT
}
