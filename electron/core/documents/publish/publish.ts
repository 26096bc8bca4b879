import type { Caller } from '../../../../shared/contract/index.ts'
import type { BodyEncoding, Metadata, PublishOutcome } from '../../../../shared/model/index.ts'
import { endCandidate } from '../../store/candidates.ts'
import type { Answering } from '../candidates/desk.ts'
import { withMetadata } from '../metadata/withMetadata.ts'
import { type Head, versionsOf } from '../versions/versions.ts'
import { actorName, isAgent } from './author.ts'
import { bodyBytes } from './body.ts'
import { commitFor, headOf, type PublishSetup, published, REGULAR, toLookAt, writablePath } from './common.ts'
import { checkFormat } from './format.ts'
import { ownWrite } from './ownWrite.ts'
import { trunkWriterOf, type Write, type WriteTools } from './trunkWriter.ts'
import { live } from './view.ts'

export interface PublishInput {
  readonly path: string
  readonly body: string
  readonly encoding: BodyEncoding
  /** 0: the document must not be there. */
  readonly expectedVersion: number
  readonly onConflict: 'merge' | 'fail'
  readonly metadata: Metadata | null
  /** The candidate this answers; null: the newest open one of this actor, session and path offered at `expectedVersion`. */
  readonly candidate: string | null
  /** First line of the commit; null: made from the path. */
  readonly message: string | null
  readonly session: string | null
}

/**
 * Publishes a document: one commit on trunk with that file only, where `expectedVersion` is its head. Else, with `merge`,
 * a candidate is made and kept, with `fail` the plain conflict is told; neither writes to trunk, and nothing is tried
 * again. Errors: ERR_BAD_PATH, ERR_PROTECTED_PATH, ERR_BODY_TOO_LARGE, ERR_NOT_TEXT, ERR_BAD_MEMORY, ERR_DIRTY_PATH,
 * ERR_REFUSED, ERR_UNRESOLVED_MARKERS, ERR_LOSES_LINES, ERR_NO_SUCH_CANDIDATE, ERR_CANDIDATE_CLOSED, ERR_NO_VERSION,
 * ERR_LOCKED.
 */
export function publishDocument(setup: PublishSetup, input: PublishInput, caller: Caller): Promise<PublishOutcome> {
  const path = writablePath(input.path, caller)
  const given = bodyBytes(path, input.body, input.encoding)
  const decide: Write<PublishOutcome>['decide'] = async (view, tools) => {
    const head = await headOf(view, path)
    const there = live(head)
    const before = there === null ? null : await view.bytes(there.oid)
    const { body, notes } = withMetadata({ path, body: given, head: before, metadata: input.metadata })
    const oid = tools.writer.queue('blob', body, tools.situation.trunk.oid.length)
    const asking = () => answersTo(setup, { path, body, input, tools, caller })
    if (there?.oid === oid) {
      const reconciled = there.version !== input.expectedVersion
      // An answer that is what stands there already ends its candidate too.
      const answers = reconciled ? null : await asking()
      if (answers && !answers.over)
        endWith(setup, answers, { commit: there.commit, by: actorName(caller, tools.situation.config), caller })
      const answered = answers?.candidate ?? null
      const loss = [...(answers?.loss ?? [])]
      const more = { unchanged: true, reconciled, notes: [...notes], answered, loss }
      return { answer: published(path, there, body, more) }
    }
    const meets: Meeting = { setup, input, path, body, oid, head, tools, caller }
    if (!fits(head, input.expectedVersion)) {
      await tools.writer.flush()
      return { answer: await onConflict(meets) }
    }
    await checkFormat(setup.repo, tools.situation.settings, path, body)
    const answers = await asking()
    return commitFor(setup, {
      path,
      changes: [{ path, entry: { mode: there?.mode ?? REGULAR, oid } }],
      subject: input.message ?? `${there ? 'Update' : 'Create'} ${path}`,
      caller,
      tools,
      session: input.session,
      answers,
      outcome: (made): PublishOutcome =>
        published(path, made, body, {
          notes: [...notes],
          answered: answers?.candidate ?? null,
          loss: [...(answers?.loss ?? [])],
        }),
    })
  }
  return trunkWriterOf(setup.core, setup.repo).write({ paths: [path], caller, decide })
}

/** The candidate that this body answers, checked. */
function answersTo(
  { repo, desk }: PublishSetup,
  given: Pick<Meeting, 'path' | 'body' | 'input' | 'tools' | 'caller'>,
): Promise<Answering | null> {
  const { path, body, input, tools, caller } = given
  const { config, settings } = tools.situation
  return desk.answering(repo, {
    path,
    actor: actorName(caller, config),
    session: input.session,
    version: input.expectedVersion,
    candidate: input.candidate,
    body,
    person: !isAgent(caller),
    strict: settings.loss === 'strict',
  })
}

function endWith(
  { core, repo }: PublishSetup,
  answers: Answering,
  made: { readonly commit: string; readonly by: string; readonly caller: Caller },
): void {
  const { commit, by, caller } = made
  const at = core.ports.clock().toISOString()
  const answer = JSON.stringify({ by, at, commit, loss: answers.loss })
  endCandidate(repo.state, answers.candidate, 'published', answer, at, toLookAt(answers, caller))
}

/** Whether the caller knows the head: its number, or that no live file is there. */
const fits = (head: Head | null, expected: number): boolean =>
  head === null ? expected === 0 : expected === head.version || (!head.live && expected === 0)

interface Meeting {
  readonly setup: PublishSetup
  readonly input: PublishInput
  readonly path: string
  readonly body: Buffer
  readonly oid: string
  readonly head: Head | null
  readonly tools: WriteTools
  readonly caller: Caller
}

async function onConflict(meets: Meeting): Promise<PublishOutcome> {
  const { setup, input, path, body, oid, head, tools, caller } = meets
  const { expectedVersion, session } = input
  const actor = actorName(caller, tools.situation.config)
  const versions = versionsOf(setup.repo)
  // The caller's own write, whose answer was lost: it is known again by who made it and by its bytes.
  const own = await versions.at(path, expectedVersion + 1)
  if (own !== null && own.oid === oid) {
    const written = await ownWrite(setup.repo, own, actor, session)
    if (written) return published(path, written, body, { unchanged: true, reconciled: true })
  }
  const plain: PublishOutcome = {
    status: 'conflict',
    path,
    serverVersion: head?.version ?? 0,
    yourVersion: expectedVersion,
  }
  const theirs = live(head)
  if (input.onConflict === 'fail' || theirs === null) return plain
  const base = expectedVersion === 0 ? null : await versions.at(path, expectedVersion)
  // A version that never was cannot be a base.
  if (expectedVersion > 0 && base === null) return plain
  const offered = {
    path,
    actor,
    session,
    message: input.message,
    base: { version: expectedVersion, oid: base?.oid ?? null },
    head: theirs,
    ours: body,
    metadata: input.metadata,
  }
  const candidate = await setup.desk.offer(setup.repo, offered)
  return candidate === null ? plain : { status: 'merge-candidate', candidate }
}
