import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { appHome } from '../host/home.ts'

// The installed app runs this on its own runtime; no git, gate or editor that is started from here should.
delete process.env.ELECTRON_RUN_AS_NODE
// Compiled code is kept in the app's own folder, not in the shared temporary folder, where another user could plant some.
// Only where that is: Node never ends making one where none can be made, as in `/proc`.
const home = appHome(process.env)
if (existsSync(home)) enableCompileCache(join(home, 'cache', 'code'))
if (process.argv[2] === 'merge-file' && !process.argv.slice(3).some((word) => word === '--help' || word === '-h')) {
  // Called by git once for each file: nothing of the app is loaded for it.
  const { mergeFileMain } = await import('./mergeFile/run.ts')
  await mergeFileMain(process.argv.slice(3))
} else {
  const { main } = await import('./run.ts')
  await main()
}
