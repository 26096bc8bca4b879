import type { Caller, Method, Params, Result } from '../../shared/contract/index.ts'
import {
  candidateLine,
  candidatesText,
  candidateText,
  fetchText,
  listText,
  lookupText,
  publishedText,
  publishText,
  versionsText,
} from '../core/documents/texts.ts'
import { anObject, boolean, CHOICES, integer, type ObjectSchema, object, oneOf, string } from './schemas.ts'

/** What a tool needs: the contract's methods, of one repository, as this agent. */
export interface ToolContext {
  readonly repoId: string
  readonly session: string
  readonly caller: Caller
  /** Throws a `Failure` where the core answers with one. */
  call<M extends Method>(method: M, params: Params<M>): Promise<Result<M>>
}

export interface ToolAnswer {
  readonly text: string
  readonly structured: Record<string, unknown>
}

export type Arguments = Readonly<Record<string, unknown>>

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: false
  }
  run(context: ToolContext, given: Arguments): Promise<ToolAnswer>
}

const reads = { readOnlyHint: true, openWorldHint: false } as const
const writes = (more: { destructiveHint: boolean; idempotentHint: boolean }) =>
  ({ readOnlyHint: false, ...more, openWorldHint: false }) as const

const url = string('path of the document')
const id = string()
const answer = (text: string, structured: object): ToolAnswer => ({ text, structured: { ...structured } })
/** An argument as it came; the contract checks it. Absent ones are left to the contract's defaults. */
const given = (name: string, value: unknown): Record<string, never> =>
  (value === undefined ? {} : { [name]: value }) as Record<string, never>
/** Arguments under the contract's names. */
function renamed<M extends Method>(context: ToolContext, args: Arguments, names: Readonly<Record<string, string>>) {
  const params = Object.entries(names).map(([mine, theirs]) => given(theirs, args[mine]))
  return Object.assign({ repoId: context.repoId }, ...params) as Params<M>
}

const STATUS = oneOf('ok', 'conflict', 'merge-candidate', 'error')
const lines = { type: 'object' as const, properties: { start: integer(0), end: integer(0), text: string() } }
/** A publish's structured answer; a candidate has its hunks, who wrote theirs, what may be wrong and what is lost. */
const PUBLISHED = object({
  status: STATUS,
  'version?': integer(1),
  'loss?': { type: 'array' },
  'candidate?': object({
    id,
    publishAtVersion: integer(1),
    theirs: object({ name: string() }),
    structured: {
      type: 'array',
      items: object({
        index: integer(0),
        kind: oneOf('ours', 'theirs', 'same', 'conflict'),
        base: lines,
        ours: lines,
        theirs: lines,
      }),
    },
    warnings: { type: 'array' },
    audit: { type: 'array' },
  }),
})

