import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs'
import { AppError } from '../../../../shared/errors/index.ts'
import type { ConflictItem, Draft, Refusal, ResolveOutcome } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { writeProblem } from '../../git/locks.ts'
import { replaceFile } from '../../git/replaceFile.ts'
import { newOperationId } from '../../operations/running.ts'
import { type ConflictReader, nameOf } from '../provider.ts'
import { previewBatch, rowOf, wholeSide } from '../settle/batch.ts'
import { markersLeft } from '../settle/markersLeft.ts'
import type { ConflictSettling } from '../settling.ts'
import { blobId } from '../text/check/checkDraft.ts'
import type { ConflictTexts } from '../text/texts.ts'
import type { ToolState } from './toolProvider.ts'

const MARKER_SIZE = 7

/** Settles the file of the merge tool: writes it, or gives up, and then lets the tool end. */
export function settleTool(
  core: CoreContext,
  state: ToolState,
  reader: ConflictReader,
  texts: Pick<ConflictTexts, 'decided'>,
): ConflictSettling {
  const { ports } = core
  const tool = () => {
    if (ports.tool === undefined) throw new AppError('ERR_NO_SUCH_CONFLICT', { what: nameOf({ from: 'tool' }) })
    return ports.tool
  }
  const write = (repo: RepositoryContext, item: ConflictItem, bytes: Uint8Array): ResolveOutcome => {
    const { merged, end } = tool()
    if (existsSync(merged) && !lstatSync(merged).isFile())
      return { resolved: false, refusal: { refusal: 'edited-on-disk', paths: [item.path] } }
    writeWhole(merged, bytes, item.stages[0]?.mode === '100755')
    state.resolved = item.fingerprint
    end(true)
    core.emit('repo.changed', { repoId: repo.repository.id, what: ['worktree'] })
    const [stage] = item.stages
    const oid = blobId(bytes, stage?.oid.length === 64 ? 'sha256' : 'sha1')
    const result = [{ path: item.path, mode: stage?.mode ?? '100644', oid }]
    return { resolved: true, operationId: newOperationId('resolve', ports.clock()), result, left: 0 }
  }
  const no = (refusal: Refusal): ResolveOutcome => ({ resolved: false, refusal })

  return {
    async resolve({ repoId, source, item: id, fingerprint, draft }) {
      const repo = core.repo(repoId)
      const { item } = await reader.item(repo, source, id)
      if (item.fingerprint !== fingerprint) return no({ refusal: 'conflict-changed', path: item.path })
      const choice = item.choices.find((one) => one.id === draft.choice)
      const oid = choice?.result[0]?.oid
      if (oid !== undefined && oid !== 'merged') return write(repo, item, await reader.blob(repo, source, oid))
      if (item.choices.length > 0 && choice === undefined) return no({ refusal: 'unresolved', conflicts: [item.path] })
      const made = await texts.decided(repo, source, item, draft)
      if ('refusal' in made) return no(made.refusal)
      if ('open' in made) return no({ refusal: 'unresolved', conflicts: [item.path] })
      const sides = await Promise.all(item.stages.map((one) => reader.blob(repo, source, one.oid)))
      const left = markersIn(draft, made.bytes, sides)
      if (left.length > 0) return no({ refusal: 'markers-left', path: item.path, lines: left })
      return made.lost > 0
        ? no({ refusal: 'lines-lost', path: item.path, lines: made.lost })
        : write(repo, item, made.bytes)
    },
    async reopen() {
      return { reopened: false, refusal: { refusal: 'cannot-undo', why: 'the merge tool has ended' } }
    },
    previewBatch: ({ repoId, source, items, take }) => previewBatch(core.repo(repoId), reader, source, items, take),
    async batch({ repoId, source, items, take }) {
      const repo = core.repo(repoId)
      const rows = []
      for (const { item: id, fingerprint } of items) {
        const { set, item } = await reader.item(repo, source, id)
        const [entry] = wholeSide(item, take)
        const changed = item.fingerprint !== fingerprint || entry === undefined
        const outcome = changed
          ? no({ refusal: 'conflict-changed', path: item.path })
          : write(repo, item, await reader.blob(repo, source, entry.oid))
        rows.push(await rowOf(repo, reader, set, item, take, outcome.resolved ? null : outcome.refusal))
      }
      return rows
    },
    async proceed({ repoId, source }) {
      const { items } = await reader.set(core.repo(repoId), source)
      const open = items.filter((one) => one.state !== 'resolved').map((one) => one.path)
      if (open.length > 0) return { done: false, refusal: { refusal: 'unresolved', conflicts: open } }
      tool().end(true)
      return { done: true, operationId: newOperationId('continue', ports.clock()), ended: true, to: null }
    },
    async abort() {
      tool().end(state.resolved !== null)
      return { done: true, operationId: newOperationId('abort-operation', ports.clock()), ended: true, to: null }
    },
  }
}

/** Errors: ERR_READ_ONLY, ERR_DISK_FULL. */
function writeWhole(path: string, bytes: Uint8Array, executable: boolean): void {
  try {
    if (!existsSync(path)) {
      writeFileSync(path, '', { flag: 'wx' })
      if (executable) chmodSync(path, 0o755)
    }
    replaceFile(path, bytes)
  } catch (error) {
    throw writeProblem(path) ?? error
  }
}

function markersIn(draft: Draft, result: Uint8Array, sides: readonly Uint8Array[]): number[] {
  const text = (bytes: Uint8Array) => {
    const wide =
      bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : bytes[0] === 0xfe && bytes[1] === 0xff
          ? 'utf-16be'
          : 'utf-8'
    return new TextDecoder(wide).decode(bytes)
  }
  return markersLeft(draft, MARKER_SIZE, text(result), sides.map(text))
}
