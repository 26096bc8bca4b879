import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { ConflictSource } from '../../../shared/model/index.ts'
import { branchProvider } from '../conflicts/branch/branchProvider.ts'
import { settleBranch } from '../conflicts/branch/settleBranch.ts'
import { getConflict } from '../conflicts/get.ts'
import { createConflictReader, worktreeConflicts } from '../conflicts/providers.ts'
import { createReadings } from '../conflicts/readings.ts'
import { settleWorktree } from '../conflicts/settle/settleWorktree.ts'
import type { ConflictSettling } from '../conflicts/settling.ts'
import { textHandlers } from '../conflicts/text/handlers.ts'
import type { TextRunner } from '../conflicts/text/runner.ts'
import { createConflictTexts } from '../conflicts/text/texts.ts'
import { settleTool } from '../conflicts/tool/settleTool.ts'
import { type ToolState, toolProvider } from '../conflicts/tool/toolProvider.ts'
import type { CoreContext } from '../context.ts'
import { candidateProvider } from '../documents/candidates/candidateProvider.ts'
import { createDesk } from '../documents/candidates/desk.ts'
import { settleCandidate } from '../documents/candidates/settleCandidate.ts'

type ConflictMethod = Extract<keyof CoreHandlers, `conflicts.${string}`>

/** Conflicts that wait, and what is done about them. */
export function conflictHandlers(core: CoreContext, runner: TextRunner): Pick<CoreHandlers, ConflictMethod> {
  const { ports } = core
  const toolState: ToolState = { resolved: null }
  const tool = toolProvider(core.ports.tool, toolState, worktreeConflicts)
  const reader = createConflictReader({ branch: branchProvider, tool, candidate: candidateProvider(ports, runner) })
  const texts = createConflictTexts(reader, runner)
  const settlings: Readonly<Record<ConflictSource['from'], ConflictSettling>> = {
    worktree: settleWorktree(core, reader, texts),
    branch: settleBranch(core, reader, texts),
    tool: settleTool(core, toolState, reader, texts),
    candidate: settleCandidate(core, reader, texts, createDesk(ports, runner), runner),
  }
  const readings = createReadings()
  const settling = (given: { readonly source: ConflictSource }) => settlings[given.source.from]
  return {
    'conflicts.list': async ({ repoId }) => ({ sets: [...(await reader.list(core.repo(repoId)))] }),
    'conflicts.get': ({ repoId, source, item, reading }) =>
      readings.run(reading, (signal) => getConflict(reader, texts, core.repo(repoId), { source, item }, signal)),
    'conflicts.stopReading': async ({ reading }) => ({ stopped: readings.stop(reading) }),
    'conflicts.resolve': (given, caller) => settling(given).resolve(given, caller),
    'conflicts.reopen': (given, caller) => settling(given).reopen(given, caller),
    'conflicts.previewBatch': (given) => settling(given).previewBatch(given),
    'conflicts.batch': (given, caller) => settling(given).batch(given, caller),
    'conflicts.proceed': (given, caller) => settling(given).proceed(given, caller),
    'conflicts.abort': (given, caller) => settling(given).abort(given, caller),
    ...textHandlers(core, reader, texts),
  }
}
