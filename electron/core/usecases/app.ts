import { homedir } from 'node:os'
import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { CoreContext } from '../context.ts'
import { createGit } from '../git/process.ts'
import { findGit } from '../git/version.ts'
import { changeAppSettings, readAppSettings, readSession, saveSession } from '../store/appSettings.ts'
import { listRecent } from '../store/recents.ts'

type Group = 'app.info' | 'app.setSettings' | 'app.saveSession'

export function appHandlers(core: CoreContext): Pick<CoreHandlers, Group> {
  const { app, ports } = core
  return {
    'app.info': async () => {
      const settings = readAppSettings(app)
      const recent = listRecent(app)
      const last = settings.reopenLast ? newest(recent) : null
      return {
        name: 'Daybreak',
        version: ports.version,
        host: ports.host === 'electron' ? 'electron' : 'serve',
        platform: process.platform,
        node: process.versions.node,
        git: (await findGit(createGit({ cwd: homedir(), env: ports.env })))?.text ?? null,
        settings,
        recent,
        initial: ports.initialPath ?? last,
        tool: ports.tool !== undefined,
        session: readSession(app),
      }
    },
    'app.setSettings': ({ settings }) => changeAppSettings(app, settings),
    'app.saveSession': ({ session }) => {
      saveSession(app, session)
      return {}
    },
  }
}

function newest(recent: ReturnType<typeof listRecent>): string | null {
  const there = recent.filter((one) => !one.missing)
  return there.toSorted((a, b) => b.openedAt.localeCompare(a.openedAt))[0]?.path ?? null
}
