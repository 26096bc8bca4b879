import type { Caller } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { PublishedDocument } from '../../../../shared/model/index.ts'
import { versionsOf } from '../versions/versions.ts'
import { actorName } from './author.ts'
import { bodyBytes, checkSize } from './body.ts'
import { commitFor, headOf, type PublishSetup, published, writablePath } from './common.ts'
import { checkFormat } from './format.ts'
import { ownWrite } from './ownWrite.ts'
import { trunkWriterOf, type Write } from './trunkWriter.ts'
import { live } from './view.ts'

export interface AppendInput {
  readonly path: string
  readonly body: string
  readonly session: string | null
  /** What the caller read last; only to know its own write again: an append never conflicts. */
  readonly expectedVersion: number | null
}

const NEWLINE = 10

/** The text with the addition on a line of its own at its end. */
function joined(before: Buffer, addition: Buffer): Buffer {
  if (before.length === 0 || before.at(-1) === NEWLINE) return Buffer.concat([before, addition])
  const crlf = before.includes('\r\n') && !/[^\r]\n/.test(before.toString('latin1'))
  return Buffer.concat([before, Buffer.from(crlf ? '\r\n' : '\n'), addition])
}

/**
 * Adds text at the end of a document, on a line of its own. Appends of several writers land one after another. Errors:
 * as `publishDocument`; ERR_NO_SUCH_DOCUMENT where no live file is.
 */
export function appendDocument(setup: PublishSetup, input: AppendInput, caller: Caller): Promise<PublishedDocument> {
  const path = writablePath(input.path, caller)
  const addition = bodyBytes(path, input.body, 'utf-8')
  const decide: Write<PublishedDocument>['decide'] = async (view, tools) => {
    const head = await headOf(view, path)
    const there = live(head)
    if (there === null) throw new AppError('ERR_NO_SUCH_DOCUMENT', { path })
    const { session, expectedVersion } = input
    if (expectedVersion !== null && expectedVersion < there.version) {
      const versions = versionsOf(setup.repo)
      const [base, next] = [await versions.at(path, expectedVersion), await versions.at(path, expectedVersion + 1)]
      const actor = actorName(caller, tools.situation.config)
      const own = next === null ? null : await ownWrite(setup.repo, next, actor, session)
      if (own !== null && base?.oid && next?.oid) {
        const body = joined(await view.bytes(base.oid), addition)
        if ((await view.bytes(next.oid)).equals(body))
          return { answer: published(path, own, body, { unchanged: true, reconciled: true }) }
      }
    }
    const before = await view.bytes(there.oid)
    if (addition.length === 0) return { answer: published(path, there, before, { unchanged: true }) }
    const body = joined(before, addition)
    checkSize(path, body.length)
    await checkFormat(setup.repo, tools.situation.settings, path, body)
    const oid = tools.writer.queue('blob', body, tools.situation.trunk.oid.length)
    return commitFor(setup, {
      path,
      changes: [{ path, entry: { mode: there.mode, oid } }],
      subject: `Append to ${path}`,
      caller,
      tools,
      session,
      answers: null,
      outcome: (made) => published(path, made, body),
    })
  }
  return trunkWriterOf(setup.core, setup.repo).write({ paths: [path], caller, decide })
}
