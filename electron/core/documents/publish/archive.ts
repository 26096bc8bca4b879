import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { PublishOutcome } from '../../../../shared/model/index.ts'
import { commitFor, headOf, type PublishSetup, published, writablePath } from './common.ts'
import { documentPath } from './paths.ts'
import { trunkWriterOf, type Write } from './trunkWriter.ts'
import { live } from './view.ts'

export interface ArchiveInput {
  readonly path: string
  readonly expectedVersion: number
  readonly session: string | null
}

/**
 * Moves a document to `archive/<YYYY>/<path>` in one commit: that is a deletion of the path, which has a version of its
 * own. A stale version is the plain conflict. Errors: as `publishDocument`; ERR_NO_SUCH_DOCUMENT, ERR_PATH_TAKEN.
 */
export function archiveDocument(setup: PublishSetup, input: ArchiveInput, caller: Caller): Promise<PublishOutcome> {
  const path = writablePath(input.path, caller)
  const target = documentPath(`archive/${setup.core.ports.clock().getFullYear()}/${path}`)
  const decide: Write<PublishOutcome>['decide'] = async (view, tools) => {
    const head = await headOf(view, path)
    if (head === null) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
    const there = live(head)
    if (there === null)
      return { answer: published(path, head, null, { unchanged: true, notes: ['It was archived already.'] }) }
    if (head.version !== input.expectedVersion)
      return { answer: { status: 'conflict', path, serverVersion: head.version, yourVersion: input.expectedVersion } }
    if ((await view.head(target))?.live) throw new AppError('ERR_PATH_TAKEN', { path: target })
    return commitFor(setup, {
      path,
      changes: [
        { path, entry: null },
        { path: target, entry: { mode: there.mode, oid: there.oid } },
      ],
      subject: `Archive ${path}`,
      caller,
      tools,
      session: input.session,
      answers: null,
      outcome: (made): PublishOutcome => published(path, made, null, { notes: [`It is at ${target} now.`] }),
    })
  }
  return trunkWriterOf(setup.core, setup.repo).write({ paths: [path, target], caller, decide })
}
