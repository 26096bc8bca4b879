import * as z from 'zod'
import type { CoreHandlers } from '../../../shared/contract/index.ts'
import { refusalText } from '../../../shared/errors/refusals.ts'
import { type HistoryEntry, MarksOutcome, Refusal } from '../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../context.ts'
import { undoOf } from '../operations/undoable.ts'
import { listOperations, type OperationRow } from '../store/operations.ts'

/** What the acts were, newest first, and what undoing each would do now. */
export function historyHandlers(core: CoreContext): Pick<CoreHandlers, 'history.list'> {
  return {
    'history.list': async ({ repoId, limit }) => {
      const repo = core.repo(repoId)
      const { trunk } = await repo.refresh()
      return Promise.all(listOperations(repo.state, limit).map((row) => entryOf(repo, row, trunk.oid)))
    },
  }
}

const Facts = z.object({
  files: z.int().catch(0),
  leftOut: z.array(z.string()).catch([]),
  marks: MarksOutcome.nullable().catch(null),
  problem: z.string().nullable().catch(null),
  /** The file that was resolved or reopened. */
  path: z.string().nullable().catch(null),
  /** What git was in the middle of: a merge, a rebase … */
  operation: z.string().nullable().catch(null),
})

async function entryOf(repo: RepositoryContext, row: OperationRow, trunk: string | null): Promise<HistoryEntry> {
  const facts = Facts.parse(row.outcome ?? {})
  return {
    operationId: row.id,
    verb: row.verb,
    branch: row.branch,
    actor: row.actor,
    via: row.via,
    startedAt: row.startedAt,
    endedAt: row.endedAt,
    status: statusOf(row),
    from: row.from,
    to: row.to,
    files: facts.files,
    leftOut: facts.leftOut,
    marks: facts.marks,
    undo: await undoOf(repo, row, trunk),
    detail: detailOf(row, facts.problem) ?? facts.path ?? facts.operation,
  }
}

function statusOf(row: OperationRow): HistoryEntry['status'] {
  if (row.undoneBy !== null) return 'undone'
  return row.stage === 'intent' || row.stage === 'moved' ? 'running' : row.stage
}

function detailOf(row: OperationRow, problem: string | null): string | null {
  if (problem) return problem
  const refusal = row.stage === 'refused' ? Refusal.safeParse(row.outcome) : null
  if (refusal?.success) return refusalText(refusal.data).what
  const code = row.stage === 'failed' ? z.object({ code: z.string() }).safeParse(row.outcome) : null
  return code?.success ? code.data.code : null
}
