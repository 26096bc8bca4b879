import { openCore } from './core.ts'
import { RUN } from './index.ts'

/** Run in a mount namespace in which the folder of its argument is read-only: says what approving answers. */
const dir = process.argv[2] ?? ''
const { ask, close } = await openCore({ dir })
const branches = (await ask('inbox.get', {})).sleepBranches.map((one) => one.branch)
const code = await ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false }).then(
  (outcome) => JSON.stringify(outcome),
  (error) => error.code,
)
await close()
console.log(JSON.stringify({ code, branches }))
