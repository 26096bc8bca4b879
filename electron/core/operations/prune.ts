import type { RepositoryContext } from '../context.ts'
import { decodePath } from '../git/bytes.ts'
import { prepareRefs } from '../git/refTransaction.ts'
import type { Ports } from '../ports.ts'
import { findOperation } from '../store/operations.ts'
import { undoOf } from './undoable.ts'

/** How long refs of an operation are kept at least, in milliseconds. */
const KEPT = 90 * 24 * 60 * 60 * 1000

/**
 * Lets go of the commits that old operations keep alive, where undo can no longer apply to them. Others stay, however
 * old. Never fails: what cannot be removed now is looked at again with the next verb.
 */
export async function pruneOldRefs(repo: RepositoryContext, ports: Ports): Promise<void> {
  const before = ports.clock().getTime() - KEPT
  const out = await repo.git.run([
    'for-each-ref',
    '--format=%(refname)%00%(objectname)',
    'refs/daybreak/undo',
    'refs/daybreak/kept',
  ])
  const rows = decodePath(out.stdout).split('\n').filter(Boolean)
  const old = rows.flatMap((row) => {
    const [ref = '', oid = ''] = row.split('\0')
    const operation = findOperation(repo.state, ref.slice(ref.lastIndexOf('/') + 1))
    return operation && Date.parse(operation.startedAt) < before ? [{ ref, oid, operation }] : []
  })
  if (old.length === 0) return
  const { trunk } = await repo.refresh()
  const gone = []
  for (const { ref, oid, operation } of old)
    if ((await undoOf(repo, operation, trunk.oid)) === null) gone.push({ ref, old: oid, new: null })
  if (gone.length === 0) return
  const prepared = await prepareRefs(repo.git, gone, 'daybreak: pruned')
  if (prepared.prepared) await prepared.refs.commit()
}
