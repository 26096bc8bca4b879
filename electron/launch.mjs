// What `npm start` runs, also as the first command after a clone: installs and builds what is missing, then opens the app.
// Never imports electron, which would start a download. Which host shows the app is decided by `cli/openApp.ts`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, fitNode, giveUp, root } from '../scripts/setup.mjs'

try {
  await ensureInstalled()
  await ensureBuilt()
  const child = spawn(fitNode(), [join(root, 'bin', 'daybreak.cjs'), ...process.argv.slice(2)], {
    // A folder is meant from where the person is, not from where npm runs this.
    cwd: process.env.npm_lifecycle_event ? (process.env.INIT_CWD ?? root) : process.cwd(),
    stdio: 'inherit',
  })
  // Ctrl-C reaches the child too, which ends in its own time.
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('error', giveUp)
  child.on('close', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
} catch (error) {
  giveUp(error)
}
