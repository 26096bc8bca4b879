import { AppError } from '../../../../shared/errors/index.ts'
import type { RepositoryContext } from '../../context.ts'
import type { TrunkTip } from '../versions/history.ts'
import { type Head, versionsOf } from '../versions/versions.ts'

/** A document that is there. */
export type LiveHead = Head & { readonly oid: string; readonly mode: string }

/** Trunk as a write meets it. */
export interface TrunkView {
  /** The newest version of a path; null where it never was there. */
  head(path: string): Promise<Head | null>
  /** A blob's bytes. Errors: ERR_REPOSITORY_DAMAGED where it is not there. */
  bytes(oid: string): Promise<Buffer>
}

/** The document, where it is there. */
export const live = (head: Head | null): LiveHead | null =>
  head?.live && head.oid !== null && head.mode !== null ? { ...head, oid: head.oid, mode: head.mode } : null

/** A view of trunk at `tip`. */
export function createView(repo: RepositoryContext, tip: TrunkTip): TrunkView {
  const versions = versionsOf(repo)
  return {
    head: (path) => versions.head(path, tip),
    bytes: async (oid) => {
      const blob = await repo.objects.read(oid)
      // Taken for empty, it would be written over.
      if (blob?.type !== 'blob')
        throw new AppError('ERR_REPOSITORY_DAMAGED', { path: repo.repository.path, missing: oid })
      return blob.bytes
    },
  }
}
