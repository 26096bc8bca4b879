import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { mergeBranch } from '../branches/mergeBranch.ts'
import type { TextRunner } from '../conflicts/text/runner.ts'
import type { CoreContext } from '../context.ts'
import { describeCandidate, rowOf } from '../documents/candidates/describe.ts'
import { createDesk } from '../documents/candidates/desk.ts'
import { letGo, lossReports, restoreLost } from '../documents/candidates/losses.ts'
import { candidateOf, discardCandidate, handOver, resolveCandidate } from '../documents/candidates/settle.ts'
import { appendDocument } from '../documents/publish/append.ts'
import { archiveDocument } from '../documents/publish/archive.ts'
import { publishDocument } from '../documents/publish/publish.ts'
import { runVerb } from '../operations/verb.ts'
import { listCandidates } from '../store/candidates.ts'

type Group =
  | 'documents.publish'
  | 'documents.append'
  | 'documents.archive'
  | 'candidates.list'
  | 'candidates.show'
  | 'candidates.resolve'
  | 'candidates.discard'
  | 'candidates.escalate'
  | 'candidates.losses'
  | 'candidates.restoreLine'
  | 'candidates.letGo'
  | 'branches.merge'

/** What writes documents, and what becomes of a write that met another. */
export function publishingHandlers(core: CoreContext, runner: TextRunner): Pick<CoreHandlers, Group> {
  const { ports } = core
  const desk = createDesk(ports, runner)
  const setup = (repoId: string) => ({ core, repo: core.repo(repoId), desk, runner })
  return {
    'documents.publish': ({ repoId, ...input }, caller) => publishDocument(setup(repoId), input, caller),
    'documents.append': ({ repoId, ...input }, caller) => appendDocument(setup(repoId), input, caller),
    'documents.archive': ({ repoId, ...input }, caller) => archiveDocument(setup(repoId), input, caller),
    'candidates.list': async ({ repoId, all }) => {
      const repo = core.repo(repoId)
      return Promise.all(listCandidates(repo.state, all).map((row) => rowOf({ repo, ports }, row)))
    },
    'candidates.show': ({ repoId, candidate }) => {
      const repo = core.repo(repoId)
      return describeCandidate({ repo, ports, runner }, candidateOf(repo, candidate))
    },
    'candidates.resolve': ({ repoId, ...given }, caller) => resolveCandidate(setup(repoId), given, caller),
    'candidates.discard': ({ repoId, candidate }, caller) => discardCandidate(setup(repoId), candidate, caller),
    'candidates.escalate': ({ repoId, ...given }, caller) => handOver(setup(repoId), given, caller),
    'candidates.losses': ({ repoId }) => lossReports(core.repo(repoId)),
    'candidates.restoreLine': ({ repoId, ...given }, caller) => restoreLost(setup(repoId), given, caller),
    'candidates.letGo': ({ repoId, ...given }) => {
      letGo(setup(repoId), given)
      return {}
    },
    'branches.merge': async ({ repoId, commitish, into }, caller) => {
      const branch = into ?? (await core.repo(repoId).settings()).trunk
      return runVerb(
        { core, repoId, verb: 'merge', branch, caller },
        (operation) => mergeBranch(operation, { commitish, into: branch }),
        () => null,
      )
    },
  }
}
