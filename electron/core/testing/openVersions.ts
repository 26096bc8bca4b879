import type { TestRepo } from '../../../e2e/support/index.ts'
import { withHome } from '../../../e2e/support/index.ts'
import type { RepositoryContext } from '../context.ts'
import { type Versions, versionsOf } from '../documents/versions/versions.ts'
import { openRepository } from '../usecases/openRepository.ts'

/** A repository opened for its versions alone, as one process would. */
export interface OpenedVersions {
  readonly context: RepositoryContext
  readonly versions: Versions
  /** Arguments of every git process since the last `calls.splice(0)`. */
  readonly calls: (readonly string[])[]
  /** `2`, or `2 gone` of a deletion; null where there never was one. */
  head(path: string): Promise<string | null>
  /** The oldest first: `1`, `2 gone`, `3 rewritten`. */
  numbers(path: string): Promise<string[]>
  close(): Promise<void>
}

export async function openVersions(repo: Pick<TestRepo, 'dir'>): Promise<OpenedVersions> {
  const { home, env } = withHome()
  const calls: (readonly string[])[] = []
  const context = await openRepository(
    {
      ports: { home, env, clock: () => new Date(), host: 'cli', version: '0', log: () => {} },
      keepByDefault: () => false,
      onCall: (args) => calls.push(args),
    },
    repo.dir,
  )
  const versions = versionsOf(context)
  return {
    context,
    versions,
    calls,
    head: async (path) => {
      const head = await versions.head(path)
      return head && `${head.version}${head.live ? '' : ' gone'}`
    },
    numbers: async (path) =>
      (await versions.all(path)).map(
        (one) => `${one.version}${one.oid === null ? ' gone' : ''}${one.rewritten ? ' rewritten' : ''}`,
      ),
    close: () => context.dispose(),
  }
}
