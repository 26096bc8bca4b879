import type { CoreHandlers } from '../../../../shared/contract/index.ts'
import type { CoreContext } from '../../context.ts'
import type { ConflictTexts } from './texts.ts'

type Group = 'conflicts.saveDraft'

/** What is asked about drafts while their page is open. */
export function textHandlers(core: CoreContext, texts: ConflictTexts): Pick<CoreHandlers, Group> {
  return {
    'conflicts.saveDraft': async ({ repoId, source, item, fingerprint, draft }) => {
      const at = core.ports.clock().toISOString()
      await texts.save(core.repo(repoId), source, { item, fingerprint, draft, at })
      return { savedAt: at }
    },
  }
}
