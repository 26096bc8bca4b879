import type { CoreHandlers } from '../../../../shared/contract/index.ts'
import { AppError } from '../../../../shared/errors/index.ts'
import type { ConflictSource } from '../../../../shared/model/index.ts'
import type { CoreContext, RepositoryContext } from '../../context.ts'
import { type ConflictReader, type FoundItem, nameOf } from '../provider.ts'
import { checkChoice } from './check/checkChoice.ts'
import { markerSizeOf } from './markerSize.ts'
import type { ConflictTexts } from './texts.ts'

type Group = 'conflicts.check' | 'conflicts.saveDraft' | 'conflicts.repro'

/** Items that were looked at last. */
const KEPT = 8

/** What is asked about drafts while their page is open. */
export function textHandlers(
  core: CoreContext,
  reader: ConflictReader,
  texts: ConflictTexts,
): Pick<CoreHandlers, Group> {
  // Equal fingerprints are the same sides: a page that asks again and again needs no new look at the repository.
  const known = new Map<string, FoundItem>()
  const find = async (repo: RepositoryContext, source: ConflictSource, id: string, fingerprint: string) => {
    const key = JSON.stringify([repo.repository.id, source, id, fingerprint])
    const found = known.get(key) ?? (await reader.item(repo, source, id))
    known.delete(key)
    if (found.item.fingerprint === fingerprint) {
      known.set(key, found)
      for (const oldest of known.keys()) {
        if (known.size <= KEPT) break
        known.delete(oldest)
      }
      return found
    }
    throw new AppError('ERR_NO_SUCH_CONFLICT', { what: `${nameOf(source)}, ${found.item.path}` })
  }
  return {
    'conflicts.check': async ({ repoId, source, item: id, fingerprint, draft }) => {
      const repo = core.repo(repoId)
      const { set, item } = await find(repo, source, id, fingerprint)
      const choice = item.choices.find((one) => one.id === draft.choice) ?? null
      const setup = {
        names: { ours: set.ours.name, theirs: set.theirs.name },
        markerSize: await markerSizeOf(repo, source, set, item),
        hash: item.stages[0]?.oid.length === 64 ? ('sha256' as const) : ('sha1' as const),
        choiceOpen: item.choices.length > 0 && choice === null,
      }
      const byLines = choice === null || choice.result.some((one) => one.oid === 'merged')
      const checked = byLines ? await texts.check(repo, source, item, draft, setup) : null
      return checked ?? checkChoice(item, choice)
    },
    'conflicts.saveDraft': async ({ repoId, source, item, fingerprint, draft }) => {
      const at = core.ports.clock().toISOString()
      await texts.save(core.repo(repoId), source, { item, fingerprint, draft, at })
      return { savedAt: at }
    },
    'conflicts.repro': async ({ repoId, source, item: id, fingerprint, draft }) => {
      const repo = core.repo(repoId)
      const { item } = await find(repo, source, id, fingerprint)
      return { json: await texts.repro(repo, source, item, draft, core.ports.version) }
    },
  }
}
