import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { CoreContext } from '../context.ts'
import { forgetRecent, listRecent, pinRecent, rememberRecent } from '../store/recents.ts'
import { listFolders } from './folders.ts'

type Group = 'repo.open' | 'repo.recent' | 'repo.forget' | 'repo.pin' | 'repo.folders'

export function repoHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  const { app } = core
  return {
    'repo.open': async ({ path, background }, caller) => {
      const { repository } = await core.open(path)
      // The command line works in many folders; only what was opened to be looked at is remembered.
      const remembered = !background && caller.via !== 'cli' && caller.via !== 'mcp'
      if (remembered && !app.problem) rememberRecent(app, repository, core.ports.clock().toISOString())
      return repository
    },
    'repo.recent': () => listRecent(app),
    'repo.forget': ({ path }) => {
      forgetRecent(app, path)
      return listRecent(app)
    },
    'repo.pin': ({ path, pinned }) => {
      pinRecent(app, path, pinned)
      return listRecent(app)
    },
    'repo.folders': ({ path }) => listFolders(path),
  }
}
