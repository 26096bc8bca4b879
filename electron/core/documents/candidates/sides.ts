import { createHash } from 'node:crypto'
import { AppError } from '../../../../shared/errors/index.ts'
import type { TextInput } from '../../conflicts/text/jobs.ts'
import type { RepositoryContext } from '../../context.ts'
import type { StoredCandidate } from '../../store/candidates.ts'
import { mergeFields } from '../metadata/mergeFields.ts'

type Row = Pick<StoredCandidate, 'path' | 'baseOid' | 'headOid' | 'ours'>

/** The three texts of a candidate as they are merged: fields merged one by one, the rest by line. */
export async function inputOf(repo: RepositoryContext, row: Row): Promise<TextInput> {
  const [base, theirs] = await Promise.all([
    row.baseOid === null ? null : blob(repo, row.baseOid),
    blob(repo, row.headOid),
  ])
  const sides = mergeFields(row.path, { base, ours: row.ours, theirs })
  const hash = createHash('sha256').update('candidate\0')
  for (const side of [sides.base ?? Buffer.alloc(0), sides.ours, sides.theirs])
    hash.update(`${side.length}\0`).update(side)
  return { key: hash.digest('hex'), sides, recorded: null }
}

/** A blob's bytes. Errors: ERR_REPOSITORY_DAMAGED. */
export async function blob(repo: RepositoryContext, oid: string): Promise<Buffer> {
  const object = await repo.objects.read(oid)
  if (object?.type !== 'blob')
    throw new AppError('ERR_REPOSITORY_DAMAGED', { path: repo.repository.path, missing: oid })
  return object.bytes
}
