// `npm run dist`: the installers of this system, or those that the arguments name (`--linux`, `--mac`, `--win`), into release/.
import { join } from 'node:path'
import { build, ensureInstalled, fitEnvironment, fitNode, giveUp, root, run } from './setup.mjs'

try {
  await ensureInstalled()
  await build()
  const builder = join(root, 'node_modules', 'electron-builder', 'cli.js')
  await run(fitNode(), [builder, '--publish', 'never', ...process.argv.slice(2)], { env: fitEnvironment() })
} catch (error) {
  giveUp(error)
}