/** The one table of tools. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'mark_fetch',
    description: 'Read a document with its version. /path/vN reads version N for ever. Fetch before you publish.',
    inputSchema: object({ url, 'version?': integer(1) }),
    annotations: reads,
    async run(context, args) {
      const found = await context.call(
        'documents.fetch',
        renamed<'documents.fetch'>(context, args, { url: 'path', version: 'version' }),
      )
      return answer(fetchText(found), found)
    },
  },
  {
    name: 'mark_list',
    description: 'List documents and folders below a folder; recursive lists all documents.',
    inputSchema: object({
      'url?': string('folder'),
      'recursive?': boolean,
      'cursor?': string(),
      'page_size?': integer(1),
    }),
    annotations: reads,
    async run(context, args) {
      const names = { url: 'folder', recursive: 'recursive', cursor: 'cursor', page_size: 'limit' }
      const found = await context.call('documents.list', renamed<'documents.list'>(context, args, names))
      return answer(listText(found), found)
    },
  },
  {
    name: 'mark_versions',
    description: 'Versions of a document, newest first: who, when, why. There is no diff tool: fetch two versions.',
    inputSchema: object({ url, 'limit?': integer(1) }),
    annotations: reads,
    async run(context, args) {
      const found = await context.call(
        'documents.versions',
        renamed<'documents.versions'>(context, args, { url: 'path', limit: 'limit' }),
      )
      return answer(versionsText(found), found)
    },
  },
  {
    name: 'mark_lookup',
    description: 'Full-text search over documents.',
    inputSchema: object({ query: string(), 'limit?': integer(1) }),
    annotations: reads,
    async run(context, args) {
      const hits = await context.call(
        'documents.lookup',
        renamed<'documents.lookup'>(context, args, { query: 'query', limit: 'limit' }),
      )
      return answer(lookupText(hits), { hits })
    },
  },
  {
    name: 'mark_publish',
    description:
      'Write a whole document at the version you read (0: create). If it moved on, nothing is written and you get a merge-candidate: check it for meaning, resolve markers, publish it at publish-at-version (or candidate_resolve per hunk, or candidate_escalate).',
    inputSchema: object({
      url,
      body: string(),
      expected_version: integer(0),
      'on_conflict?': oneOf('merge', 'fail'),
      'metadata?': anObject('front matter fields to set; null removes'),
      'candidate_id?': string('candidate this answers'),
      'message?': string('why, one line'),
      'encoding?': oneOf('utf-8', 'base64'),
    }),
    outputSchema: PUBLISHED,
    annotations: writes({ destructiveHint: false, idempotentHint: true }),
    async run(context, args) {
      const names = {
        url: 'path',
        body: 'body',
        expected_version: 'expectedVersion',
        metadata: 'metadata',
        candidate_id: 'candidate',
        message: 'message',
        encoding: 'encoding',
      }
      const mode = typeof args.on_conflict === 'string' ? args.on_conflict.trim() || 'merge' : args.on_conflict
      const params = { ...renamed<'documents.publish'>(context, args, names), ...given('onConflict', mode) }
      const outcome = await context.call('documents.publish', { ...params, session: context.session })
      return answer(publishText(outcome), outcome)
    },
  },
  {
    name: 'mark_append',
    description: 'Add text at the end of a document. Never conflicts; for logs and lists.',
    inputSchema: object({
      url,
      body: string(),
      'expected_version?': integer(1, 'version you read; makes a retry safe'),
    }),
    annotations: writes({ destructiveHint: false, idempotentHint: false }),
    async run(context, args) {
      const names = { url: 'path', body: 'body', expected_version: 'expectedVersion' }
      const params = renamed<'documents.append'>(context, args, names)
      const done = await context.call('documents.append', { ...params, session: context.session })
      return answer(publishedText(done), done)
    },
  },
  {
    name: 'mark_archive',
    description: 'Move a document to archive/<year>/; its versions stay readable.',
    inputSchema: object({ url, expected_version: integer(1) }),
    annotations: writes({ destructiveHint: true, idempotentHint: true }),
    async run(context, args) {
      const params = renamed<'documents.archive'>(context, args, { url: 'path', expected_version: 'expectedVersion' })
      const outcome = await context.call('documents.archive', { ...params, session: context.session })
      return answer(publishText(outcome), outcome)
    },
  },
  {
    name: 'candidate_list',
    description: 'Open merge candidates.',
    inputSchema: object({ 'all?': boolean }),
    annotations: reads,
    async run(context, args) {
      const rows = await context.call('candidates.list', renamed<'candidates.list'>(context, args, { all: 'all' }))
      return answer(candidatesText(rows), { candidates: rows })
    },
  },
  {
    name: 'candidate_show',
    description:
      'A candidate: hunks with base, ours, theirs; warnings; state; how it ended. Merged with the newest head.',
    inputSchema: object({ candidate_id: id }),
    annotations: reads,
    async run(context, args) {
      const found = await context.call(
        'candidates.show',
        renamed<'candidates.show'>(context, args, { candidate_id: 'candidate' }),
      )
      const over = found.state === 'agent' || found.state === 'person' ? '' : `${candidateLine(found)}\n\n`
      return answer(over + candidateText(found), found)
    },
  },
  {
    name: 'candidate_resolve',
    description: 'Publish a candidate by choosing ours, theirs, both, base or text for each conflicting hunk.',
    inputSchema: object({ candidate_id: id, choices: CHOICES }),
    outputSchema: object({ status: STATUS }),
    annotations: writes({ destructiveHint: false, idempotentHint: false }),
    async run(context, args) {
      const params = renamed<'candidates.resolve'>(context, args, { candidate_id: 'candidate', choices: 'choices' })
      const outcome = await context.call('candidates.resolve', { ...params, session: context.session })
      return answer(publishText(outcome), outcome)
    },
  },
  {
    name: 'candidate_discard',
    description: 'Give a candidate up: theirs stays, your lines are dropped.',
    inputSchema: object({ candidate_id: id }),
    annotations: writes({ destructiveHint: true, idempotentHint: false }),
    async run(context, args) {
      const row = await context.call(
        'candidates.discard',
        renamed<'candidates.discard'>(context, args, { candidate_id: 'candidate' }),
      )
      return answer(candidateLine(row), row)
    },
  },
  {
    name: 'candidate_escalate',
    description: 'Hand a candidate to the person, when the sides disagree on substance and you cannot tell.',
    inputSchema: object({ candidate_id: id, reason: string() }),
    annotations: writes({ destructiveHint: false, idempotentHint: true }),
    async run(context, args) {
      const params = renamed<'candidates.escalate'>(context, args, { candidate_id: 'candidate', reason: 'reason' })
      const row = await context.call('candidates.escalate', params)
      return answer(candidateLine(row), row)
    },
  },
]
