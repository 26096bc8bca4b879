import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { CoreContext } from '../context.ts'
import { fetchDocument } from '../documents/read/fetch.ts'
import { listDocuments } from '../documents/read/list.ts'
import { listVersions } from '../documents/read/listVersions.ts'
import { lookUp } from '../documents/read/lookup.ts'

type Reading = 'documents.fetch' | 'documents.list' | 'documents.versions' | 'documents.lookup'

export function documentReadHandlers(core: CoreContext): Pick<CoreHandlers, Reading> {
  // A command line answers and ends.
  const apart = core.ports.host !== 'cli'
  return {
    'documents.fetch': ({ repoId, path, version }) => fetchDocument(core.repo(repoId), path, version),
    'documents.list': ({ repoId, ...spec }) => listDocuments(core.repo(repoId), spec),
    'documents.versions': ({ repoId, path, limit }) => listVersions(core.repo(repoId), path, limit),
    'documents.lookup': ({ repoId, query, limit }) => lookUp(core.repo(repoId), query, limit, apart),
  }
}
