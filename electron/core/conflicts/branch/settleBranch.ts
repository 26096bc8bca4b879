import { AppError } from '../../../../shared/errors/index.ts'
import type { BatchRow, ConflictSource, Refusal } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { newOperationId } from '../../operations/running.ts'
import { runVerb } from '../../operations/verb.ts'
import { bringMainIn } from '../../sleep/bringMainIn.ts'
import { forgetDrafts, reopenDrafts } from '../../store/drafts.ts'
import { type ConflictReader, type FoundItem, nameOf } from '../provider.ts'
import { previewBatch, rowOf } from '../settle/batch.ts'
import type { ConflictSettling } from '../settling.ts'
import { markerSizeOf } from '../text/markerSize.ts'
import { sourceKey } from '../text/sides.ts'
import type { ConflictTexts, Decided } from '../text/texts.ts'
import { entriesOf } from './decided.ts'
import { settleByDecisions } from './settleByDecisions.ts'

/** Decides the conflicts of bringing trunk into a sleep branch. Only `proceed` writes into the repository. */
export function settleBranch(core: CoreContext, reader: ConflictReader, texts: ConflictTexts): ConflictSettling {
  const { ports } = core
  const id = (verb: 'resolve' | 'reopen' | 'abort-operation') => newOperationId(verb, ports.clock())
  const changed = (repo: RepositoryContext) =>
    core.emit('repo.changed', { repoId: repo.repository.id, what: ['worktree'] })

  const decide = async (repo: RepositoryContext, source: ConflictSource, found: FoundItem, decided: Decided) => {
    const { set, item } = found
    const markerSize = await markerSizeOf(repo, source, set, item)
    const made = await entriesOf({ repo, source, reader, texts, markerSize }, item, decided)
    if ('refusal' in made) return made
    const at = ports.clock().toISOString()
    const { draft, whole } = decided
    const row = { item: item.id, fingerprint: item.fingerprint, draft, at, decided: true }
    await texts.save(repo, source, whole === null ? row : { ...row, whole })
    changed(repo)
    return made
  }

  return {
    async resolve({ repoId, source, item: itemId, fingerprint, draft }) {
      const repo = core.repo(repoId)
      const found = await reader.item(repo, source, itemId)
      const { set, item } = found
      if (item.fingerprint !== fingerprint)
        return { resolved: false, refusal: { refusal: 'conflict-changed', path: item.path } }
      const made = await decide(repo, source, found, { draft, whole: null })
      if ('refusal' in made) return { resolved: false, refusal: made.refusal }
      const result = made.entries.map(({ path, mode, oid }) => ({ path, mode, oid }))
      const left = set.items.filter((one) => one.id !== item.id && one.state !== 'resolved').length
      return { resolved: true, operationId: id('resolve'), result, left }
    },
    async reopen({ repoId, source, item: itemId }) {
      const repo = core.repo(repoId)
      await reader.item(repo, source, itemId)
      reopenDrafts(repo.state, sourceKey(repo, source), itemId)
      changed(repo)
      return { reopened: true, operationId: id('reopen') }
    },
    previewBatch: ({ repoId, source, items, take }) => previewBatch(core.repo(repoId), reader, source, items, take),
    async batch({ repoId, source, items, take }) {
      const repo = core.repo(repoId)
      const rows: BatchRow[] = []
      for (const { item: itemId, fingerprint } of items) {
        const found = await reader.item(repo, source, itemId)
        const { set, item } = found
        let refusal: Refusal | null = null
        if (item.fingerprint !== fingerprint) refusal = { refusal: 'conflict-changed', path: item.path }
        else {
          const { draft } = await texts.open(repo, source, item)
          const made = await decide(repo, source, found, { draft, whole: take })
          if ('refusal' in made) refusal = made.refusal
        }
        rows.push(await rowOf(repo, reader, set, item, take, refusal))
      }
      return rows
    },
    async proceed({ repoId, source }, caller) {
      const branch = branchOf(source)
      const repo = core.repo(repoId)
      const outcome = await runVerb(
        { core, repoId, verb: 'bring-main-in', branch, caller },
        (operation) => bringMainIn(operation, settleByDecisions(operation, source, reader, texts)),
        (one) => (one.brought ? null : one.refusal),
      )
      if (!outcome.brought) return { done: false, refusal: outcome.refusal }
      // The drafts stay: taken back, the act leaves the same conflicts again.
      reopenDrafts(repo.state, sourceKey(repo, source))
      return { done: true, operationId: outcome.operationId, ended: true, to: outcome.to }
    },
    async abort({ repoId, source }) {
      const repo = core.repo(repoId)
      forgetDrafts(repo.state, sourceKey(repo, source))
      changed(repo)
      return { done: true, operationId: id('abort-operation'), ended: true, to: null }
    },
  }
}

function branchOf(source: ConflictSource): string {
  if (source.from !== 'branch') throw new AppError('ERR_NO_SUCH_CONFLICT', { what: nameOf(source) })
  return source.branch
}
