import { assertNever } from '../../../shared/base/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { ConflictItem, ConflictSet, ConflictSource } from '../../../shared/model/index.ts'
import type { RepositoryContext } from '../context.ts'

/** One kind of place where conflicts wait. Reading writes nothing and runs no code of the repository. */
export interface ConflictProvider {
  /** Everything of this kind that waits now. */
  list(repo: RepositoryContext): Promise<readonly ConflictSet[]>
  /** One of them, its items read anew; null where nothing waits there. */
  find(repo: RepositoryContext, source: ConflictSource): Promise<ConflictSet | null>
  /** Bytes of a blob that a stage names; null where it is not there. Stages of a preview may lie outside the repository. */
  blob(repo: RepositoryContext, source: ConflictSource, oid: string): Promise<Buffer | null>
}

/** The providers by where their conflicts wait. */
export type ConflictProviders = Readonly<Record<ConflictSource['from'], ConflictProvider>>

/** What settling, drafts and previews ask. */
export interface ConflictReader {
  list(repo: RepositoryContext): Promise<readonly ConflictSet[]>
  /** Errors: ERR_NO_SUCH_CONFLICT where nothing waits there. */
  set(repo: RepositoryContext, source: ConflictSource): Promise<ConflictSet>
  /** One item as it is now. Errors: ERR_NO_SUCH_CONFLICT. */
  item(repo: RepositoryContext, source: ConflictSource, id: string): Promise<FoundItem>
  /** Bytes of a stage's blob. Errors: ERR_REPOSITORY_DAMAGED where it is missing. */
  blob(repo: RepositoryContext, source: ConflictSource, oid: string): Promise<Buffer>
}

export interface FoundItem {
  readonly set: ConflictSet
  readonly item: ConflictItem
}

/** One reader over all providers. */
export function conflictReader(providers: ConflictProviders): ConflictReader {
  const set = async (repo: RepositoryContext, source: ConflictSource) => {
    const found = await providers[source.from].find(repo, source)
    if (!found) throw new AppError('ERR_NO_SUCH_CONFLICT', { what: nameOf(source) })
    return found
  }
  return {
    set,
    list: async (repo) => {
      const all = await Promise.all(Object.values(providers).map((one) => one.list(repo)))
      return all.flat()
    },
    item: async (repo, source, id) => {
      const found = await set(repo, source)
      const item = found.items.find((one) => one.id === id)
      if (!item) throw new AppError('ERR_NO_SUCH_CONFLICT', { what: `${nameOf(source)}, ${id}` })
      return { set: found, item }
    },
    blob: async (repo, source, oid) => {
      const bytes = await providers[source.from].blob(repo, source, oid)
      if (!bytes) throw new AppError('ERR_REPOSITORY_DAMAGED', { path: repo.repository.path, missing: oid })
      return bytes
    },
  }
}

/** A source in words. */
export function nameOf(source: ConflictSource): string {
  switch (source.from) {
    case 'worktree':
      return source.worktree
    case 'branch':
      return source.branch
    case 'tool':
      return 'the merge tool'
    case 'candidate':
      return `candidate ${source.candidate}`
    default:
      return assertNever(source)
  }
}
