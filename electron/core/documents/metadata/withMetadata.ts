import { AppError } from '../../../../shared/errors/index.ts'
import type { Metadata } from '../../../../shared/model/index.ts'
import { fieldTextOf } from './fieldTexts.ts'

export interface MetadataInput {
  readonly path: string
  readonly body: Buffer
  /** What stands on trunk now; null where nothing does. */
  readonly head: Buffer | null
  readonly metadata: Metadata | null
}

export interface WithMetadata {
  readonly body: Buffer
  /** What the writer should know, in words. */
  readonly notes: readonly string[]
}

/**
 * The body with these fields set in its front matter (Markdown) or metas (memories); null removes one. A body without any
 * keeps the fields that the document has, where fields are given. Errors: ERR_BAD_REQUEST.
 */
export function withMetadata({ path, body, head, metadata }: MetadataInput): WithMetadata {
  if (metadata !== null && Object.hasOwn(metadata, 'agent')) throw wrong('agent: the commit tells who wrote')
  const text = fieldTextOf(path)
  if (metadata === null || Object.keys(metadata).length === 0)
    return { body, notes: text === null || head === null ? [] : narrowed(text.read(head), text.read(body)) }
  if (text === null) throw wrong(`${path} has no fields: only Markdown and memories have`)
  const own = text.read(body)
  if (own === null) throw wrong('the front matter of the body is no YAML mapping')
  const bare = Object.keys(own).length === 0
  if (bare && head !== null && text.read(head) === null)
    throw wrong('the front matter of the document is no YAML mapping')
  return { body: text.set(bare && head !== null ? text.takeFrom(body, head) : body, metadata), notes: [] }
}

const wrong = (issue: string) =>
  new AppError('ERR_BAD_REQUEST', { method: 'documents.publish', issues: [`metadata: ${issue}`] })

/** Fields that the document has and that this body drops. */
function narrowed(before: object | null, now: object | null): string[] {
  const gone = Object.keys(before ?? {}).filter((name) => !Object.hasOwn(now ?? {}, name))
  if (gone.length === 0) return []
  return [`This version drops ${gone.join(', ')}: the body did not carry ${gone.length === 1 ? 'it' : 'them'}.`]
}
