import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { AppError } from '../../../shared/errors/index.ts'
import type { ConflictSource } from '../../../shared/model/index.ts'
import { createConflictReader } from '../conflicts/providers.ts'
import { textHandlers } from '../conflicts/text/handlers.ts'
import type { TextRunner } from '../conflicts/text/runner.ts'
import { createConflictTexts } from '../conflicts/text/texts.ts'
import type { CoreContext } from '../context.ts'

type ConflictMethod = Extract<keyof CoreHandlers, `conflicts.${string}`>

/** Conflicts that wait, and what is done about them. */
export function conflictHandlers(core: CoreContext, runner: TextRunner): Pick<CoreHandlers, ConflictMethod> {
  const reader = createConflictReader()
  const texts = createConflictTexts(reader, runner)
  const gone = async (given: { readonly repoId: string; readonly source: ConflictSource }): Promise<never> => {
    core.repo(given.repoId)
    throw new AppError('ERR_NO_SUCH_CONFLICT', { what: given.source.from })
  }
  return {
    'conflicts.list': async ({ repoId }) => ({ sets: [...(await reader.list(core.repo(repoId)))] }),
    'conflicts.get': gone,
    'conflicts.resolve': gone,
    'conflicts.reopen': gone,
    'conflicts.previewBatch': gone,
    'conflicts.batch': gone,
    'conflicts.proceed': gone,
    'conflicts.abort': gone,
    'conflicts.repro': gone,
    ...textHandlers(core, reader, texts),
  }
}
