import type { CoreHandlers } from '../../../shared/contract/index.ts'
import type { CoreContext } from '../context.ts'
import { buildSample } from '../demo/buildSample.ts'
import { rememberRecent } from '../store/recents.ts'

export function demoHandlers(core: CoreContext): Pick<CoreHandlers, 'demo.create'> {
  return {
    'demo.create': async () => {
      const { repository } = await core.open(await buildSample(core.ports))
      if (!core.app.problem) rememberRecent(core.app, repository, core.ports.clock().toISOString())
      return repository
    },
  }
}
