import { join } from 'node:path'
import { openCore } from './core.ts'
import { git, openTestRepo, RUN } from './index.ts'

/**
 * Run where its first argument is a small file system: a worktree of the repository that is its second argument is
 * made there, too small for what the night brings. Says what approving answers and leaves.
 */
const [small = '', origin = ''] = process.argv.slice(2)
git(origin, ['checkout', '-q', '--detach'])
git(origin, ['worktree', 'add', '-q', join(small, 'tree'), 'main'])
const repo = openTestRepo(join(small, 'tree'))
const main = repo.oid('main')
const { ask, close } = await openCore(repo)
const code = await ask('sleep.approve', { branch: RUN, except: [], bringMainIn: false }).then(
  (outcome) => JSON.stringify(outcome),
  (error) => error.code,
)
await close()
const locks = repo.git('rev-parse', '--git-path', 'index.lock')
const held = await import('node:fs').then((fs) => Number(fs.existsSync(locks)))
console.log(
  JSON.stringify({ code, main: repo.oid('main') === main ? 'as before' : 'moved', status: repo.status(), locks: held }),
)
